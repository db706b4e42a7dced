/** What a query is asked of. Whoever has frames, from the index, from a tape or live, makes these. */
import type { Kind } from '../core/event.ts';
import type { From } from '../core/frame.ts';
import type { Envelope } from '../core/message.ts';

export interface SessionFacts {
  readonly session: string;
  readonly dialect: string | null;
  readonly client: string | null;
  readonly agent: string | null;
  readonly protocol: string | null;
  readonly agent_version: string | null;
  readonly name: string | null;
  readonly tags: Readonly<Record<string, string>>;
  readonly state: string;
  readonly exit: { readonly code: number | null; readonly signal: string | null } | null;
  readonly source: string;
  readonly cwd: string;
}

export interface FrameFacts {
  readonly session: SessionFacts;
  readonly f: number;
  /** Seconds since the session started. */
  readonly t: number;
  /** Microseconds since the epoch. */
  readonly at: number;
  readonly from: From;
  readonly envelope: Envelope;
  readonly kinds: readonly Kind[];
  readonly method: string | null;
  readonly type: string | null;
  /** Any JSON value; null and undefined are no id. */
  readonly id: unknown;
  readonly tool: string | null;
  readonly turn: number | null;
  readonly step: number | null;
  readonly subagent: string | null;
  readonly status: string | null;
  readonly code: number | null;
  /** Bytes of the line. */
  readonly size: number;
  /** Seconds from request to answer; of both frames. */
  readonly latency: number | null;
  /** Seconds that somebody waited for the decision; of an approval and its answer. */
  readonly wait: number | null;
  /** Seconds since the frame before, of whatever stream. */
  readonly gap: number | null;
  /** A decision of the audit. */
  readonly approval: string | null;
  readonly by: string | null;
  /** A set of `MARKS`. */
  readonly marks: number;
  /** The JSON of its line; undefined if it is none. Asked only by paths, so it may parse when asked. */
  message(): unknown;
  /** Whether its decoded text contains this, which is in lower case. */
  says(text: string | RegExp): boolean;
}

/** An answer that took so many seconds is `is:slow`. */
export const SLOW_SECONDS = 10;

export interface Mark {
  word: string;
  bit: number;
  of: 'is' | 'has';
  help: string;
}

/** What may be said of a frame with `is:` and `has:`. Bits are stored: new ones come last. */
export const MARKS = [
  mark('is', 'error', 0, 'an error, an error as answer, or a result or a turn that failed'),
  mark('is', 'pending', 1, 'a request that nobody has answered'),
  mark('is', 'orphan', 2, 'an answer to what nobody asked'),
  mark('is', 'late', 3, 'an answer that came after its matter was settled'),
  mark('is', 'dup', 4, 'a second answer to the same request, or the same request again'),
  mark('is', 'replayed', 5, 'sent again from an earlier session or by a replay'),
  mark('is', 'noise', 6, 'a line where a message should stand'),
  mark('is', 'invalid', 7, 'not as the protocol has it: bytes that are no UTF-8, an answer of the wrong shape'),
  mark('is', 'slow', 8, `an exchange that took ${SLOW_SECONDS} seconds or more`),
  mark('is', 'delta', 9, 'a part of a streamed text'),
  mark('is', 'synthetic', 10, 'put in by wiretape, not by client or agent'),
  mark('has', 'diff', 11, 'shows a change of a file'),
  mark('has', 'image', 12, 'carries a picture'),
  mark('has', 'secret', 13, 'contains what looks like a key, a token or a password'),
  mark('is', 'too-large', 14, 'a line that is not read: over 32 MB, or JSON of more than a million values'),
] as const satisfies readonly Mark[];

export type MarkWord = (typeof MARKS)[number]['word'];

function mark<const O extends Mark['of'], const W extends string>(of: O, word: W, nth: number, help: string) {
  return { of, word, bit: 1 << nth, help };
}

/** The bit of each word. */
export const MARK = Object.fromEntries(MARKS.map(({ word, bit }) => [word, bit])) as Readonly<Record<MarkWord, number>>;
