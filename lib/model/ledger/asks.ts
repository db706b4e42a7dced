/**
 * What an agent asks its client: approvals, questions, client calls and hooks, from the request until it is settled.
 * They may be sent again, answered, resolved, cancelled or abandoned (rules A1-A4 and W1).
 */
import type { Decision } from '../event.ts';
import { sizeOf } from '../frame.ts';
import { LimitedMap } from '../limited-map.ts';
import { type AnswerEvent, readAnswer } from './answer.ts';
import type { Calls } from './calls.ts';
import type { PairedFrame } from './paired-frame.ts';
import {
  type Ask,
  type AskEvent,
  type Call,
  type FramePosition,
  isAllowed,
  isOpenAsk,
  type TurnRecord,
} from './records.ts';
import { SizeLimitedSet } from './size-limited-set.ts';
import type { OpenTurn } from './turns.ts';
import type { WaitingTime } from './waiting-time.ts';

/** How many bytes of requests are kept if memory is bounded. */
const MAX_ASKS_BYTES = 1 << 26;
/** How many requests of one call are kept, and how many repetitions of one request. */
const MAX_ASKS_PER_CALL = 1000;

/** Why an answer does not count, or counts after another one; null for the first answer in time. */
export type Lateness = 'late-answer' | 'answered-again' | 'duplicate-answer' | null;

export class Asks {
  readonly #calls: Calls;
  /** By the frames that asked, and by the id that answers and resolutions name. */
  readonly #byFrame: LimitedMap<number, Ask>;
  readonly #named: LimitedMap<string, Ask>;
  /** Not settled by a result, a resolution or the answer to the turn (rule A1). With the waits that they count in. */
  readonly #open: LimitedMap<Ask, WaitingTime[]>;
  /** All that may still be answered, settled or not, with its size, the oldest first. */
  readonly #kept: SizeLimitedSet<Ask>;
  /** Hooks that are not resolved, by event and target. */
  readonly #hooks: LimitedMap<string, Ask[]>;
  readonly #waiting: WaitingTime;
  #gone: Ask['gone'] = null;
  /** What this frame changed, and what was dropped with it and can no longer change. */
  readonly changed = new Set<Ask>();
  readonly forgotten: Ask[] = [];

  /** `waiting`: the session's. */
  constructor(calls: Calls, waiting: WaitingTime, limit: number) {
    this.#calls = calls;
    this.#waiting = waiting;
    this.#byFrame = new LimitedMap(limit, isOpenAsk);
    this.#named = new LimitedMap(limit, isOpenAsk);
    this.#open = new LimitedMap(limit);
    this.#hooks = new LimitedMap(limit);
    this.#kept = new SizeLimitedSet(limit, MAX_ASKS_BYTES, isOpenAsk, (ask) => this.#forget(ask));
  }

  /** The same request sent again (rule R2). */
  findResent({ frame, pairing }: PairedFrame, event: AskEvent): Ask | null {
    if (!event.flags?.includes('resent') && pairing?.role !== 'asks-again') return null;
    const ask = this.#byFrame.get(pairing?.exchange?.askedF ?? -1) ?? this.findByRequest(event.request);
    if (!ask) return null;
    if (ask.resent.length < MAX_ASKS_PER_CALL) ask.resent.push(frame.f);
    this.#byFrame.set(frame.f, ask);
    this.changed.add(ask);
    return ask;
  }

  add(ask: Ask, { frame }: PairedFrame, open: OpenTurn | null): void {
    ask.gone = this.#gone;
    const waiting = open ? [this.#waiting, open.waiting] : [this.#waiting];
    this.#open.set(ask, waiting);
    for (const one of waiting) one.open(ask);
    this.#byFrame.set(ask.f, ask);
    const name = ask.request ?? ask.id;
    if (name !== null) this.#named.set(String(name), ask);
    if (ask.call) this.#bindToCall(ask.call, ask);
    if (ask.kind === 'hook') this.#addHook(ask);
    if (ask.gone) this.#measure(ask);
    this.#kept.keep(ask, sizeOf(frame));
    this.changed.add(ask);
  }

  #addHook(ask: Ask): void {
    const key = hookKey(ask.action, ask.target);
    const waiting = this.#hooks.get(key);
    if (!waiting) this.#hooks.set(key, [ask]);
    else if (waiting.push(ask) > MAX_ASKS_PER_CALL) waiting.shift();
  }

