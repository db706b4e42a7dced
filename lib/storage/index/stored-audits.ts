/** The rows of the audit in the index, read for several sessions at a time: most have few. */
import type { Statement } from 'better-sqlite3';
import type { BypassPeriod } from '../../analysis/audit/bypass.ts';
import { type ApprovalRow, makeRow } from '../../analysis/audit/row.ts';
import { MARK } from '../../analysis/facts/marks.ts';
import { withExactId } from '../../model/id.ts';
import { parseJson } from '../../model/message.ts';
import { auditChecksum } from './row-counts.ts';
import { PARTIAL_INDEXES } from './schema.ts';
import { type Database, damage, rowsGone } from './sqlite.ts';
import { APPROVAL_COLUMNS, quoted } from './tables.ts';

const MARKS_CONDITION = PARTIAL_INDEXES.find(({ name }) => name === 'marks')!.where;
const SESSIONS_SQL =
  'SELECT key, heard, bypass, audit_sum FROM sessions WHERE settled AND key >= ? ORDER BY key LIMIT ?';
// By the index of marks: a scan of the frames would read most of the file.
const UNREAD_SQL = `SELECT session, count(*) FROM frames INDEXED BY frames_by_marks
  WHERE session BETWEEN ? AND ? AND ${MARKS_CONDITION} AND marks & ${MARK['too-large']} <> 0 AND kind = 'other' GROUP BY session`;
const ROWS_SQL = 'SELECT session, row FROM approvals WHERE session BETWEEN ? AND ? ORDER BY session, f, n LIMIT ?';
/** All but the row itself, which is not there, and its session. */
const COLUMNS = APPROVAL_COLUMNS.filter(({ name }) => name !== 'row' && name !== 'session').map(
  ({ name }) => `a.${quoted(name)}`,
);
const COLUMNS_SQL = `SELECT ${COLUMNS}, f.t FROM approvals a JOIN frames f USING (session, f)
  WHERE session = ? ORDER BY a.f, a.n LIMIT 1 OFFSET ?`;

const BY_MODE_SQL = "SELECT mode, count(*) AS calls FROM approvals WHERE session = ? AND by = 'mode' GROUP BY mode";

/** Read at once: one session at first, because the caller may want only that one. */
const MAX_SESSIONS_READ = 64;
const MAX_ROWS_READ = 512;

interface StoredAudit {
  key: number;
  heard: number;
  bypass: string | null;
  audit_sum: number;
  unread: number;
  rows: string[];
}

export class StoredAudits {
  readonly #sessions: Statement;
  readonly #unread: Statement;
  readonly #rows: Statement;
  readonly #columns: Statement;
  readonly #byMode: Statement;
  readonly #readAhead: (key: number) => void;
  readonly #read = new Map<number, StoredAudit>();
  #sessionsToRead = 1;
  #last = -1;

  constructor(db: Database) {
    this.#sessions = db.prepare(SESSIONS_SQL);
    this.#unread = db.prepare(UNREAD_SQL).raw();
    this.#rows = db.prepare(ROWS_SQL).raw();
    this.#columns = db.prepare(COLUMNS_SQL);
    this.#byMode = db.prepare(BY_MODE_SQL);
    // One transaction: another process may replace the rows in between.
    this.#readAhead = db.transaction((key: number) => this.#readFrom(key));
  }

  /** Of a session whose rows are current, by its key. */
  of(key: number) {
    if (!this.#read.has(key)) this.#readAhead(key);
    const stored = this.#read.get(key);
    if (!stored) throw rowsGone();
    this.#read.delete(key);
    if (auditChecksum(stored.rows, stored.heard, stored.bypass) !== stored.audit_sum)
      throw damage('its audit has changed since it was written');
    const rows = stored.rows.map((text, at) => {
      // A row that was nested too deeply to be written as JSON: only its columns are stored.
      const row = parseJson(text) as ApprovalRow | undefined;
      return row ? withExactId(row, text, 'request_id') : rowOf(this.#columns.get(key, at) as ColumnRow);
    });
    const bypass = stored.bypass === null ? [] : (JSON.parse(stored.bypass) as BypassPeriod[]);
    return { rows, heard: stored.heard === 1, bypass, unread: stored.unread };
  }

  /** How many calls ran unasked in each mode. Does not read the rows. */
  byMode(key: number): Record<string, number> {
    const counts = this.#byMode.all(key) as { mode: string | null; calls: number }[];
    return Object.fromEntries(counts.map(({ mode, calls }) => [mode ?? '', calls]));
  }

  /** Reads the sessions from this key on. Looks further ahead while they are asked for in order. */
  #readFrom(key: number): void {
    this.#sessionsToRead = key > this.#last ? this.#sessionsToRead : 1;
    this.#read.clear();
    const sessions = this.#sessions.all(key, this.#sessionsToRead) as StoredAudit[];
    this.#sessionsToRead = Math.min(8 * this.#sessionsToRead, MAX_SESSIONS_READ);
    this.#last = sessions.at(-1)?.key ?? key;
    for (const session of sessions) this.#read.set(session.key, Object.assign(session, { unread: 0, rows: [] }));
    for (const [one, count] of this.#unread.all(key, this.#last) as [number, number][]) {
      const session = this.#read.get(one);
      if (session) session.unread = count;
    }
    for (const [one, row] of this.#rowsUpTo(key, this.#last)) this.#read.get(one)?.rows.push(row);
  }

  /** If there are too many rows, only those of the first sessions, and the others are forgotten. */
  #rowsUpTo(key: number, last: number): [number, string][] {
    const rows = this.#rows.all(key, last, MAX_ROWS_READ) as [number, string][];
    if (rows.length < MAX_ROWS_READ) return rows;
    // The last session in it may have more.
    const cut = rows.at(-1)![0];
    for (const one of this.#read.keys()) if (one >= cut && one !== key) this.#read.delete(one);
    return cut === key ? (this.#rows.all(key, key, -1) as [number, string][]) : rows;
  }
}

type ColumnRow = Omit<ApprovalRow, 'flags'> & { flags: string };

function rowOf(row: ColumnRow): ApprovalRow {
  const flags = row.flags === '' ? [] : row.flags.split(' ');
  return { ...makeRow(row.kind, row.f, row.n, row.t), ...row, flags };
}
