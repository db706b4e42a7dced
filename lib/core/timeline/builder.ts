/**
 * Builds the timeline in one pass, frame by frame, so that a running session has one too. The rules (T, S, C, W, U) are
 * those of the model: a turn is a prompt that was taken up and ends with its answer; frames that refer to something go
 * with what they refer to, whatever the time; waiting is never running.
 */
import type { Event } from '../event.ts';
import type { Pairing } from '../exchange.ts';
import type { Frame } from '../frame.ts';
import type { Message } from '../message.ts';
import { Agents } from './agents.ts';
import { Asks } from './asks.ts';
import { Calls } from './calls.ts';
import { appendText, makeItem, reach } from './item.ts';
import { addUsage, type Entry, type Item, noUsage, type Timeline, type Turn } from './shape.ts';

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

/** Where items go that nobody will look at. */
const NOWHERE = { push: () => 0 } as unknown as Entry[];

export class TimelineBuilder {
  readonly #keep: boolean;
  readonly timeline: Timeline = {
    handshake: {},
    entries: [],
    counts: { turns: 0, tools: 0, approvals: 0, errors: 0 },
    usage: noUsage(),
    context: null,
  };
  readonly #agents = new Agents();
  readonly #calls = new Calls();
  readonly #asks = new Asks(this.#calls);
  /** Prompts that nobody has taken up yet, and the turns of those that somebody has. */
  readonly #prompts = new Map<number, Item>();
  readonly #turns = new Map<number, Turn>();
  /** Requests of either side, by their frame. */
  readonly #requests = new Map<number, Item>();
  #turn: Turn | null = null;
  #latest: Turn | null = null;
  #total = noUsage();
  #last: { f: number; t: number } = { f: 0, t: 0 };
  /** What the frame in hand is part of, first. */
  #touched: Item | null = null;

  /** Without `keep` only the sums are kept, and what is still open: memory does not grow with the session. */
  constructor({ keep = true }: { keep?: boolean } = {}) {
    this.#keep = keep;
  }

