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

/** Throws if there are more than `most`. */
export function limit(message: string, count: number, most: number, units: string, at: number, length: number): void {
  if (count > most) throw new QueryError(message, `at most ${most} ${units}`, at, length);
}

const BEFORE = 60;
const BEHIND = 40;

/** The query, or the part of it around the error, and a line that marks the error. */
export function pointAt(query: string, { at, length }: { at: number; length: number }): string[] {
  const from = at > BEFORE + 10 ? at - BEFORE : 0;
  const marked = Math.min(length, query.length - at, BEHIND);
  const to = query.length > at + marked + BEHIND + 10 ? at + marked + BEHIND : query.length;
  const before = `${from > 0 ? '…' : ''}${visible(query.slice(from, at))}`;
  const wrong = visible(query.slice(at, at + marked));
  const behind = `${visible(query.slice(at + marked, to))}${to < query.length ? '…' : ''}`;
  return [before + wrong + behind, ' '.repeat(cells(before)) + '^'.repeat(Math.max(1, cells(wrong)))];
}

/** A part of a query for a message: one short line that is safe to print. */
export function shown(text: string): string {
  const safe = visible(text);
  return safe.length > 40 ? `${safe.slice(0, 39)}…` : safe;
}
