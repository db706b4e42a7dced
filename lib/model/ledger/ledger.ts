/**
 * The record of a session: its turns, calls, requests to the client and processes, and which of them are open. The
 * rules T, C, W and A of the model are implemented only here. The timeline places what the ledger records, the audit
 * makes rows from it, `why` lists what is open in it, and `check` queries it. Replayed history is not recorded. Frames
 * are taken in order, live or from a tape.
 */
import type { Event } from '../event.ts';
import type { Frame } from '../frame.ts';
import { type Agent, type AgentEnd, Agents } from './agents.ts';
import { Asks } from './asks.ts';
import { Calls } from './calls.ts';
import { ClientRequests } from './client-requests.ts';
import { clearNote, makeNote, type Note, turnOf } from './note.ts';
import type { PairedFrame } from './paired-frame.ts';
import { ProcessRecord } from './process.ts';
import type { TurnRecord } from './records.ts';
import { type OpenTurn, Turns } from './turns.ts';
import { WaitingTime } from './waiting-time.ts';

/** How many records of each type are kept if memory is bounded. */
const MAX_RECORDS = 10_000;

type LedgerEvent<K extends Event['kind']> = Event & { kind: K };

export interface LedgerOptions {
  /** Memory does not grow with the session: only records that later frames may refer to are kept. */
  bounded?: boolean;
  remembered?: number;
  /** Calls keep what their results contain. Default: if memory may grow. */
  contents?: boolean;
}

export class Ledger {
  readonly turns: Turns;
  readonly calls: Calls;
  readonly asks: Asks;
  readonly process = new ProcessRecord();
  readonly counts = { turns: 0, tools: 0, approvals: 0, errors: 0 };
  /** Seconds in which at least one request to the client was open. */
  wait = 0;
  /** When the frame in hand came. */
  t = 0;
  /** One for each event of it, valid until the next frame. */
  notes: readonly Note[] = [];
  readonly #agents: Agents;
  readonly #requests: ClientRequests;
  readonly #singleNote: readonly Note[] = [makeNote()];
  #note: Note = makeNote();

