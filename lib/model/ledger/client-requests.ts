/** Requests of the agent to its client: which call waits for them, and what answers, resolves or cancels them. */
import type { Event } from '../event.ts';
import type { AnswerEvent, HookAnswerEvent } from './answer.ts';
import type { Asks } from './asks.ts';
import type { Calls } from './calls.ts';
import type { Ledger } from './ledger.ts';
import { makeAsk } from './make-ask.ts';
import { type Note, turnOf } from './note.ts';
import type { PairedFrame } from './paired-frame.ts';
import type { ProcessRecord } from './process.ts';
import { AMBIGUOUS, type Ask, type AskEvent, type Call, type FramePosition, type TurnRecord } from './records.ts';
import type { Turns } from './turns.ts';

type RequestEvent<K extends Event['kind']> = Event & { kind: K };

export class ClientRequests {
  readonly #turns: Turns;
  readonly #calls: Calls;
  readonly #asks: Asks;
  readonly #process: ProcessRecord;
  readonly #counts: Ledger['counts'];

  constructor({
    turns,
    calls,
    asks,
    process,
    counts,
  }: Pick<Ledger, 'turns' | 'calls' | 'asks' | 'process' | 'counts'>) {
    this.#turns = turns;
    this.#calls = calls;
    this.#asks = asks;
    this.#process = process;
    this.#counts = counts;
  }

  take(read: PairedFrame, event: Event, n: number, note: Note): void {
    switch (event.kind) {
      case 'approval':
      case 'question':
      case 'client-call':
        return this.#addAsk(read, event, n, note);
      case 'hook':
        // Without a request, the agent runs the hook itself and only reports it.
        return read.pairing ? this.#addAsk(read, event, n, note) : undefined;
      case 'approval-answer':
      case 'question-answer':
      case 'client-call-answer':
      case 'hook-answer':
        return this.#applyAnswer(read, event, note);
      case 'approval-resolved':
        note.ask = this.#asks.findByRequest(event.request);
        if (note.ask) this.#asks.resolve(note.ask, read.frame, event.decision, event.feedback);
        return;
      case 'hook-resolved':
        return this.#resolveHook(read, event, note);
      case 'cancel':
        return this.#applyCancel(read, event, note);
      default:
    }
  }

  #addAsk(read: PairedFrame, event: AskEvent, n: number, note: Note): void {
    const { frame, message } = read;
    note.ask = this.#asks.findResent(read, event);
    if (note.ask) return;
    if (event.kind === 'approval' && !event.flags?.includes('resent')) this.#counts.approvals++;
    const turn = turnOf(note);
    const call = this.#findCall(event, n, frame, turn);
    if (call?.announced) call.ready ??= frame.t;
    const ask = makeAsk(event, n, frame, message.id, call);
    if (event.kind === 'approval') this.#applyApproval(event, ask, call);
    const agent = note.agent!;
    ask.turn = call?.announced ? call.turn : turn;
    ask.outside = this.#turns.open.length === 0 && !this.#turns.isInOwnTurn;
    ask.dead = ask.turn !== null && ask.turn.status !== null;
    ask.background = agent.background;
    // A recorder that saw the process would also have seen lines of the client.
    ask.hasClientSide = this.#process.hasSentLine.client || this.#process.spawn !== null;
    note.ask = ask;
    note.call = call?.announced ? call : null;
    note.isNew = true;
    this.#asks.add(ask, read, this.#turns.open.find((open) => open.turn === ask.turn) ?? null);
    if (agent.call && agent.call !== call) agent.held ??= ask;
  }

  /** Takes what it says about its call. If it names none and several fit, nobody knows which one it is about. */
  #applyApproval({ subject, flags, others = [] }: RequestEvent<'approval'>, ask: Ask, call: Call | null): void {
    if (call && subject !== undefined) call.subject = subject;
    if (flags?.includes(AMBIGUOUS)) ask.flags.add(AMBIGUOUS);
    for (const id of others) {
      const other = this.#calls.latestAnnounced(id);
      if (other) other.isAmbiguous = true;
    }
  }

  /** The call that waits for this request (rules C2 and W3). */
  #findCall(event: AskEvent, n: number, place: FramePosition, turn: TurnRecord | null): Call | null {
    const calls = this.#calls;
    if (event.kind === 'hook') return event.call ? calls.latest(event.call) : calls.latestOfTool(event.target);
    if (event.call === null) return event.kind === 'approval' ? null : this.#onlyOpenCall(event);
    const known = event.kind === 'approval' ? calls.findUnasked(event.call) : calls.findPending(event.call, event);
    const call = known ?? calls.expect(event.call, n, place, turn);
    if (event.kind === 'client-call') call.client_runs = true;
    return call;
  }

  /** Without turns, the only open call waits for it. No call waits for `roots/list`. */
  #onlyOpenCall(event: AskEvent): Call | null {
    const isApart = this.#turns.count > 0 || (event.kind === 'client-call' && event.what === 'roots/list');
    return isApart ? null : this.#calls.onlyOpenCall;
  }

  #applyAnswer(read: PairedFrame, event: AnswerEvent, note: Note): void {
    note.ask = this.#asks.findAnswered(read, event);
    if (note.ask) note.late = this.#asks.addAnswer(note.ask, read, event);
  }

  #resolveHook({ frame }: PairedFrame, event: HookAnswerEvent, note: Note): void {
    note.ask = this.#asks.takeOldestHook(event.event, event.target);
    if (event.decision === 'deny') this.#calls.block(event.target);
    if (note.ask) this.#asks.resolve(note.ask, frame, event.decision, event.reason);
  }

  #applyCancel({ frame, pairing }: PairedFrame, event: RequestEvent<'cancel'>, note: Note): void {
    if (frame.from === 'agent') {
      note.ask = this.#asks.findByRequest(event.of);
      if (note.ask) this.#asks.settle(note.ask, frame, 'withdrawn');
      return;
    }
    if (pairing !== null && pairing.role !== 'asks') return;
    if (event.of === null) {
      const turn = note.open?.turn;
      if (!turn) return;
      turn.cancelled_f ??= frame.f;
      return this.#asks.cancelAll(this.#asks.openIn(turn), frame);
    }
    note.call = this.#calls.findPending(event.of, event);
    if (note.call) note.call.withdrawn = true;
    this.#asks.cancelAll(this.#calls.latest(event.of)?.asks ?? [], frame);
  }
}
