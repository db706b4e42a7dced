/**
 * Builds the timeline in one pass, frame by frame, so that a running session has one too. The rules (T, S, C, W, U) are
 * those of the model: a turn is a prompt that was taken up and ends with its answer; frames that refer to something go
 * with what they refer to, whatever the time; waiting is never running. Every frame is part of an item, a step or a turn.
 */
import type { Event, Handshake } from '../event.ts';
import type { Pairing } from '../exchange.ts';
import type { Frame } from '../frame.ts';
import type { Message } from '../message.ts';
import { type Agent, Agents, type End } from './agents.ts';
import { type Asking, Asks } from './asks.ts';
import { Calls } from './calls.ts';
import { Hooks } from './hooks.ts';
import { appendText, flagged, makeItem, reach, replaceText, shed } from './item.ts';
import { Places } from './places.ts';
import { Recent } from './recent.ts';
import { type Entry, type Item, noUsage, type Step, type Timeline, type Turn } from './shape.ts';
import { type Live, Turns } from './turns.ts';
import { UsageSums } from './usage.ts';
import { Waiting } from './waiting.ts';

export interface Read {
  frame: Frame;
  message: Message;
  pairing: Pairing | null;
  events: Event[];
}

/** Where a frame belongs, which is where the item is that it is part of. */
export interface Where {
  turn: number | null;
  step: number | null;
  /** The first frame of that item. */
  item: number | null;
}

/** So much is remembered of each kind where memory is bounded. */
const REMEMBERED = 10_000;
const STEERS = 1000;

export class TimelineBuilder {
  readonly #keep: boolean;
  readonly timeline: Timeline = {
    handshake: {},
    entries: [],
    counts: { turns: 0, tools: 0, approvals: 0, errors: 0 },
    wait: 0,
    usage: noUsage(),
    context: null,
  };
  readonly #usage = new UsageSums(this.timeline);
  readonly #places: Places;
  readonly #turns: Turns;
  readonly #agents: Agents;
  readonly #calls: Calls;
  readonly #asks: Asks;
  readonly #hooks: Hooks;
  /** Requests of either side, by their frame. */
  readonly #requests: Recent<number, Item>;
  /** Arguments that came before their call was announced, by the call's id. */
  readonly #arguments: Recent<string, Item>;
  /** Sent into the turn, and not yet in effect. */
  #steers: Item[] = [];
  /** What the client's latest handshake says, until it is answered. */
  #proposed: Handshake = {};
  /** Whose answer the frame in hand is. */
  #answered: Live | null = null;
  /** What the frame in hand is part of, first. */
  #where: Where | null = null;

  /** Without `keep` only the sums are kept, and what later frames may refer to: memory does not grow with the session. */
  constructor({ keep = true, remembered = REMEMBERED }: { keep?: boolean; remembered?: number } = {}) {
    const limit = keep ? Number.POSITIVE_INFINITY : remembered;
    this.#keep = keep;
    this.#places = new Places(this.timeline.entries, keep);
    this.#turns = new Turns(limit);
    this.#agents = new Agents(limit);
    this.#calls = new Calls(limit);
    const waiting = new Waiting((total) => {
      this.timeline.wait = total;
    }, limit);
    this.#asks = new Asks(this.#calls, waiting, limit);
    this.#hooks = new Hooks(limit);
    this.#requests = new Recent(limit);
    this.#arguments = new Recent(limit);
  }

