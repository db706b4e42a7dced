/** The rows of the audit in the index. */
import type { Statement } from 'better-sqlite3';
import type { Bypassed } from '../audit/bypass.ts';
import { type ApprovalRow, makeRow } from '../audit/row.ts';
import { withExactId } from '../core/id.ts';
import { parseJson } from '../core/message.ts';
import { MARK } from '../facts/marks.ts';
import { sumOfAudit } from './proof.ts';
import { PARTIAL_INDEXES } from './schema.ts';
import { type Database, damage, rowsGone } from './sqlite.ts';
import { AUDIT_SQL } from './statements.ts';
import { APPROVAL_COLUMNS, quoted } from './tables.ts';

interface Statements {
  session: Statement;
  rows: Statement;
  columns: Statement;
  byMode: Statement;
}

const MARKED = PARTIAL_INDEXES.find(({ name }) => name === 'marks')!.where;
/** All but the row itself, which is not there, and its session. */
const COLUMNS = APPROVAL_COLUMNS.filter(({ name }) => name !== 'row' && name !== 'session').map(
  ({ name }) => `a.${quoted(name)}`,
);
const prepared = new WeakMap<Database, Statements>();

function statementsOf(db: Database): Statements {
  const known = prepared.get(db) ?? {
    // By the index of marks: a scan of the session's frames would read most of the file.
    session: db.prepare(`SELECT heard, bypass, audit_sum,
      (SELECT count(*) FROM frames INDEXED BY frames_by_marks WHERE session = key AND ${MARKED}
        AND marks & ${MARK['too-large']} <> 0 AND kind = 'other') AS unread
      FROM sessions WHERE key = ? AND settled`),
    rows: db.prepare(AUDIT_SQL).pluck(),
    columns: db.prepare(`SELECT ${COLUMNS}, f.t FROM approvals a JOIN frames f USING (session, f)
      WHERE session = ? ORDER BY a.f, a.n LIMIT 1 OFFSET ?`),
    byMode: db.prepare("SELECT mode, count(*) AS calls FROM approvals WHERE session = ? AND by = 'mode' GROUP BY mode"),
  };
  prepared.set(db, known);
  return known;
}

/** Of a session whose rows are current, by its key. */
export function readAudit(db: Database, key: number) {
  const { session, rows, columns } = statementsOf(db);
  const about = session.get(key) as SessionPart | undefined;
  if (!about) throw rowsGone();
  const texts = rows.all(key) as string[];
  if (sumOfAudit(texts, about.heard, about.bypass) !== about.audit_sum)
    throw damage('its audit is not as it was written');
  const read = texts.map((text, at) => {
    // A row that was nested too deeply to be written as JSON: only its columns are stored.
    const row = parseJson(text) as ApprovalRow | undefined;
    return row ? withExactId(row, text, 'request_id') : rowOf(columns.get(key, at) as ColumnRow);
  });
  const bypass = about.bypass === null ? [] : (JSON.parse(about.bypass) as Bypassed[]);
  return { rows: read, heard: about.heard === 1, bypass, unread: about.unread };
}

/** How many calls ran unasked in each mode. Does not read the rows. */
export function countByMode(db: Database, key: number): Record<string, number> {
  const counts = statementsOf(db).byMode.all(key) as { mode: string | null; calls: number }[];
  return Object.fromEntries(counts.map(({ mode, calls }) => [mode ?? '', calls]));
}

interface SessionPart {
  heard: number;
  bypass: string | null;
  audit_sum: number;
  unread: number;
}

type ColumnRow = Omit<ApprovalRow, 'flags'> & { flags: string };

function rowOf(row: ColumnRow): ApprovalRow {
  const flags = row.flags === '' ? [] : row.flags.split(' ');
  return { ...makeRow(row.kind, row.f, row.n, row.t), ...row, flags };
}
