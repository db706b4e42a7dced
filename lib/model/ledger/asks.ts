/**
 * What an agent asks its client: approvals, questions, client calls and hooks, from the request until it is settled.
 * They may be sent again, answered, resolved, cancelled or abandoned (rules A1-A4 and W1).
 */
import type { Decision } from '../event.ts';
import { sizeOf } from '../frame.ts';
import { Recent } from '../recent.ts';
import { type Answering, readAnswer } from './answer.ts';
import type { Calls } from './calls.ts';
import type { Reading } from './reading.ts';
import { type Ask, type Asking, type Call, isOpenAsk, isYes, type Place, type TurnRecord } from './records.ts';
import { Room } from './room.ts';
import type { OpenTurn } from './turns.ts';
import type { Waiting } from './waiting.ts';

/** How many bytes of requests are kept if memory is bounded. */
const ROOM = 1 << 26;
/** How many requests of one call are kept, and how many repetitions of one request. */
const MOST = 1000;

/** Why an answer does not count, or counts after another one; null for the first answer in time. */
export type Lateness = 'late-answer' | 'answered-again' | 'duplicate-answer' | null;

export class Asks {
  readonly #calls: Calls;
  /** By the frames that asked, and by the id that answers and resolutions name. */
  readonly #byFrame: Recent<number, Ask>;
  readonly #named: Recent<string, Ask>;
  /** Not settled by a result, a resolution or the answer to the turn (rule A1). With the waits that they count in. */
  readonly #open: Recent<Ask, Waiting[]>;
  /** All that may still be answered, settled or not, with its size, the oldest first. */
  readonly #kept: Room<Ask>;
  /** Hooks that are not resolved, by event and target. */
  readonly #hooks: Recent<string, Ask[]>;
  readonly #waiting: Waiting;
  #gone: Ask['gone'] = null;
  /** What this frame changed, and what was dropped with it and can no longer change. */
  readonly changed = new Set<Ask>();
  readonly forgotten: Ask[] = [];

  /** `waiting`: the session's. */
  constructor(calls: Calls, waiting: Waiting, limit: number) {
    this.#calls = calls;
    this.#waiting = waiting;
    this.#byFrame = new Recent(limit, isOpenAsk);
    this.#named = new Recent(limit, isOpenAsk);
    this.#open = new Recent(limit);
    this.#hooks = new Recent(limit);
    this.#kept = new Room(limit, ROOM, isOpenAsk, (ask) => this.#forget(ask));
  }

  /** The same request sent again (rule R2). */
  again({ frame, pairing }: Reading, event: Asking): Ask | null {
    if (!event.flags?.includes('resent') && pairing?.role !== 'asks-again') return null;
    const ask = this.#byFrame.get(pairing?.exchange?.askedF ?? -1) ?? this.named(event.request);
    if (!ask) return null;
    if (ask.resent.length < MOST) ask.resent.push(frame.f);
    this.#byFrame.set(frame.f, ask);
    this.changed.add(ask);
    return ask;
  }

  add(ask: Ask, { frame }: Reading, open: OpenTurn | null): void {
    ask.gone = this.#gone;
    const waiting = open ? [this.#waiting, open.waiting] : [this.#waiting];
    this.#open.set(ask, waiting);
    for (const one of waiting) one.opens(ask);
    this.#byFrame.set(ask.f, ask);
    const name = ask.request ?? ask.id;
    if (name !== null) this.#named.set(String(name), ask);
    if (ask.call) this.#bind(ask.call, ask);
    if (ask.kind === 'hook') this.#hook(ask);
    if (ask.gone) this.#measure(ask);
    this.#kept.keep(ask, sizeOf(frame));
    this.changed.add(ask);
  }

  #hook(ask: Ask): void {
    const key = hookKey(ask.action, ask.target);
    const waiting = this.#hooks.get(key);
    if (!waiting) this.#hooks.set(key, [ask]);
    else if (waiting.push(ask) > MOST) waiting.shift();
  }

