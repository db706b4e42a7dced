/** An error in a query and its position. The hint says what to write instead. */
import { cells, visible } from '../../model/text/text.ts';

export class QueryError extends Error {
  readonly hint: string;
  /** The position of the error in UTF-16 units. A length of 0 means that something is missing there. */
  readonly at: number;
  readonly length: number;

  constructor(message: string, hint: string, at: number, length: number) {
    super(message);
    this.name = 'QueryError';
    this.hint = hint;
    this.at = at;
    this.length = length;
  }
}

/** Throws if there are more than `max`. */
export function checkLimit(
  message: string,
  count: number,
  max: number,
  units: string,
  at: number,
  length: number,
): void {
  if (count > max) throw new QueryError(message, `at most ${max} ${units}`, at, length);
}

const MAX_CHARS_BEFORE = 60;
const MAX_CHARS_AFTER = 40;

/** The query, or the part of it around the error, and a line that marks the error. */
export function markError(query: string, { at, length }: { at: number; length: number }): string[] {
  const from = at > MAX_CHARS_BEFORE + 10 ? at - MAX_CHARS_BEFORE : 0;
  const marked = Math.min(length, query.length - at, MAX_CHARS_AFTER);
  const to = query.length > at + marked + MAX_CHARS_AFTER + 10 ? at + marked + MAX_CHARS_AFTER : query.length;
  const before = `${from > 0 ? '…' : ''}${visible(query.slice(from, at))}`;
  const wrong = visible(query.slice(at, at + marked));
  const after = `${visible(query.slice(at + marked, to))}${to < query.length ? '…' : ''}`;
  return [before + wrong + after, ' '.repeat(cells(before)) + '^'.repeat(Math.max(1, cells(wrong)))];
}

/** A part of a query for a message: one short line that is safe to print. */
export function shortened(text: string): string {
  const safe = visible(text);
  return safe.length > 40 ? `${safe.slice(0, 39)}…` : safe;
}