  take(read: Read): Where {
    const { frame, message } = read;
    this.#last = { f: frame.f, t: frame.t };
    this.#touched = null;
    const before = this.#turn;
    for (const event of read.events) this.#event(read, event);
    if (message.envelope === 'error' && !isReplayed(read.events)) this.timeline.counts.errors++;
    if (frame.event === 'exit' || frame.event === 'lost') this.#endTurn('unanswered', null);
    const touched = this.#touched as Item | null;
    if (touched) return { turn: touched.turn, step: touched.step, item: touched.f };
    const step = read.events[0] ? (this.#agents.of(read.events[0]).step?.n ?? null) : null;
    return { turn: (this.#turn ?? before)?.n ?? null, step, item: null };
  }

  #touch(item: Item): void {
    this.#touched ??= item;
  }

  #event(read: Read, event: Event): void {
    const { frame } = read;
    const { counts } = this.timeline;
    const replayed = event.flags?.includes('replayed') ?? false;
    if (replayed) return void this.#place(read, event);
    if (event.takes !== undefined) this.#takeUp(event.takes, frame);
    if (event.step) this.#agents.of(event).beginStep(frame, null, this.#home(event));
    switch (event.kind) {
      case 'prompt':
        return this.#prompt(read, event);
      case 'prompt-answer':
        return this.#promptAnswer(read, event);
      case 'turn-begin':
        return this.#turnBegin(read, event);
      case 'turn-end':
        return this.#agents.of(event).endTurn(frame);
      case 'step-begin':
        this.#calls.ready(this.#agents.of(event), frame.t);
        return this.#agents.of(event).beginStep(frame, event.n, this.#home(event));
      case 'step-end':
      case 'step-interrupted':
        return this.#agents.of(event).endStep(frame, event.kind === 'step-end' ? 'done' : 'interrupted');
      case 'step-retry':
        this.#agents.of(event).discardStep();
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
      case 'approval':
        if (!event.flags?.includes('resent')) counts.approvals++;
        return this.#ask(read, event);
      case 'question':
      case 'client-call':
      case 'hook':
        return this.#ask(read, event);
      case 'approval-answer':
      case 'question-answer':
      case 'client-call-answer':
      case 'hook-answer':
        return this.#askAnswer(read, event);
      case 'approval-resolved':
        return this.#resolved(read, event);
      case 'usage':
        return this.#usage(read, event);
      case 'status':
        this.#calls.ready(this.#agents.of(event), frame.t);
        return this.#plain(read, event);
      case 'subagent':
        // What it wraps says more.
        if (read.events.length === 1) this.#place(read, event);
        return;
      case 'handshake':
        Object.assign(this.timeline.handshake, event.about);
        return this.#plain(read, event);
      case 'cancel':
        if (this.#turn && event.of === null && frame.from === 'client') this.#turn.cancelled_f ??= frame.f;
        return this.#plain(read, event);
      case 'error':
        counts.errors++;
        return this.#plain(read, event);
      default:
        return this.#plain(read, event);
    }
  }

  /** A request with its answer is one item; all else is an item by itself. */
  #plain(read: Read, event: Event): void {
    const asked = read.pairing?.exchange && this.#requests.get(read.pairing.exchange.askedF);
    if (read.pairing?.role === 'answers' && asked && event.kind === asked.kind) return this.#answer(asked, read, event);
    const item = this.#place(read, event);
    if (read.pairing?.role === 'asks') this.#requests.set(read.frame.f, item);
  }

  #answer(item: Item, { frame, message }: Read, event: Event): void {
    this.#touch(item);
    if (!this.#keep) this.#requests.delete(item.f);
    reach(item, frame);
    item.answer = {
      f: frame.f,
      t: frame.t,
      ok: message.envelope !== 'error',
      code: message.code,
      status: 'status' in event ? event.status : null,
      text: event.text ?? '',
    };
  }

  #prompt(read: Read, event: Event & { kind: 'prompt' }): void {
    if (read.frame.from !== 'client') return void this.#place(read, event);
    const item = makeItem(read.frame, event);
    item.blocks = event.blocks;
    // At the top, even while another turn runs: it is the head of a turn of its own, or of none.
    if (this.#keep) this.timeline.entries.push(item);
    this.#touch(item);
    this.#prompts.set(read.frame.f, item);
    this.#requests.set(read.frame.f, item);
  }

  #takeUp(f: number, frame: Frame): void {
    if (this.#turns.has(f)) return;
    this.#endTurn('unanswered', null);
    const { entries, counts } = this.timeline;
    const prompt = this.#prompts.get(f) ?? null;
    const turn: Turn = {
      is: 'turn',
      n: ++counts.turns,
      prompt,
      status: null,
      code: null,
      cancelled_f: null,
      f: prompt?.f ?? frame.f,
      f_end: frame.f,
      t: prompt?.t ?? frame.t,
      t_end: frame.t,
      entries: [],
      usage: noUsage(),
    };
    if (!this.#keep) turn.entries = NOWHERE;
    // What came between the prompt and its take-up belongs to the turn; other prompts wait for theirs.
    const since = prompt && this.#keep ? entries.splice(entries.lastIndexOf(prompt)) : [];
    for (const entry of since) {
      if (entry === prompt || this.#isWaiting(entry)) continue;
      turn.entries.push(entry);
      if (entry.is === 'item') entry.turn = turn.n;
    }
    if (prompt) prompt.turn = turn.n;
    if (this.#keep) entries.push(turn, ...since.filter((entry) => entry !== prompt && this.#isWaiting(entry)));
    this.#prompts.delete(f);
    this.#turns.set(f, turn);
    this.#turn = turn;
    this.#latest = turn;
    this.#agents.reset();
  }

  #isWaiting(entry: Entry): boolean {
    return entry.is === 'turn' || (entry.is === 'item' && this.#prompts.has(entry.f));
  }

  #promptAnswer(read: Read, event: Event & { kind: 'prompt-answer' }): void {
    const { frame } = read;
    const turn = event.prompt === null ? this.#turn : (this.#turns.get(event.prompt) ?? null);
    const prompt = turn?.prompt ?? (event.prompt === null ? null : this.#prompts.get(event.prompt));
    if (prompt) this.#answer(prompt, read, event);
    if (turn && turn.status === null) {
      turn.status = event.status;
      turn.code = event.code;
      reach(turn, frame);
      if (turn === this.#turn) this.#endTurn(event.status, event.code);
    } else if (turn && turn.status === 'unanswered') {
      // Another prompt was taken up before this one's answer came.
      Object.assign(turn, { status: event.status, code: event.code });
    } else if (!prompt) {
      this.#place(read, event);
    }
    if (event.prompt !== null) this.#prompts.delete(event.prompt);
  }

  #endTurn(status: string, code: number | null): void {
    const turn = this.#turn;
    this.#turn = null;
    if (!turn) return;
    if (turn.status === null) Object.assign(turn, { status, code });
    this.#agents.endAll(this.#last);
    this.#asks.endTurn(turn, this.#last.t);
    this.#calls.endTurn();
    if (!this.#keep) this.#forget();
  }

  /** What was said of a turn that is over may still be answered, but the sums do not change by it. */
  #forget(): void {
    this.#calls.forget();
    this.#asks.forget();
    this.#requests.clear();
    for (const f of this.#turns.keys()) if (f !== this.#latest?.prompt?.f) this.#turns.delete(f);
    for (const [f, prompt] of this.#prompts) this.#requests.set(f, prompt);
  }

  /** The agent's own bracket: the outer one is the turn itself. */
  #turnBegin(read: Read, event: Event & { kind: 'turn-begin' }): void {
    if (!event.nested) return;
    const item = this.#place(read, event);
    this.#agents.of(event).beginTurn(item);
  }

  #text(read: Read, event: Event & { kind: 'text' | 'thinking' }): void {
    const agent = this.#agents.of(event);
    this.#calls.ready(agent, read.frame.t);
    if (event.restates) return agent.restate(event.kind, read.frame);
    const open = agent.open;
    if (open && open.kind === event.kind && !event.block) {
      appendText(open, event.text ?? '');
      this.#touch(open);
      open.parts++;
      return this.#reach(open, read.frame);
    }
    const item = this.#place(read, event);
    if (event.block) item.blocks.push(event.block);
    agent.open = item;
    if (event.delta) agent.streamed.push(item);
  }

  #toolCall(read: Read, event: Event & { kind: 'tool-call' }): void {
    const agent = this.#agents.of(event);
    this.#calls.ready(agent, read.frame.t);
    if (event.restates) return this.#calls.restate(event, read.frame);
    this.timeline.counts.tools++;
    const item = this.#place(read, event);
    agent.call = item;
    this.#calls.announce(item, event, read.frame);
    this.#asks.announced(item);
  }

  #toolArgs(read: Read, event: Event & { kind: 'tool-args' }): void {
    const call = this.#calls.args(this.#agents.of(event), event, read.frame);
    if (call) this.#touch(call);
    else this.#place(read, event);
  }

  #toolResult(read: Read, event: Event & { kind: 'tool-result' }): void {
    const call = this.#calls.result(event, read.frame);
    if (!call) {
      const item = this.#place(read, event);
      item.blocks = event.blocks;
      return;
    }
    this.#touch(call);
    this.#asks.callEnded(call, read.frame.t);
    this.#calls.measure(call);
    this.#reach(call, read.frame);
  }

  #ask(read: Read, event: Event & { kind: 'approval' | 'question' | 'client-call' | 'hook' }): void {
    const again = this.#asks.again(event, read.frame);
    if (again) return this.#touch(again);
    const call = this.#calls.latest('call' in event ? (event.call ?? null) : null);
    if (call) this.#calls.readyNow(call, read.frame.t);
    const item = this.#place(read, event);
    this.#asks.ask(item, event, call);
    if (read.pairing?.role === 'asks') this.#requests.set(read.frame.f, item);
  }