  /** How many things are held besides the timeline. */
  get retained(): number {
    const parts = [this.#turns, this.#agents, this.#calls, this.#asks, this.#hooks];
    return parts.reduce((sum, part) => sum + part.retained, this.#requests.size + this.#arguments.size);
  }

  take(read: Read): Where {
    const { frame, message, events } = read;
    this.#where = null;
    this.#answered = null;
    // What ends the process is not part of what it ends.
    if (frame.event === 'exit' || frame.event === 'lost') this.#endAll(frame, events[0]);
    for (const event of events) this.#event(read, event);
    if (frame.event === 'eof' && frame.from === 'client') this.#asks.givesUp(null, frame.t);
    const failed = message.envelope === 'error' || events.some(({ kind }) => kind === 'error');
    if (failed && !isReplayed(events[0])) this.timeline.counts.errors++;
    return this.#where ?? { turn: this.#turns.current?.turn.n ?? null, step: null, item: null };
  }

  #event(read: Read, event: Event): void {
    if (isReplayed(event)) return this.#replayed(read, event);
    if (event.takes !== undefined) this.#takeUp(event.takes, event, read.frame);
    if (event.step) this.#beginStep(read, event, null);
    switch (event.kind) {
      case 'prompt':
        return this.#prompt(read, event);
      case 'prompt-answer':
        return this.#promptAnswer(read, event);
      case 'turn-begin':
        return this.#turnBegin(read, event);
      case 'turn-end':
        this.#bracket(read, event, this.#agentOf(event).endTurn());
        if (event.ends !== undefined) for (const live of [...this.#turns.open]) this.#endTurn(live, read.frame);
        return;
      case 'step-begin':
        return this.#beginStep(read, event, event.n);
      case 'step-end':
      case 'step-interrupted':
        this.#calls.ready(this.#agentOf(event), read.frame.t);
        return this.#bracket(
          read,
          event,
          this.#agentOf(event).endStep(event.kind === 'step-end' ? 'done' : 'interrupted'),
        );
      case 'step-retry':
        this.#agentOf(event).discardStep();
        return void this.#place(read, event);
      case 'text':
      case 'thinking':
        return this.#text(read, event);
      case 'tool-call':
        return this.#toolCall(read, event);
      case 'tool-args':
        return this.#toolArgs(read, event);
      case 'tool-result':
        return this.#toolResult(read, event);
      case 'progress':
        return this.#progress(read, event);
      case 'approval':
      case 'question':
      case 'client-call':
        return this.#ask(read, event);
      case 'hook':
        return read.pairing ? this.#ask(read, event) : this.#hooks.triggered(this.#place(read, event), event);
      case 'hook-resolved':
        return this.#hookResolved(read, event);
      case 'approval-answer':
      case 'question-answer':
      case 'client-call-answer':
      case 'hook-answer':
        return this.#askAnswer(read, event);
      case 'approval-resolved':
        return this.#refers(read, event, this.#asks.resolve(event.request, event.decision, read.frame));
      case 'usage':
        return this.#tokens(read, event);
      case 'status':
        this.#calls.ready(this.#agentOf(event), read.frame.t);
        return this.#plain(read, event);
      case 'subagent':
        if (event.background) this.#agentOf(event).background = true;
        // What it wraps says more.
        if (read.events.length === 1) this.#place(read, event);
        return;
      case 'steer':
        return event.done && event.restates ? this.#refers(read, event, this.#steered()) : this.#steer(read, event);
      case 'handshake':
        this.#introduce(read, event.about);
        return this.#plain(read, event);
      case 'cancel':
        return this.#cancel(read, event);
      default:
        return this.#plain(read, event);
    }
  }

  // Placing

  /** The frame is part of this item. */
  #touch(item: Item, frame: Frame): void {
    this.#where ??= { turn: item.turn, step: item.step, item: item.f };
    this.#places.reach(item, frame);
    if (!this.#keep) shed(item);
  }

  #place(read: Read, event: Event): Item {
    const agent = this.#agentOf(event);
    const live = this.#turns.of(event);
    const item = makeItem(read.frame, event);
    item.turn = turnOf(agent, live);
    item.step = agent.step?.n ?? null;
    // Only its own words come between an agent's words.
    if (read.frame.from === 'agent' && event.kind !== 'status' && event.kind !== 'usage') agent.open = null;
    this.#places.put(item, this.#inside(agent, live));
    this.#touch(item, read.frame);
    return item;
  }

  /** What an agent's next item is part of: its step, a turn in the turn, the call that started it, the turn, or nothing. */
  #inside(agent: Agent, live: Live | null): Entry | null {
    return agent.inside ?? agent.started ?? (agent.background ? null : (live?.turn ?? null));
  }

