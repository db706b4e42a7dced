/**
 * What the agent asks its client, from the asking to the settling: sent again, answered, resolved, cancelled, given up. Only
 * what later frames may still change is kept.
 */
import type { Event } from '../core/event.ts';
import { Recent } from '../core/timeline/recent.ts';
import type { ReadFrame } from '../dialects/read.ts';
import { type Call, type Case, makeCase, type Place, type Turn } from './case.ts';
import type { ApprovalRow } from './row.ts';
import type { Answering } from './said.ts';
import { readAnswer } from './said.ts';

const REMEMBERED = 10_000;
/** Bytes of requests that are kept. */
const ROOM = 1 << 26;
/** So many requests of one call. */
const OF_ONE_CALL = 1000;

export class Asked {
  /** By the frames that asked, and by the id that resolutions name. */
  readonly #byFrame = new Recent<number, Case>(REMEMBERED);
  readonly #named = new Recent<string, Case>(REMEMBERED);
  /** All that is kept, the oldest first, with its size. */
  readonly #kept = new Map<Case, number>();
  #room = ROOM;
  /** Hooks that are not resolved, by event and target. */
  readonly #hooks = new Recent<string, Case[]>(REMEMBERED);
  /** Asked while no turn was open. */
  #early: Case[] = [];
  #gone: Case['gone'] = null;
  /** Hears of everything that has changed; `forgets`: of what will change no more, because it is kept no longer. */
  readonly #changes: (one: Case) => void;
  readonly #forgets: (one: Case) => void;

  constructor(changes: (one: Case) => void, forgets: (one: Case) => void) {
    this.#changes = changes;
    this.#forgets = forgets;
  }

  /** The same request sent once more: its row is there already. */
  again({ frame, pairing }: ReadFrame, event: Event & { request: string | null }): boolean {
    if (!event.flags?.includes('resent') && pairing?.role !== 'asks-again') return false;
    const byName = event.request === null ? undefined : this.#named.get(event.request);
    const one = this.#byFrame.get(pairing?.exchange?.askedF ?? -1) ?? byName;
    if (!one) return false;
    if (one.asked.resent.length < OF_ONE_CALL) one.asked.resent.push(frame.f);
    this.#byFrame.set(frame.f, one);
    this.#changes(one);
    return true;
  }

