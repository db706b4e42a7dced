/** Answers what the live agent asks: as the recorded client did, or as the user wants if the tape has no such request. */

import type { JsonObject } from '../../dialects/dialect.ts';
import { refuseMethod, type Traits } from '../../dialects/traits.ts';
import type { Id } from '../../model/id.ts';
import { toJson } from '../../model/message.ts';
import { type Pace, waitFor } from '../../model/pace.ts';
import type { ReadFrame } from '../../model/read-frame.ts';
import type { Difference } from '../compare-lines.ts';
import type { AskPool } from './ask-pool.ts';
import type { RecordedAnswer, RecordedAsk } from './drive-step.ts';
import type { LiveIds } from './live-ids.ts';
import type { AgentDeparture, UnmatchedRequest } from './report.ts';
import { meaningOf, type RequestMeaning, requestName } from './request-meaning.ts';

/** What happens to a request that the tape does not have. */
export type OnUnmatched = 'reject' | 'approve' | 'stop';

export interface Responder {
  /** Sends a recorded answer to a live request. */
  answer(answer: RecordedAnswer, request: ReadFrame): void;
  /** Sends a line that is not on the tape. */
  reply(line: JsonObject, isFramed: boolean): void;
  stop(): void;
  unmatched(entry: UnmatchedRequest): void;
  departed(entry: AgentDeparture): void;
}

/** A live request that has a recorded one, and is not answered yet. */
interface PendingAsk {
  ask: RecordedAsk;
  read: ReadFrame;
  meaning: RequestMeaning;
  since: number;
}

interface RepliesOptions {
  pool: AskPool;
  ids: LiveIds;
  traits: Traits;
  pace: Pace;
  onUnmatched: OnUnmatched;
  /** Reads more of the tape; false if there is no more for now. */
  readOn(): boolean;
}

/** What `toJson` makes of it. */
const TOO_DEEP_TEXT = '…';
const refuseAny = refuseMethod('Method not found');

export class Replies {
  /** All requests that are not answered yet, by the recorded one. */
  readonly #open = new Map<RecordedAsk, PendingAsk>();
  /** Those whose answer is known. Often most have none, and are not to be looked at again with every line. */
  readonly #pending = new Set<PendingAsk>();
  /** Answered requests that the recorded agent sent more than once. */
  readonly #maySendAgain = new Map<Id, RecordedAsk>();
  readonly #options: RepliesOptions;
  readonly #responder: Responder;

  constructor(options: RepliesOptions, to: Responder) {
    this.#options = options;
    this.#responder = to;
  }