  constructor({ bounded = true, remembered = MAX_RECORDS, contents = !bounded }: LedgerOptions = {}) {
    const limit = bounded ? remembered : Number.POSITIVE_INFINITY;
    this.turns = new Turns(limit);
    this.calls = new Calls(limit, contents);
    const waiting = new WaitingTime((total) => {
      this.wait = total;
    }, limit);
    this.asks = new Asks(this.calls, waiting, limit);
    this.#agents = new Agents(limit, (agent, how) => {
      this.#note.ended = [...this.#note.ended, [agent, how]];
    });
    this.#requests = new ClientRequests(this);
  }

  /** How many records are kept. */
  get retained(): number {
    return this.turns.retained + this.calls.retained + this.asks.retained + this.#agents.retained;
  }

  /** How many records were dropped while they were open. */
  get dropped(): number {
    return this.turns.dropped + this.calls.dropped + this.asks.dropped;
  }

  /** A frame begins. The end of the process ends everything that is open. */
  begin({ frame, events }: PairedFrame): void {
    // One event a frame is the rule, and floods have a million: these share a note.
    if (events.length === 1) {
      clearNote(this.#singleNote[0]!);
      this.notes = this.#singleNote;
    } else this.notes = events.map(makeNote);
    const { changed, forgotten } = this.asks;
    const { cut, adopted } = this.calls;
    // To clear what is empty takes time too.
    if (changed.size > 0) changed.clear();
    if (forgotten.length > 0) forgotten.length = 0;
    if (cut.length > 0) cut.length = 0;
    if (adopted.length > 0) adopted.length = 0;
    this.t = frame.t;
    this.process.take(frame);
    if (frame.event === 'exit' || frame.event === 'lost') this.#endProcess(frame, events[0]);
  }

  /** Takes the events of the current frame in order. */
  take(read: PairedFrame, event: Event, n: number): Note {
    const note = this.notes[n]!;
    this.#note = note;
    if (isReplayed(event)) return note;
    if (event.takes !== undefined) this.#takeUp(event.takes, event, read.frame);
    note.open = this.turns.turnOfEvent(event);
    if (event.joins !== undefined) note.joined = this.turns.joinPrompt(event.joins, note.open) ? event.joins : null;
    note.agent = this.#agentOf(event, note.open);
    this.#markRunning(event, read.frame.f);
    if (event.step) this.#beginStep(note.agent, read.frame.t);
    this.#applyEvent(read, event, n, note, note.agent);
    return note;
  }

  /** The frame ends: all of its events have been taken. */
  end({ frame, message, events }: PairedFrame): void {
    let isError = message.envelope === 'error';
    for (const { kind } of events) if (kind === 'error') isError = true;
    if (isError && !(events[0] && isReplayed(events[0]))) this.counts.errors++;
    if (frame.event === 'eof' && this.process.clientEof?.f === frame.f) this.asks.markGone(frame, 'eof');
  }

  // The process

  #endProcess(frame: Frame, event: Event | undefined): void {
    this.#note = this.notes[0] ?? this.#note;
    this.calls.endProcess();
    if (event?.takes !== undefined) this.#takeUp(event.takes, event, frame);
    this.#endAllTurns(event?.kind === 'process' ? event.ended : undefined);
    const { signal, ending } = this.process;
    const isLost = frame.event === 'lost';
    const isKilled = isLost || signal !== null || (ending?.signal ?? null) !== null;
    this.asks.markGone(frame, isKilled ? 'killed' : 'exited', isLost);
    this.calls.endAll();
  }

  // Agents and steps

  #agentOf(event: Event, open: OpenTurn | null): Agent {
    const { parent, subagent } = event;
    if (parent === undefined && subagent === undefined) return open?.main ?? this.#agents.agentOf(event);
    const agent = this.#agents.agentOf(event);
    if (event.flags?.includes('background')) agent.background = true;
    if (agent.started) return agent;
    const started =
      parent !== undefined
        ? this.calls.latest(parent)
        : agent.background
          ? this.calls.findByResultText(subagent!)
          : null;
    if (started?.announced) agent.started = started;
    return agent;
  }

  #beginStep(agent: Agent, t: number): void {
    this.calls.completeArgs(agent, t);
    agent.beginStep();
  }

  /** A call runs if it reports progress or an agent that it started speaks. */
  #markRunning(event: Event, f: number): void {
    const id = event.kind === 'progress' ? event.call : event.parent;
    if (id === undefined || id === null) return;
    const call = this.calls.latest(id);
    if (!call || call.result) return;
    const before = call.ran_f ?? -1;
    call.ran_f = f;
    for (const ask of call.asks) if (before <= (ask.decided ?? ask).f) this.asks.changed.add(ask);
  }

  #applyEvent(read: PairedFrame, event: Event, n: number, note: Note, agent: Agent): void {
    const { frame } = read;
    // The commonest first.
    switch (event.kind) {
      case 'text':
      case 'thinking':
      case 'status':
      case 'usage':
        return this.calls.completeArgs(agent, frame.t);
      case 'tool-args':
        note.call = this.calls.addArgs(agent, event, frame);
        return;
      case 'tool-call':
        return this.#addCall(read, event, n, note, agent);
      case 'tool-result':
        return this.#addResult(event, frame, note);
      case 'progress':
        note.call = this.calls.findPending(event.call, event);
        return;
      case 'subagent':
        if (event.background) agent.background = true;
        return;
      case 'step-begin':
        return this.#beginStep(agent, frame.t);
      case 'step-end':
      case 'step-interrupted':
        this.calls.completeArgs(agent, frame.t);
        return agent.endStep();
      case 'step-retry':
        return agent.discardStep();
      case 'turn-begin':
        if (event.nested) agent.endStep();
        if (event.own) this.turns.isInOwnTurn = true;
        return;
      case 'turn-end':
        agent.endStep();
        if (!note.open) this.turns.isInOwnTurn = false;
        if (event.ends !== undefined) this.#endAllTurns();
        return;
      case 'prompt':
        if (frame.from === 'client' && read.pairing?.role !== 'asks-again') this.#addPrompt(frame, note);
        return;
      case 'prompt-answer':
        return this.#answerPrompt(event, frame, note);
      default:
        return this.#requests.take(read, event, n, note);
    }
  }

  // Turns

  /** What follows belongs to the turn of this prompt, not to what the agent did outside a turn (rule T6). */
  #addPrompt(frame: Frame, note: Note): void {
    this.turns.addPrompt(frame);
    if (!note.open && !this.turns.isInOwnTurn) this.#agents.end(note.agent!, 'done');
  }

  /** The agent takes up a prompt: its turn begins. */
  #takeUp(prompt: number, event: Event, frame: Frame): void {
    if (this.turns.turnOfPrompt(prompt)) return;
    // Other turns stay open only if the dialect says which turn an event belongs to.
    if (event.within !== prompt) this.#endAllTurns();
    const begun = this.turns.takeUp(prompt, frame);
    this.turns.isInOwnTurn = false;
    this.counts.turns++;
    this.#note.begun = begun;
    const adopted = this.turns.takeFramesOfTurn(prompt);
    if (adopted.length === 0) return;
    this.#note.adopted = new Set(adopted);
    this.asks.adopt(this.#note.adopted, begun);
    this.calls.adopt(this.#note.adopted, begun.turn);
  }

  #answerPrompt(event: LedgerEvent<'prompt-answer'>, { f, t }: Frame, note: Note): void {
    const open = this.turns.turnOfPrompt(event.prompt);
    if (open && !open.turn.answered) {
      const { turn } = open;
      note.answered = open;
      turn.answered = { f, t };
      turn.status = event.status;
      turn.code = event.code;
      this.asks.turnAnswered(turn, { f, t });
      for (const id of event.denied ?? []) this.#markRuledOut(id);
      this.#endTurn(open);
    }
    this.turns.removePrompt(event.prompt);
  }

  /** The agent's own rules refused it without asking, so it never ran. */
  #markRuledOut(id: string): void {
    const call = this.calls.latest(id);
    if (call && call.asks.length === 0) call.run = null;
  }

  #endTurn(open: OpenTurn, status = 'unanswered'): void {
    if (!this.turns.end(open)) return;
    const { turn, main } = open;
    turn.status ??= status;
    const how = endOf(turn);
    this.#agents.end(main, how);
    this.#agents.endTurn(turn, how);
    const isCut = turn.status === 'unanswered' || turn.cancelled_f !== null || /error|cancel/.test(turn.status);
    this.calls.endTurn(turn, isCut ? 'cut' : 'abandoned');
  }

  #endAllTurns(status?: string): void {
    const { open } = this.turns;
    while (open.length > 0) this.#endTurn(open[0]!, status);
  }

  // Calls

  #addCall(read: PairedFrame, event: LedgerEvent<'tool-call'>, n: number, note: Note, agent: Agent): void {
    const { frame } = read;
    this.calls.completeArgs(agent, frame.t);
    if (event.restates) {
      note.call = this.calls.restate(event, frame);
      return;
    }
    this.counts.tools++;
    const call = this.calls.announce(event, n, frame, turnOf(note));
    note.call = call;
    note.isNew = true;
    note.early = this.asks.callAnnounced(call);
    agent.addCall(call);
  }

  #addResult(event: LedgerEvent<'tool-result'>, frame: Frame, note: Note): void {
    const call = this.calls.addResult(event, frame);
    note.call = call;
    if (!call) return;
    this.asks.callEnded(call, frame);
    this.calls.measure(call);
  }
}

export const isReplayed = (event: Event): boolean => event.flags?.includes('replayed') ?? false;

/** How the current step ends when its turn ends. */
function endOf({ is_seen, status, cancelled_f }: TurnRecord): AgentEnd {
  if (status === 'unanswered') return is_seen ? 'cut' : 'done';
  return /cancel/.test(status!) || (cancelled_f !== null && /error/.test(status!)) ? 'cancelled' : 'done';
}