  #bindToCall(call: Call, ask: Ask): void {
    if (call.asks.push(ask) > MAX_ASKS_PER_CALL) call.asks.shift();
    this.#calls.measure(call);
  }

  /** A call is announced after something was asked about it (rule C2). */
  callAnnounced(call: Call): Ask[] {
    const early = call.asks.filter(({ bound }) => !bound);
    for (const ask of early) {
      ask.bound = true;
      ask.turn = call.turn;
      ask.subagent ??= call.subagent;
      ask.flags.add('before-call');
      this.changed.add(ask);
    }
    if (early.length > 0) this.#calls.measure(call);
    return early;
  }

  #forget(ask: Ask): void {
    this.#open.delete(ask);
    for (const f of [ask.f, ...ask.resent]) this.#byFrame.delete(f);
    this.changed.delete(ask);
    this.forgotten.push(ask);
  }

  /** Requests made after the prompt was sent, and before it was taken up, belong to its turn (rule T6). */
  adopt(frames: ReadonlySet<number>, { turn, waiting }: OpenTurn): void {
    const adopted: Ask[] = [];
    for (const f of frames) {
      const ask = this.#byFrame.get(f);
      if (ask && ask.f === f && !ask.turn && !ask.background) adopted.push(ask);
    }
    // Open all before closing any, or overlapping waits count twice.
    for (const ask of adopted) waiting.open(ask);
    for (const ask of adopted) {
      const open = this.#open.get(ask);
      open?.push(waiting);
      if (ask.wait !== null) waiting.close(ask, endOf(ask));
      Object.assign(ask, { turn, outside: false });
      if (ask.call && !ask.call.announced) ask.call.turn = turn;
      this.changed.add(ask);
    }
  }

  /** What an answer belongs to; null if it matches nothing, in which case it changes nothing (rule F3). */
  findAnswered({ message, pairing }: PairedFrame, event: AnswerEvent): Ask | null {
    const isEnvelope = message.envelope === 'response' || message.envelope === 'error';
    const named = isEnvelope ? null : this.findByRequest(event.request);
    const ask = pairing?.exchange ? this.#byFrame.get(pairing.exchange.askedF) : named;
    return ask && event.kind.startsWith(ask.kind) ? ask : null;
  }

  /** The first valid answer before the request is settled decides; without one, the first answer counts (rule A2). */
  addAnswer(ask: Ask, read: PairedFrame, event: AnswerEvent): Lateness {
    this.changed.add(ask);
    if (ask.settled) return this.#markLate(ask, 'late-answer');
    const answer = readAnswer(read, event);
    const isValid = answer.decision !== null && !answer.failed;
    if (ask.decided || (ask.first && !isValid)) return this.#markLate(ask, 'duplicate-answer');
    const isAgain = ask.first !== null;
    ask.first ??= answer;
    if (isValid) ask.decided = answer;
    if ('decision' in event) ask.decision = answer.decision;
    if ('feedback' in event) ask.feedback = event.feedback;
    if ('reason' in event) ask.feedback = event.reason;
    if ('edited' in event) ask.edited = event.edited;
    if ('answers' in event) ask.answers = event.answers;
    this.#measure(ask);
    return isAgain ? 'answered-again' : null;
  }

  #markLate(ask: Ask, how: 'late-answer' | 'duplicate-answer'): Lateness {
    ask.flags.add(how);
    return how;
  }

  /** What this frame asks, for the first time or again; null if nothing. */
  findByFrame(f: number): Ask | null {
    return this.#byFrame.get(f) ?? null;
  }

  findByRequest(request: string | null): Ask | null {
    return request === null ? null : (this.#named.get(request) ?? null);
  }

  /** The agent reports what it made of the answer. */
  resolve(ask: Ask, { f, t }: FramePosition, decision: Decision | null, feedback: string | null): void {
    if (ask.resolved) return;
    ask.resolved = { f, t, decision, feedback };
    // A log without the client's side has the agent's word for its decision (rule A10).
    if (!ask.hasClientSide && !ask.first) ask.decision = decision;
    this.settle(ask, { f, t }, 'resolved');
    this.changed.add(ask);
  }

  /** The oldest unsettled hook with that event and target. */
  takeOldestHook(event: string | null, target: string | null): Ask | null {
    const waiting = this.#hooks.get(hookKey(event, target)) ?? [];
    for (let ask = waiting.shift(); ask; ask = waiting.shift()) if (!ask.settled) return ask;
    return null;
  }

  settle(ask: Ask, { f, t }: FramePosition, how: NonNullable<Ask['settled']>['how']): void {
    if (ask.settled) return;
    ask.settled = { f, t, how };
    this.#measure(ask);
    this.#open.delete(ask);
    this.changed.add(ask);
  }

  /** A result settles what was asked about its call. It also changes what was settled before. */
  callEnded(call: Call, place: FramePosition): void {
    for (const ask of call.asks) {
      this.settle(ask, place, 'result');
      this.changed.add(ask);
    }
  }

  /** The answer to a prompt settles what was asked in its turn. */
  turnAnswered(turn: TurnRecord, place: FramePosition): void {
    for (const ask of this.openIn(turn)) this.settle(ask, place, 'turn');
  }

  /** The client cancels the turn or call of these. It may still answer, but the wait is over (rule A4). */
  cancelAll(asks: Iterable<Ask>, { f, t }: FramePosition): void {
    for (const ask of asks) {
      if (ask.settled) continue;
      ask.cancel ??= { f, t };
      if (ask.kind === 'approval' && !ask.first && !isAllowed(ask.resolved?.decision)) ask.decision = 'cancelled';
      this.#measure(ask);
      this.changed.add(ask);
    }
  }

  /** Not settled, the oldest first. */
  get open(): Iterable<Ask> {
    return this.#open.keys();
  }

  openIn(turn: TurnRecord): Ask[] {
    return [...this.#open.keys()].filter((ask) => ask.turn === turn);
  }

  /** The client or the agent is gone: nobody decides what is still open. */
  markGone({ f, t }: FramePosition, how: 'eof' | 'killed' | 'exited', isLost = false): void {
    const gone = { f, t, how, is_lost: isLost };
    this.#gone ??= gone;
    for (const ask of this.#open.keys()) {
      if (ask.gone) continue;
      ask.gone = gone;
      this.#measure(ask);
      this.changed.add(ask);
    }
  }

  /** Seconds until the deciding answer, or else what replaced it first. A killed recorder saw no end (rule W1). */
  #measure(ask: Ask): void {
    const answer = ask.decided ?? ask.first;
    const gone = ask.gone?.is_lost ? null : ask.gone;
    const end = answer ?? earlier(earlier(ask.cancel, ask.settled), gone);
    const before = ask.wait;
    if (end) ask.wait = Math.max(0, end.t - ask.t);
    if (ask.wait !== before) this.#updateWaits(ask, before);
    if (ask.call) this.#calls.measure(ask.call);
  }

  /** The wait is over, or it was longer than first thought, because an invalid answer or a cancel did not end it. */
  #updateWaits(ask: Ask, before: number | null): void {
    for (const one of this.#open.get(ask) ?? []) {
      if (before === null) one.close(ask, endOf(ask));
      else one.add({ f: ask.f, t: ask.t + before }, endOf(ask));
    }
  }

  get dropped(): number {
    return this.#open.forgotten;
  }

  get retained(): number {
    const maps = this.#byFrame.size + this.#named.size + this.#open.size + this.#hooks.size;
    return maps + this.#kept.size + this.#waiting.retained;
  }
}

function earlier(a: FramePosition | null, b: FramePosition | null): FramePosition | null {
  return a && b ? (b.t < a.t ? b : a) : (a ?? b);
}

const endOf = ({ t, wait }: Ask) => t + (wait ?? 0);

const hookKey = (event: string | null, target: string | null) => JSON.stringify([event, target]);
