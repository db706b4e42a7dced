/** The marks behind `is:` and `has:`: their words, and the marks that a frame has when it arrives. */
import type { Block, Event } from '../../model/event.ts';
import type { ExchangeRole } from '../../model/exchange.ts';
import type { Frame } from '../../model/frame.ts';
import { TOO_LARGE } from '../../model/json/too-large.ts';
import type { ReadFrame } from '../../model/read-frame.ts';
import { hasSecret } from '../../model/text/secret.ts';
import { mayHaveSecret } from '../../model/text/secret-sieve.ts';

/** A request that took at least this many seconds is `is:slow`. */
export const SLOW_SECONDS = 10;

export interface Mark {
  word: string;
  bit: number;
  of: 'is' | 'has';
  help: string;
}

/** The index stores the bits, so new marks go last. */
export const MARKS = [
  mark('is', 'error', 0, 'an error, an error response, or a failed tool result or turn'),
  mark('is', 'pending', 1, 'a request without an answer'),
  mark('is', 'orphan', 2, 'an answer that matches no request'),
  mark('is', 'late', 3, 'an answer that came after its request was settled'),
  mark('is', 'dup', 4, 'a repeated request, or a second answer to the same request'),
  mark('is', 'replayed', 5, 'history that was sent again by a replay or a resumed session'),
  mark('is', 'noise', 6, 'a line that is not a protocol message'),
  mark('is', 'invalid', 7, 'breaks the protocol: invalid UTF-8, or an answer of the wrong shape'),
  mark('is', 'slow', 8, `a request that took ${SLOW_SECONDS} seconds or more to answer, or its answer`),
  mark('is', 'delta', 9, 'part of a streamed text'),
  mark('is', 'synthetic', 10, 'added by wiretape, not sent by the client or the agent'),
  mark('has', 'diff', 11, 'shows a file change'),
  mark('has', 'image', 12, 'contains an image'),
  mark('has', 'secret', 13, 'contains what looks like a key, a token or a password'),
  mark('is', 'too-large', 14, 'a line that is too large to read: over 32 MB, or JSON with more than a million values'),
] as const satisfies readonly Mark[];

export type MarkWord = (typeof MARKS)[number]['word'];

function mark<const O extends Mark['of'], const W extends string>(of: O, word: W, nth: number, help: string) {
  return { of, word, bit: 1 << nth, help };
}

/** The bit of each word. */
export const MARK = Object.fromEntries(MARKS.map(({ word, bit }) => [word, bit])) as Readonly<Record<MarkWord, number>>;

/** `text`: the line, if it is text. */
export function marksOf(
  read: ReadFrame,
  flags: readonly string[],
  latency: number | null,
  text: string | null,
): number {
  const { frame, message, pairing, events } = read;
  let marks = pairing ? ROLES[pairing.role] : 0;
  if (flags.length > 0) for (const flag of flags) marks |= FLAGS[flag] ?? 0;
  if (marks & MARK.replayed) marks &= ~MARK.pending;
  for (let n = 0; n < events.length; n++) marks |= marksOfEvent(events[n]!);
  if (message.envelope === 'error') marks |= MARK.error;
  if ((frame.form === 'bytes' && !frame.cut) || (message.code !== null && MALFORMED.has(message.code)))
    marks |= MARK.invalid;
  if (latency !== null && latency >= SLOW_SECONDS) marks |= MARK.slow;
  return marks | secretIn(frame, text);
}

/** `text`: the line, if it is text. */
export function secretIn(frame: Frame, text: string | null): number {
  if (text === null) return 0;
  const mayHave = frame.look ? frame.look(mayHaveSecret) : mayHaveSecret(frame.raw);
  return mayHave && hasSecret(text) ? MARK.secret : 0;
}

const ROLES: Record<ExchangeRole, number> = {
  asks: MARK.pending,
  'asks-again': MARK.dup,
  answers: 0,
  duplicate: MARK.dup,
  orphan: MARK.orphan,
  forgotten: 0,
};

const FLAGS: Record<string, number> = {
  orphan: MARK.orphan,
  'late-answer': MARK.late,
  'late-resolved': MARK.late,
  resent: MARK.dup,
  'duplicate-answer': MARK.dup,
  replayed: MARK.replayed,
  'bad-word': MARK.invalid,
  'bad-shape': MARK.invalid,
  'no-request-id': MARK.invalid,
  both: MARK.invalid,
  synthetic: MARK.synthetic,
  [TOO_LARGE]: MARK['too-large'],
};

/** Parse error, invalid request, invalid params. */
const MALFORMED = new Set([-32700, -32600, -32602]);

function marksOfEvent(event: Event): number {
  let marks = event.delta ? MARK.delta : 0;
  if (hasFailed(event)) marks |= MARK.error;
  if (event.kind === 'noise') marks |= MARK.noise;
  const { block, blocks, displays } = event as { block?: Block; blocks?: Block[]; displays?: Block[] };
  if (block) return marks | marksOfBlock(block);
  if (blocks) for (const one of blocks) marks |= marksOfBlock(one);
  if (displays) for (const one of displays) marks |= marksOfBlock(one);
  return marks;
}

function marksOfBlock({ type }: Block): number {
  return type === 'diff' ? MARK.diff : type === 'image' ? MARK.image : 0;
}

function hasFailed(event: Event): boolean {
  if (event.kind === 'error') return true;
  if (event.kind === 'tool-result' || event.kind === 'client-call-answer') return !event.ok;
  return event.kind === 'prompt-answer' && event.code !== null;
}