  #bind(call: Call, ask: Ask): void {
    if (call.asks.push(ask) > MOST) call.asks.shift();
    this.#calls.measure(call);
  }

  /** A call is announced after something was asked about it (rule C2). */
  announced(call: Call): Ask[] {
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
    for (const ask of adopted) waiting.opens(ask);
    for (const ask of adopted) {
      const open = this.#open.get(ask);
      open?.push(waiting);
      if (ask.wait !== null) waiting.closes(ask, endOf(ask));
      Object.assign(ask, { turn, outside: false });
      if (ask.call && !ask.call.announced) ask.call.turn = turn;
      this.changed.add(ask);
    }
  }

  /** What an answer belongs to; null if it matches nothing, in which case it changes nothing (rule F3). */
  answeredBy({ message, pairing }: Reading, event: Answering): Ask | null {
    const isEnvelope = message.envelope === 'response' || message.envelope === 'error';
    const byName = isEnvelope ? null : this.named(event.request);
    const ask = pairing?.exchange ? this.#byFrame.get(pairing.exchange.askedF) : byName;
    return ask && event.kind.startsWith(ask.kind) ? ask : null;
  }

  /** The first valid answer before the request is settled decides; without one, the first answer counts (rule A2). */
  answer(ask: Ask, read: Reading, event: Answering): Lateness {
    this.changed.add(ask);
    if (ask.settled) return this.#late(ask, 'late-answer');
    const answer = readAnswer(read, event);
    const isValid = answer.decision !== null && !answer.failed;
    if (ask.decided || (ask.first && !isValid)) return this.#late(ask, 'duplicate-answer');
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

  #late(ask: Ask, how: 'late-answer' | 'duplicate-answer'): Lateness {
    ask.flags.add(how);
    return how;
  }

  /** What this frame asks, for the first time or again; null if nothing. */
  at(f: number): Ask | null {
    return this.#byFrame.get(f) ?? null;
  }

  named(request: string | null): Ask | null {
    return request === null ? null : (this.#named.get(request) ?? null);
  }

  /** The agent reports what it made of the answer. */
  resolve(ask: Ask, { f, t }: Place, decision: Decision | null, feedback: string | null): void {
    if (ask.resolved) return;
    ask.resolved = { f, t, decision, feedback };
    // A log without the client's side has the agent's word for its decision (rule A10).
    if (!ask.heard && !ask.first) ask.decision = decision;
    this.settle(ask, { f, t }, 'resolved');
    this.changed.add(ask);
  }

  /** The oldest unsettled hook with that event and target. */
  hook(event: string | null, target: string | null): Ask | null {
    const waiting = this.#hooks.get(hookKey(event, target)) ?? [];
    for (let ask = waiting.shift(); ask; ask = waiting.shift()) if (!ask.settled) return ask;
    return null;
  }

  settle(ask: Ask, { f, t }: Place, how: NonNullable<Ask['settled']>['how']): void {
    if (ask.settled) return;
    ask.settled = { f, t, how };
    this.#measure(ask);
    this.#open.delete(ask);
    this.changed.add(ask);
  }

  /** A result settles what was asked about its call. It also changes what was settled before. */
  callEnded(call: Call, place: Place): void {
    for (const ask of call.asks) {
      this.settle(ask, place, 'result');
      this.changed.add(ask);
    }
  }

  /** The answer to a prompt settles what was asked in its turn. */
  turnAnswered(turn: TurnRecord, place: Place): void {
    for (const ask of this.openIn(turn)) this.settle(ask, place, 'turn');
  }

  /** The client cancels the turn or call of these. It may still answer, but the wait is over (rule A4). */
  cancelled(asks: Iterable<Ask>, { f, t }: Place): void {
    for (const ask of asks) {
      if (ask.settled) continue;
      ask.cancel ??= { f, t };
      if (ask.kind === 'approval' && !ask.first && !isYes(ask.resolved?.decision)) ask.decision = 'cancelled';
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
  gone({ f, t }: Place, how: 'eof' | 'killed' | 'exited', isLost = false): void {
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
    if (ask.wait !== before) this.#waited(ask, before);
    if (ask.call) this.#calls.measure(ask.call);
  }

  /** The wait is over, or it was longer than first thought, because an invalid answer or a cancel did not end it. */
  #waited(ask: Ask, before: number | null): void {
    for (const one of this.#open.get(ask) ?? []) {
      if (before === null) one.closes(ask, endOf(ask));
      else one.adds({ f: ask.f, t: ask.t + before }, endOf(ask));
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

function earlier(a: Place | null, b: Place | null): Place | null {
  return a && b ? (b.t < a.t ? b : a) : (a ?? b);
}

const endOf = ({ t, wait }: Ask) => t + (wait ?? 0);

const hookKey = (event: string | null, target: string | null) => JSON.stringify([event, target]);