  /** History that is sent again stands by itself, whatever goes on. */
  #replayed({ frame }: Read, event: Event): void {
    const item = makeItem(frame, event);
    this.#places.put(item, null);
    this.#touch(item, frame);
  }

  #agentOf(event: Event): Agent {
    const { parent, subagent, flags } = event;
    if (parent === undefined && subagent === undefined) return this.#turns.of(event)?.main ?? this.#agents.of(event);
    const agent = this.#agents.of(event);
    if (flags?.includes('background')) agent.background = true;
    if (parent !== undefined) agent.started ??= this.#calls.latest(parent);
    else if (agent.background) agent.started ??= this.#calls.whoseResultNames(subagent!);
    return agent;
  }

  /** Goes with what it refers to; what that is unknown, by itself. */
  #refers(read: Read, event: Event, item: Item | null): void {
    if (item) this.#touch(item, read.frame);
    else this.#place(read, event);
  }

  /** A request with its answer is one item; all else is an item by itself. */
  #plain(read: Read, event: Event): void {
    const { pairing } = read;
    const asked = pairing?.exchange ? this.#requests.get(pairing.exchange.askedF) : undefined;
    if (asked && asked.kind === event.kind && isAnswer(pairing)) return this.#answer(asked, read, event, true);
    if (asked && asked.kind === event.kind && pairing?.role === 'asks-again') return this.#touch(asked, read.frame);
    const item = this.#place(read, event);
    item.name ??= nameOf(event, read.message);
    if (pairing?.role === 'asks') this.#requests.set(read.frame.f, item);
  }

  /** The first answer is the answer, unless a later one `counts`. */
  #answer(item: Item, { frame, message, pairing }: Read, event: Event, counts: boolean): void {
    if (counts && (pairing?.role !== 'duplicate' || item.answer === null || item.ask)) {
      item.answer = {
        ...{ f: frame.f, t: frame.t, ok: message.envelope !== 'error', code: message.code },
        ...{ status: statusOf(event, message), text: event.text ?? '' },
      };
    }
    this.#touch(item, frame);
  }

  // Turns and steps

  #prompt(read: Read, event: Event & { kind: 'prompt' }): void {
    const { frame, pairing } = read;
    if (frame.from !== 'client') return void this.#place(read, event);
    const asked = pairing?.role === 'asks-again' ? this.#requests.get(pairing.exchange!.askedF) : undefined;
    if (asked) return this.#touch(asked, frame);
    const item = makeItem(frame, event);
    item.blocks = event.blocks;
    // At the top, even while another turn runs: it is the head of a turn of its own, or of none.
    this.#places.put(item, null);
    this.#turns.waits(item);
    this.#requests.set(frame.f, item);
    this.#touch(item, frame);
  }

  #takeUp(f: number, event: Event, frame: Frame): void {
    if (this.#turns.taken(f)) return;
    // Another turn goes on only where the dialect tells them apart.
    if (event.within !== f) for (const live of [...this.#turns.open]) this.#endTurn(live, frame);
    const live = this.#turns.takeUp(f, frame);
    this.timeline.counts.turns++;
    const { turn, waiting } = live;
    if (!turn.prompt) return this.#places.put(turn, null);
    if (!this.#keep) return;
    this.#asks.adopt(
      this.#places.takeSince(turn.prompt, turn).filter(({ ask }) => ask),
      waiting,
    );
  }

  #promptAnswer(read: Read, event: Event & { kind: 'prompt-answer' }): void {
    const { frame, pairing } = read;
    const live = this.#turns.taken(event.prompt);
    const prompt = live?.turn.prompt ?? this.#turns.prompt(event.prompt);
    if (live && (live.turn.status === null || live.turn.status === 'unanswered')) {
      const { turn } = live;
      reach(turn, frame);
      this.#where ??= { turn: turn.n, step: null, item: prompt?.f ?? null };
      this.#answered = live;
      Object.assign(turn, { status: event.status, code: event.code });
      for (const id of event.denied ?? []) this.#calls.ruledOut(id);
      this.#endTurn(live, frame);
    } else if (!prompt) {
      const asked = pairing?.exchange ? this.#requests.get(pairing.exchange.askedF) : undefined;
      return this.#refers(read, event, asked ?? null);
    }
    if (prompt) this.#answer(prompt, read, event, true);
    this.#turns.refused(event.prompt);
  }

  #endTurn(live: Live, frame: Frame, status = 'unanswered'): void {
    if (!this.#turns.end(live)) return;
    const { turn, main } = live;
    this.#steers = [];
    turn.status ??= status;
    const end = endOf(turn);
    main.end(end);
    this.#agents.endTurn(turn.n, end);
    this.#asks.endTurn(turn.n, frame.t);
    const isCut = turn.status === 'unanswered' || turn.cancelled_f !== null || /error|cancel/.test(turn.status);
    this.#calls.endTurn(turn.n, { f: turn.f_end, t: turn.t_end }, isCut ? 'cut' : 'abandoned');
  }

  #endAll(frame: Frame, event: Event | undefined): void {
    if (event?.takes !== undefined) this.#takeUp(event.takes, event, frame);
    const ended = event?.kind === 'process' ? event.ended : undefined;
    for (const live of [...this.#turns.open]) this.#endTurn(live, frame, ended);
    this.#asks.endAll(frame.t);
    this.#calls.endAll({ f: frame.f, t: frame.t });
  }

  /** The agent's own bracket: the outer one is the turn itself. */
  #turnBegin(read: Read, event: Event & { kind: 'turn-begin' }): void {
    const live = this.#turns.of(event);
    if (event.nested || (!live && read.events.length === 1)) {
      const item = this.#place(read, event);
      if (event.nested) this.#agentOf(event).beginTurn(item);
      return;
    }
    if (!live) return;
    // Nobody saw the prompt itself: what the agent says of it is all there is.
    if (!live.turn.prompt && event.text) return void this.#place(read, event);
    this.#places.reach(live.turn, read.frame);
    this.#where ??= { turn: live.turn.n, step: null, item: null };
  }

  #beginStep(read: Read, event: Event, shown: number | null): void {
    const agent = this.#agentOf(event);
    const live = this.#turns.of(event);
    this.#calls.ready(agent, read.frame.t);
    const outer = agent.nested ?? agent.started ?? (agent.background ? null : (live?.turn ?? null));
    const step = agent.beginStep(read.frame, shown);
    this.#places.put(step, outer);
    if (event.kind === 'step-begin') this.#bracket(read, event, step);
  }

  /** The frame opens or closes a step or a turn, and is nothing else. */
  #bracket(read: Read, event: Event, entry: Step | Item | null): void {
    const { frame } = read;
    if (entry?.is === 'item') return this.#touch(entry, frame);
    const live = this.#turns.of(event);
    const span = entry ?? live?.turn;
    if (!span) return void this.#place(read, event);
    this.#places.reach(span, frame);
    this.#where ??= { turn: turnOf(this.#agentOf(event), live), step: entry?.n ?? null, item: null };
  }

  // What is said and done

  #text(read: Read, event: Event & { kind: 'text' | 'thinking' }): void {
    const agent = this.#agentOf(event);
    this.#calls.ready(agent, read.frame.t);
    const known = event.restates ? agent.restated(event.kind) : event.delta && !event.block ? agent.open : null;
    if (known?.kind === event.kind) {
      if (event.restates) replaceText(known, event.text ?? '');
      else appendText(known, event.text ?? '');
      known.parts++;
      return this.#touch(known, read.frame);
    }
    const item = this.#place(read, event);
    if (event.block && this.#keep) item.blocks.push(event.block);
    if (event.delta) agent.streams(item);
    else agent.open = item;
  }

  #toolCall(read: Read, event: Event & { kind: 'tool-call' }): void {
    const agent = this.#agentOf(event);
    this.#calls.ready(agent, read.frame.t);
    if (event.restates) return this.#refers(read, event, this.#calls.restate(event));
    this.timeline.counts.tools++;
    const early = event.call === null ? undefined : this.#arguments.get(event.call);
    const item = early ?? this.#place(read, event);
    if (early) {
      this.#arguments.delete(event.call!);
      Object.assign(early, { kind: 'tool-call', text: event.text ?? '', parts: early.parts + 1 });
    }
    agent.call = item;
    agent.open = null;
    this.#calls.announce(item, event, read.frame);
    const asked = this.#asks.announced(item);
    if (asked) this.#places.move(asked, item);
    this.#touch(item, read.frame);
  }

  #toolArgs(read: Read, event: Event & { kind: 'tool-args' }): void {
    const agent = this.#agentOf(event);
    const call = this.#calls.args(agent, event, read.frame);
    if (call) return this.#touch(call, read.frame);
    const early = event.call === null ? undefined : this.#arguments.get(event.call);
    if (early) {
      appendText(early, event.text ?? '');
      early.parts++;
      return this.#touch(early, read.frame);
    }
    const item = this.#place(read, event);
    if (event.call !== null) this.#arguments.set(event.call, item);
  }

  #toolResult(read: Read, event: Event & { kind: 'tool-result' }): void {
    const { frame } = read;
    const call = this.#calls.result(event, frame);
    if (!call) {
      const item = this.#place(read, event);
      if (this.#keep) item.blocks = event.blocks;
      return;
    }
    this.#asks.callEnded(call, frame.t);
    this.#calls.measure(call);
    this.#touch(call, frame);
  }

  #progress(read: Read, event: Event & { kind: 'progress' }): void {
    const call = this.#calls.pending(event.call, event);
    if (call) call.parts++;
    this.#refers(read, event, call);
  }

  #tokens(read: Read, event: Event & { kind: 'usage' }): void {
    const { frame } = read;
    const agent = this.#agentOf(event);
    const live = this.#turns.of(event);
    this.#calls.ready(agent, frame.t);
    if (event.total) this.#usage.total(event, (this.#answered ?? live)?.turn ?? null);
    else this.#usage.add(event, agent, agent.background ? null : live);
    const span = agent.step ?? (agent.background ? null : live?.turn);
    // Beside something else it is part of that; alone, of its step or turn; else of nothing.
    if (this.#where) return;
    if (!span || agent.background) return void this.#place(read, event);
    this.#places.reach(span, frame);
    this.#where = { turn: turnOf(agent, live), step: agent.step?.n ?? null, item: null };
  }

  /** What a client proposes holds only with the agent's answer, or as long as nothing else is known. */
  #introduce({ frame, message }: Read, about: Handshake): void {
    if (frame.from === 'client') {
      this.#proposed = about;
      this.timeline.handshake = { ...about, ...this.timeline.handshake };
      return;
    }
    if (message.envelope !== 'error') Object.assign(this.timeline.handshake, this.#proposed, about);
    this.#proposed = {};
  }

  #steer(read: Read, event: Event & { kind: 'steer' }): void {
    this.#plain(read, event);
    const item = this.#requests.get(read.frame.f);
    if (item) this.#steers.push(item);
    if (this.#steers.length > STEERS) this.#steers.shift();
  }

  /** The oldest steer that has not come into effect, which it does now. One that was refused never does. */
  #steered(): Item | null {
    while (this.#steers[0]?.answer?.ok === false) this.#steers.shift();
    const item = this.#steers.shift() ?? null;
    if (item) item.parts++;
    return item;
  }

  // What is asked

  #ask(read: Read, event: Asking): void {
    const { frame, pairing } = read;
    const again = this.#asks.again(event);
    if (again) return this.#touch(again, frame);
    if (event.kind === 'approval' && !event.flags?.includes('resent')) this.timeline.counts.approvals++;
    const call = this.#held(event);
    if (call) this.#calls.readyNow(call, frame.t);
    const item = call ? this.#beside(call, read, event) : this.#place(read, event);
    const live = this.#turns.open.find(({ turn }) => turn.n === item.turn);
    this.#asks.ask(item, event, call, live?.waiting ?? null);
    const agent = this.#agentOf(event);
    if (agent.call && agent.call !== call) agent.held ??= item;
    if (pairing?.role === 'asks') this.#requests.set(frame.f, item);
    if (!this.#keep) shed(item);
  }

  /** The call that something asked holds up (rules C2 and W3). */
  #held(event: Asking): Item | null {
    if (event.kind === 'approval') return this.#calls.unasked(event.call);
    if (event.kind === 'hook')
      return event.call ? this.#calls.latest(event.call) : this.#calls.latestOfTool(event.target);
    if (event.call !== null) return this.#calls.pending(event.call, event);
    // Where there are no turns, it is for the only call that is open. Asking for roots holds up nothing.
    const isApart = this.timeline.counts.turns > 0 || (event.kind === 'client-call' && event.what === 'roots/list');
    return isApart ? null : this.#calls.single;
  }

  /** A request goes with the call it names. */
  #beside(call: Item, { frame }: Read, event: Event): Item {
    const item = makeItem(frame, event);
    item.turn = call.turn;
    item.step = call.step;
    this.#agentOf(event).open = null;
    this.#places.put(item, this.#places.around(call));
    this.#touch(item, frame);
    return item;
  }

  #hookResolved(read: Read, event: Event & { kind: 'hook-answer' | 'hook-resolved' }): void {
    this.#asks.hookResolved(event.event, event.target, read.frame.t);
    if (event.decision === 'deny') this.#calls.block(event.target);
    this.#refers(read, event, this.#hooks.resolved(event, read.frame));
  }

  #askAnswer(read: Read, event: Event): void {
    const { exchange } = read.pairing ?? {};
    const asked = exchange ? this.#requests.get(exchange.askedF) : undefined;
    if (!asked?.ask) return this.#refers(read, event, null);
    this.#answer(asked, read, event, this.#asks.answer(asked, event, read.frame.t));
  }

  #cancel(read: Read, event: Event & { kind: 'cancel' }): void {
    const { frame, pairing } = read;
    if (event.of !== null) {
      const ask = this.#asks.named(event.of);
      if (ask && frame.from === 'agent') this.#asks.settle(ask, frame.t);
      if (frame.from === 'agent' && ask) return this.#touch(ask, frame);
      const call = frame.from === 'client' ? this.#calls.pending(event.of, event) : null;
      if (!call) return this.#plain(read, event);
      flagged(call, 'cancelled');
      return void this.#beside(call, read, event);
    }
    const turn = this.#turns.of(event)?.turn;
    if (turn && frame.from === 'client' && (pairing === null || pairing.role === 'asks')) {
      turn.cancelled_f ??= frame.f;
      this.#asks.givesUp(turn.n, frame.t);
    }
    this.#plain(read, event);
  }
}

