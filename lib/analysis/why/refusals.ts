/**
 * Errors of the agent that name no request, or one that nobody made, each pinned to the line of the client that it
 * refuses. Agents read lines in order and refuse at once, so the culprit is among the lines since the agent last spoke: a
 * wrong one, or else the last that it has neither answered nor taken up.
 */
import type { Id } from '../../model/id.ts';
import type { FramePosition } from '../../model/ledger/records.ts';
import { LimitedMap } from '../../model/limited-map.ts';
import type { ReadFrame } from '../../model/read-frame.ts';
import { maskAndShorten } from '../../model/text/mask.ts';

export interface LostError extends FramePosition {
  code: number | null;
  text: string;
  /** The line of the client that it refuses, if known. */
  of: number | null;
}

interface SentLine extends FramePosition {
  id: Id;
}

/** Beyond this many, the oldest are dropped. */
const MAX_PENDING_LINES = 1000;
const MAX_TEXT_CHARS = 300;
/** Lines that came together, in seconds from one to the next, are refused in their order. */
const MAX_SECONDS_BETWEEN = 0.1;

export class Refusals {
  readonly #isWrong: (f: number) => boolean;
  /** What the agent may not have read yet, and what it has not answered, by id in any type. */
  #pending: SentLine[] = [];
  readonly #named = new LimitedMap<string, SentLine>(MAX_PENDING_LINES);
  readonly errors: LostError[] = [];

  /** `isWrong`: the client made a mistake in this line. */
  constructor(isWrong: (f: number) => boolean) {
    this.#isWrong = isWrong;
  }

  /** The error that refuses this line. */
  of(f: number): LostError | null {
    return this.errors.find((error) => error.of === f) ?? null;
  }

  /** `isLost`: a request without an id, which agents ignore. A valid answer is not refused either. */
  addSent({ frame: { f, t }, message, pairing }: ReadFrame, isLost: boolean): void {
    const answers = pairing?.role === 'answers' || pairing?.role === 'duplicate';
    if (isLost || (answers && !this.#isWrong(f))) return;
    const sent = { f, t, id: message.id };
    this.#pending.push(sent);
    if (message.id !== null) this.#named.set(String(message.id), sent);
    if (this.#pending.length > MAX_PENDING_LINES) this.#pending.shift();
  }

  /** The agent has answered or taken up this line, so it has read all before it. It may still refuse them by name. */
  dropRead(f: number, answered: Id = null): void {
    const name = String(answered);
    if (answered !== null && this.#named.get(name)?.f === f) this.#named.delete(name);
    if (this.#pending.length > 0) this.#pending = this.#pending.filter((one) => one.f > f);
  }

  /** `lastAgentFrame`: the last line of the agent before this error. */
  addRefusal({ frame: { f, t }, message, events }: ReadFrame, lastAgentFrame: number): void {
    const culprit = this.#culprit(message.id, lastAgentFrame);
    if (culprit) this.#pending = this.#pending.filter((one) => one !== culprit);
    const text = maskAndShorten(events[0]?.text ?? '', MAX_TEXT_CHARS, '');
    this.errors.push({ f, t, code: message.code, text, of: culprit?.f ?? null });
    if (this.errors.length > MAX_PENDING_LINES) this.errors.shift();
  }

  #culprit(id: Id, lastAgentFrame: number): SentLine | undefined {
    const named = id === null ? undefined : this.#named.get(String(id));
    const fresh = this.#pending.filter(({ f }) => f > lastAgentFrame);
    return named ?? this.#wrong(fresh) ?? fresh.at(-1) ?? this.#wrong(this.#pending) ?? this.#pending.at(-1);
  }

  /** The first wrong line of those that came last. */
  #wrong(lines: readonly SentLine[]): SentLine | undefined {
    const wrong = lines.filter(({ f }) => this.#isWrong(f));
    const start = wrong.findLastIndex(({ t }, i) => i === 0 || t - wrong[i - 1]!.t > MAX_SECONDS_BETWEEN);
    return wrong[start];
  }
}
