/** A query that cannot be read, and where. The text follows `wiretape: `; the hint says what to write instead. */
import { cells, visible } from '../core/text.ts';

export class QueryError extends Error {
  readonly hint: string;
  /** The characters that are wrong, in UTF-16 units of the query; a length of 0 is a place where something is missing. */
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

const BEFORE = 60;
const BEHIND = 40;

/** The query and, under it, a mark below what is wrong; of a long query only what is around. */
export function pointAt(query: string, { at, length }: { at: number; length: number }): string[] {
  const from = at > BEFORE + 10 ? at - BEFORE : 0;
  const marked = Math.min(length, query.length - at, BEHIND);
  const to = query.length > at + marked + BEHIND + 10 ? at + marked + BEHIND : query.length;
  const before = `${from > 0 ? '…' : ''}${visible(query.slice(from, at))}`;
  const wrong = visible(query.slice(at, at + marked));
  const behind = `${visible(query.slice(at + marked, to))}${to < query.length ? '…' : ''}`;
  return [before + wrong + behind, ' '.repeat(cells(before)) + '^'.repeat(Math.max(1, cells(wrong)))];
}

/** A piece of a query, to be shown in a message: one line, not too long, harmless. */
export function shown(text: string): string {
  const safe = visible(text);
  return safe.length > 40 ? `${safe.slice(0, 39)}…` : safe;
}
