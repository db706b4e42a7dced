/**
 * What a session's rows come to, written when they are complete and compared when they are used: rows that a damaged
 * page has swallowed are missed. It costs a count, not a second look at what they say.
 */
import { crc32 } from 'node:zlib';
import { PARTIAL_INDEXES } from './schema.ts';
import { damage, rowsGone } from './sqlite.ts';

/** How many frames of a session each index has, in their order: a query over the indexes alone. */
export const INDEX_ROWS_SQL = `SELECT ${PARTIAL_INDEXES.map(
  ({ name, where }) =>
    `(SELECT count(*) FROM frames INDEXED BY frames_by_${name} WHERE session = @session AND ${where})`,
)}`;

/** Of the audit nothing may be missing and nothing be changed: it is small, and summed up whole. */
export function sumOfAudit(rows: Iterable<string>, heard: number, bypass: string | null): number {
  let sum = crc32(`${heard}${bypass ?? ''}`);
  for (const row of rows) {
    if (typeof row !== 'string') throw damage('its audit is not text');
    sum = crc32(row, sum);
  }
  return sum;
}

/** What the row of a settled session says of its other rows. */
export class Proof {
  readonly frames: number;
  readonly texts: number;
  readonly #indexes: readonly number[];

  constructor(row: ProofRow | undefined) {
    if (row?.index_rows == null) throw rowsGone();
    this.frames = row.frame_rows;
    this.texts = row.text_rows;
    this.#indexes = JSON.parse(row.index_rows) as number[];
  }

  /** How many entries of the session an index has. */
  inIndex(name: string): number {
    return this.#indexes[placeOfIndex(name)]!;
  }
}

export const PROOF_SQL = 'SELECT frame_rows, text_rows, index_rows FROM sessions WHERE key = ? AND settled';

export interface ProofRow {
  frame_rows: number;
  text_rows: number;
  index_rows: string | null;
}

export function placeOfIndex(name: string): number {
  return PARTIAL_INDEXES.findIndex((index) => index.name === name);
}

export function mustBe(found: number | undefined, expected: number | undefined, what: string): void {
  if (found !== expected) throw damage(`it has ${found} ${what}, which should be ${expected}`);
}