  ask(asked: ApprovalRow, request: string | null, call: Call | null, turn: Turn | null, size: number): Case {
    const one = makeCase(asked);
    Object.assign(one, { call, turn, gone: this.#gone });
    turn?.open.add(one);
    this.#byFrame.set(asked.f, one);
    const name = request ?? asked.request_id;
    if (name !== null) this.#named.set(String(name), one);
    if (call && asked.kind === 'approval') call.asked = one;
    else if (call) {
      const asks = call.asks.size === 0 ? new Set<Case>() : (call.asks as Set<Case>);
      call.asks = asks.add(one);
      if (asks.size > OF_ONE_CALL) asks.delete(asks.keys().next().value!);
    }
    if (asked.kind === 'hook') this.#hook(one, asked);
    if (!turn) this.#early.push(one);
    if (this.#early.length > OF_ONE_CALL) this.#early.shift();
    this.#keep(one, size);
    this.#changes(one);
    return one;
  }

  #hook(one: Case, { action, description, tool }: ApprovalRow): void {
    const key = hookKey(action, tool ?? description);
    const waiting = this.#hooks.get(key);
    if (!waiting) this.#hooks.set(key, [one]);
    else if (waiting.push(one) > OF_ONE_CALL) waiting.shift();
  }

  /** Many are forgotten at a time: to find the oldest takes long where others were deleted before it. */
  #keep(one: Case, size: number): void {
    this.#kept.set(one, size);
    this.#room -= size;
    if (this.#room >= 0 && this.#kept.size <= REMEMBERED) return;
    for (const [oldest, weight] of this.#kept) {
      if ((this.#room >= ROOM / 4 && this.#kept.size <= REMEMBERED * 0.75) || oldest === one) return;
      this.#room += weight;
      this.#forget(oldest);
    }
  }

  #forget(one: Case): void {
    this.#kept.delete(one);
    one.turn?.open.delete(one);
    for (const f of [one.asked.f, ...one.asked.resent]) this.#byFrame.delete(f);
    this.#forgets(one);
  }

  /** Asked after its prompt was sent and before it was taken up: it belongs to that turn (rule T6). */
  adopt(turn: Turn, prompt: number): void {
    for (const one of this.#early) {
      if (one.asked.f < prompt || one.flags.has('background') || one.turn) continue;
      Object.assign(one, { turn, outside: false });
      if (!one.settled) turn.open.add(one);
      this.#changes(one);
    }
    this.#early = [];
  }

  /** The case that an answer belongs to; null if it answers nothing that is known, and then it changes nothing (rule F3). */
  answer(read: ReadFrame, event: Answering): Case | null {
    const { message, pairing } = read;
    const isEnvelope = message.envelope === 'response' || message.envelope === 'error';
    const byName = isEnvelope || event.request === null ? undefined : this.#named.get(event.request);
    const one = pairing?.exchange ? this.#byFrame.get(pairing.exchange.askedF) : byName;
    if (!one || !event.kind.startsWith(one.asked.kind)) return null;
    this.#changes(one);
    if (one.settled) {
      one.flags.add('late-answer');
      return null;
    }
    const said = readAnswer(read, event);
    const isValid = said.decision !== null && !said.failed;
    const counts = one.first === null || (isValid && one.decided === null);
    if (!counts) one.flags.add('duplicate-answer');
    one.first ??= said;
    if (isValid) one.decided ??= said;
    return counts ? one : null;
  }

  named(request: string | null): Case | null {
    return request === null ? null : (this.#named.get(request) ?? null);
  }

  /** The agent says what it made of it. */
  resolve(one: Case, resolved: NonNullable<Case['resolved']>): void {
    if (one.resolved) return;
    one.resolved = resolved;
    this.settle(one, resolved, 'resolved');
    this.#changes(one);
  }

  /** The oldest hook of that event and target that is not resolved. */
  hook(event: string | null, target: string | null): Case | null {
    const waiting = this.#hooks.get(hookKey(event, target)) ?? [];
    for (let one = waiting.shift(); one; one = waiting.shift()) if (!one.settled) return one;
    return null;
  }

  settle(one: Case, { f, t }: Place, how: NonNullable<Case['settled']>['how']): void {
    if (one.settled) return;
    one.settled = { f, t, how };
    one.turn?.open.delete(one);
    this.#changes(one);
  }

  /** A result settles what was asked about its call, and is part of what was. */
  callEnded(call: Call, place: Place): void {
    for (const one of casesOf(call)) {
      this.settle(one, place, 'result');
      this.#changes(one);
    }
  }

  turnAnswered(turn: Turn, place: Place): void {
    for (const one of turn.open) this.settle(one, place, 'turn');
  }

  /** The client cancels what these are about. */
  cancelled(cases: Iterable<Case>, { f, t }: Place): void {
    for (const one of cases) {
      if (one.settled) continue;
      one.cancel ??= { f, t };
      this.#changes(one);
    }
  }

  /** The client or the agent is gone: what is open now is decided by nobody. */
  ends({ f, t }: Place, how: 'eof' | 'killed' | 'exited', isLost = false): void {
    this.#gone ??= { f, t, how, isLost };
    for (const one of this.#kept.keys()) {
      if (one.settled || one.gone) continue;
      one.gone = { f, t, how, isLost };
      this.#changes(one);
    }
  }

  get retained(): number {
    return this.#kept.size + this.#byFrame.size + this.#named.size + this.#hooks.size + this.#early.length;
  }
}

export function casesOf({ asked, asks }: Call): Iterable<Case> {
  return asked ? [asked, ...asks] : asks;
}

const hookKey = (event: string | null, target: string | null) => JSON.stringify([event, target]);