const isReplayed = (event: Event | undefined): boolean => event?.flags?.includes('replayed') ?? false;

const isAnswer = (pairing: Pairing | null): boolean => pairing?.role === 'answers' || pairing?.role === 'duplicate';

/** How the step ends that is under way when its turn ends. */
function endOf({ prompt, status, cancelled_f }: Turn): End {
  if (status === 'unanswered') return prompt ? 'cut' : 'done';
  return /cancel/.test(status!) || (cancelled_f !== null && /error/.test(status!)) ? 'cancelled' : 'done';
}

/** How it was answered: an answer that is no error may still say no, or that what was asked for failed. */
function statusOf(event: Event, { envelope }: Message): string | null {
  if ('status' in event && event.status) return event.status;
  if (envelope === 'error' || !('ok' in event) || event.ok) return null;
  return event.kind === 'question-answer' ? event.text || 'invalid' : 'failed';
}

/** Which part of a handshake; which mode, where only the request tells. */
function nameOf({ kind }: Event, { method, type }: Message): string | null {
  if (kind === 'mode') return method;
  return kind === 'handshake' ? (method ?? type) : null;
}

function turnOf(agent: Agent, live: Live | null): number | null {
  if (agent.background) return null;
  return agent.started ? agent.started.turn : (live?.turn.n ?? null);
}