  #askAnswer(read: Read, event: Event): void {
    const asked = read.pairing?.exchange ? this.#requests.get(read.pairing.exchange.askedF) : undefined;
    if (!asked?.ask) return void this.#place(read, event);
    this.#answer(asked, read, event);
    this.#asks.answer(asked, event, read.frame);
  }

  #resolved(read: Read, event: Event & { kind: 'approval-resolved' }): void {
    const asked = this.#asks.resolve(event.request, event.decision, read.frame);
    if (asked) this.#touch(asked);
    else this.#place(read, event);
  }

  #usage(read: Read, event: Event & { kind: 'usage' }): void {
    const { usage, total, context } = event;
    const agent = this.#agents.of(event);
    this.#calls.ready(agent, read.frame.t);
    if (context) this.timeline.context = { ...this.timeline.context, ...context };
    if (!usage) return;
    if (total) {
      const turn = this.#turn ?? this.#latest;
      if (turn) turn.usage = minus(usage, this.#total);
      this.#total = usage;
      this.timeline.usage = { ...usage };
      return;
    }
    if (agent.step) addUsage(agent.step.usage, usage);
    if (this.#turn) addUsage(this.#turn.usage, usage);
    addUsage(this.timeline.usage, usage);
  }

  #place(read: Read, event: Event): Item {
    const item = makeItem(read.frame, event);
    const agent = this.#agents.of(event);
    item.turn = this.#turn?.n ?? null;
    item.step = agent.step?.n ?? null;
    this.#touch(item);
    if (event.kind !== 'status' && event.kind !== 'usage') agent.open = null;
    if (this.#keep) agent.entries(this.#home(event)).push(item);
    this.#reach(item, read.frame);
    agent.reach(read.frame);
    return item;
  }

  /** Where what an agent does is put, apart from its steps: its turn, or the call that started it. */
  #home(event: Event): Entry[] {
    const started = event.parent === undefined ? null : this.#calls.latest(event.parent);
    if (!this.#keep) return NOWHERE;
    return started?.entries ?? this.#turn?.entries ?? this.timeline.entries;
  }

  #reach(span: Item, frame: Frame): void {
    reach(span, frame);
    if (this.#turn) reach(this.#turn, frame);
  }
}

function isReplayed(events: Event[]): boolean {
  return events[0]?.flags?.includes('replayed') ?? false;
}

function minus(a: Timeline['usage'], b: Timeline['usage']): Timeline['usage'] {
  return {
    input: a.input - b.input,
    cache_read: a.cache_read - b.cache_read,
    cache_write: a.cache_write - b.cache_write,
    output: a.output - b.output,
  };
}
