/**
 * The rows that indexes select, of several sessions at a time: most sessions with a match have few, and a statement for
 * each of them would take longer than its rows.
 */
import type { Statement } from 'better-sqlite3';
import { type FrameRow, SELECTED_COLUMNS, SELECTED_COUNT } from './frame-row.ts';
import { type IndexPath, type SqlCondition, sqlOfIndex } from './sql-conditions.ts';
import { type Database, damage } from './sqlite.ts';

/** The entries of an index for the whole store. */
export interface Coverage {
  /** The number of entries of each session. */
  entries: Map<number, number>;
  /** The number of those that may match, if there are any. */
  matching: Map<number, number>;
}

/** Rows read at once: few at first, because the caller may want only the first match. */
const FIRST_ROWS = 32;
const MAX_ROWS = 512;

export class RowsAhead {
  readonly #statement: Statement;
  readonly #values: readonly unknown[];
  readonly #paths: readonly IndexPath[];
  /** The sessions with rows, in order, and at most how many. */
  readonly #sessions: [key: number, rows: number][];
  readonly #rows = new Map<number, FrameRow[]>();
  #maxRows = FIRST_ROWS;

  /** `condition`: of the whole query. `coverage`: of each path. */
  constructor(db: Database, condition: SqlCondition, paths: readonly IndexPath[], coverage: readonly Coverage[]) {
    const selects = paths.map((path) => {
      const { from, where } = sqlOfIndex(path);
      return `SELECT session, f FROM ${from} WHERE session BETWEEN ? AND ? AND ${where} AND ${path.condition.sql}`;
    });
    this.#statement = db
      .prepare(
        `SELECT ${SELECTED_COLUMNS}, ${condition.sql}, session FROM (${selects.join(' UNION ')})
          LEFT JOIN frames USING (session, f) ORDER BY session, f`,
      )
      .raw();
    this.#values = condition.values;
    this.#paths = paths;
    const rows = new Map<number, number>();
    for (const { matching } of coverage)
      for (const [key, count] of matching) rows.set(key, (rows.get(key) ?? 0) + count);
    this.#sessions = [...rows].sort(([a], [b]) => a - b);
  }

  /** The rows of a session that the whole condition selects; null if it has too many to be read at once. */
  take(key: number): FrameRow[] | null {
    if (!this.#rows.has(key)) this.#read(key);
    const rows = this.#rows.get(key) ?? null;
    this.#rows.delete(key);
    return rows;
  }

  #read(key: number): void {
    const start = this.#sessions.findIndex(([one]) => one === key);
    let end = start;
    let rows = 0;
    this.#rows.clear();
    for (; end >= 0 && end < this.#sessions.length; end++) {
      const [one, count] = this.#sessions[end]!;
      if (rows + count > (end === start ? MAX_ROWS : this.#maxRows)) break;
      rows += count;
      this.#rows.set(one, []);
    }
    if (end === start) return;
    this.#maxRows = MAX_ROWS;
    const last = this.#sessions[end - 1]![0];
    const values = this.#paths.flatMap(({ condition }) => [key, last, ...condition.values]);
    for (const row of this.#statement.all(...this.#values, ...values) as FrameRow[]) {
      // The index has an entry for a frame that is not there.
      if (row[SELECTED_COUNT - 1] === null) throw damage('a frame that an index lists is missing');
      if (row[SELECTED_COUNT]) this.#rows.get(row[SELECTED_COUNT + 1] as number)?.push(row);
    }
  }
}
