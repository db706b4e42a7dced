/**
 * Counts and checksums of a session's rows. They are written when the rows are complete and compared when the rows are
 * used, to notice rows that are missing because of a damaged page. Comparing takes a count, not a second read.
 */
import { crc32 } from 'node:zlib';
import { PARTIAL_INDEXES } from './schema.ts';
import { damage, rowsGone } from './sqlite.ts';

/** The number of entries that each index has for a session. Reads only the indexes. */
export const INDEX_ROWS_SQL = `SELECT ${PARTIAL_INDEXES.map(
  ({ name, where }) =>
    `(SELECT count(*) FROM frames INDEXED BY frames_by_${name} WHERE session = @session AND ${where})`,
)}`;

/** A checksum of all rows of the audit, which is small. */
export function auditChecksum(rows: Iterable<string>, heard: number, bypass: string | null): number {
  let sum = crc32(`${heard}${bypass ?? ''}`);
  for (const row of rows) {
    if (typeof row !== 'string') throw damage('its audit is not text');
    sum = crc32(row, sum);
  }
  return sum;
}

/** The counts in the row of a settled session. */
export class RowCounts {
  readonly frames: number;
  readonly texts: number;
  readonly #row: RowCountsRow;
  #indexes: readonly number[] | null = null;

  constructor(row: RowCountsRow | undefined) {
    if (row?.index_rows == null) throw rowsGone();
    this.#row = row;
    this.frames = row.frame_rows;
    this.texts = row.text_rows;
  }

  /** The number of entries that an index has for the session. */
  inIndex(name: string): number {
    this.#indexes ??= JSON.parse(this.#row.index_rows!) as number[];
    return this.#indexes[INDEX_POSITIONS.get(name)!]!;
  }

  /** Whether the session's row is still the same when it is read again. */
  isSameAs(row: RowCountsRow | undefined): boolean {
    const { frame_rows, text_rows, index_rows } = this.#row;
    return row?.frame_rows === frame_rows && row.text_rows === text_rows && row.index_rows === index_rows;
  }
}

export const ROW_COUNTS_SQL = 'SELECT key, frame_rows, text_rows, index_rows FROM sessions WHERE settled';
export const SESSION_ROW_COUNTS_SQL = `${ROW_COUNTS_SQL} AND key = ?`;

export interface RowCountsRow {
  key: number;
  frame_rows: number;
  text_rows: number;
  index_rows: string | null;
}

const INDEX_POSITIONS = new Map<string, number>(PARTIAL_INDEXES.map(({ name }, at) => [name, at]));