  /** The live agent asks. `n`: the number of its line. */
  handleRequest(read: ReadFrame, n: number, now: number): void {
    const { pool, ids, readOn } = this.#options;
    const meaning = meaningOf(read);
    if (this.#isRepeated(read)) return;
    let ask = pool.take(meaning, read.value);
    while (!ask && readOn()) ask = pool.take(meaning, read.value);
    if (!ask) return this.#unmatched(read, meaning, n);
    ask.state = 'asked';
    ids.pair(ask.value, read.value, false);
    const pending = { ask, read, meaning, since: now };
    this.#open.set(ask, pending);
    if (ask.answer) this.#pending.add(pending);
  }

  /** The tape is read as far as the answer of a request. */
  recordedAnswerRead(ask: RecordedAsk): void {
    const pending = this.#open.get(ask);
    if (pending) this.#pending.add(pending);
  }

  /** Requests without an answer, as the agent sent them. */
  get open(): Iterable<ReadFrame> {
    return [...this.#open.values()].map(({ read }) => read);
  }

  /**
   * Sends the answers that are due and returns when to look again; null if no answer is waited with. `stuckAt`: when an
   * answer that waits for something else must not wait any longer.
   */
  send(now: number, stuckAt: number): number | null {
    let next: number | null = null;
    for (const pending of this.#pending) {
      const answer = pending.ask.answer!;
      const due = pending.since + waitFor(answer.gap, this.#options.pace).seconds;
      const at = isHeld(pending, answer) ? Math.max(due, stuckAt) : due;
      if (at > now) next = Math.min(next ?? at, at);
      else this.#answer(pending, answer);
    }
    return next;
  }

  /** The agent sent a request again, as it did on the tape, and our answer came in between. */
  #isRepeated({ message }: ReadFrame): boolean {
    const ask = this.#maySendAgain.get(message.id);
    if (!ask) return false;
    if (--ask.again === 0) this.#maySendAgain.delete(message.id);
    return true;
  }

  #answer(pending: PendingAsk, answer: RecordedAnswer): void {
    const { ask, read, meaning } = pending;
    this.#pending.delete(pending);
    this.#open.delete(ask);
    ask.state = 'answered';
    if (ask.again > 0) this.#maySendAgain.set(read.message.id, ask);
    if (!answer.isLate && read.ledger.asks.findByFrame(read.frame.f)?.settled?.how === 'withdrawn')
      return this.#responder.departed({ f: ask.f, what: `${requestName(meaning)}: withdrawn before it was answered` });
    const { option, decision } = answer;
    const chosen = ({ options }: RequestMeaning) => options.find(({ id }) => id === option);
    const [then, now] = [chosen(ask.meaning), chosen(meaning)];
    // What was not offered on the tape either is sent as it was. The same id may mean something else.
    if (!then || (now && now.decision === then.decision)) return this.#responder.answer(answer, read);
    const what = `${requestName(meaning)}: option ${option} now means something else, so the option with the recorded meaning is chosen`;
    this.#responder.departed({ f: answer.f, what });
    this.#reply(read, decision === 'allow' || decision === 'allow-always');
  }

  #unmatched(read: ReadFrame, meaning: RequestMeaning, n: number): void {
    const { pool, onUnmatched } = this.#options;
    const nearest = pool.nearest(meaning);
    const answer = onUnmatched === 'stop' ? 'stopped' : onUnmatched === 'approve' ? 'approved' : 'rejected';
    this.#responder.unmatched({
      f: n,
      kind: meaning.kind,
      what: `${requestName(meaning)}${detailText(meaning)}`,
      answer,
      nearest_f: nearest?.ask.f ?? null,
      differences: (nearest?.differences ?? []).map(withoutDeepValues),
    });
    if (onUnmatched === 'stop') return this.#responder.stop();
    this.#reply(read, onUnmatched === 'approve');
  }

  #reply({ frame, value, message }: ReadFrame, isYes: boolean): void {
    const { traits } = this.#options;
    const request = value as JsonObject;
    const line = isYes ? (traits.reply(request)?.line ?? null) : traits.decline(request);
    const { refuse = refuseAny } = traits.replay;
    // An answer may repeat what was asked.
    const isUsable = line !== null && toJson(line) !== TOO_DEEP_TEXT;
    this.#responder.reply(
      isUsable ? line : refuse(message.id!, message.method ?? message.type ?? ''),
      frame.head !== undefined,
    );
  }
}

/** What came between the question and its answer has not come yet. */
function isHeld({ read: { ledger, frame } }: PendingAsk, { after, isLate }: RecordedAnswer): boolean {
  return after?.state === 'waiting' || (isLate && ledger.asks.findByFrame(frame.f)?.settled === null);
}

/** What it is about, in a few words. */
function detailText({ about }: RequestMeaning): string {
  const { description, arguments: args, called_with, questions } = about;
  if (typeof description === 'string') return `: ${description}`;
  const values = args ?? called_with ?? questions ?? null;
  return values === null ? '' : ` ${toJson(values)}`;
}

/** Without what is nested too deep for a report. */
function withoutDeepValues({ path, recorded, live }: Difference): Difference {
  const kept = (value: unknown) => (toJson(value) === TOO_DEEP_TEXT ? TOO_DEEP_TEXT : value);
  return { path, recorded: kept(recorded), live: kept(live) };
}
