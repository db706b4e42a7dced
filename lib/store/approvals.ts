/** Rows of the audit as the index has them. */
import type { Statement } from 'better-sqlite3';
import type { Bypassed } from '../audit/bypass.ts';
import { type ApprovalRow, makeRow } from '../audit/row.ts';
import { withExactId } from '../core/id.ts';
import { parseJson } from '../core/message.ts';
import { MARK } from '../filter/facts.ts';
import type { Database } from './index-file.ts';
import { PARTIAL_INDEXES } from './schema.ts';

interface Statements {
  rows: Statement;
  columns: Statement;
  session: Statement;
  unread: Statement;
}

const NOT_BULK = PARTIAL_INDEXES.find(({ name }) => name === 'kind')!.where;
const prepared = new WeakMap<Database, Statements>();

function statementsOf(db: Database): Statements {
  const known = prepared.get(db) ?? {
    rows: db.prepare('SELECT row FROM approvals WHERE session = ? ORDER BY f, n').pluck(),
    columns: db.prepare(`SELECT a.f, a.n, f.t, a.kind, a.turn, a.subagent, a.tool, a.action, a.description, a.decision,
      a.by, a.wait, a.executed, a.result, a.flags FROM approvals a JOIN frames f USING (session, f)
      WHERE session = ? ORDER BY a.f, a.n LIMIT 1 OFFSET ?`),
    session: db.prepare('SELECT heard, bypass FROM sessions WHERE key = ?'),
    // In words that make use of the index by kind.
    unread: db
      .prepare(
        `SELECT count(*) FROM frames WHERE session = ? AND kind = 'other' AND ${NOT_BULK}
          AND marks & ${MARK['too-large']} <> 0`,
      )
      .pluck(),
  };
  prepared.set(db, known);
  return known;
}

/** Of a session whose rows are current, by its key. */
export function readAudit(db: Database, key: number) {
  const { rows, columns, session, unread } = statementsOf(db);
  const about = session.get(key) as { heard: number; bypass: string | null } | undefined;
  // Gone since it was listed.
  if (!about) return { rows: [], heard: true, bypass: [], unread: 0 };
  const read = (rows.all(key) as string[]).map((text, at) => {
    // What is nested deeper than the stack is high could not be written: its columns are there.
    const row = parseJson(text) as ApprovalRow | undefined;
    return row ? withExactId(row, text, 'request_id') : rowOf(columns.get(key, at) as ColumnRow);
  });
  const bypass = about.bypass === null ? [] : (JSON.parse(about.bypass) as Bypassed[]);
  return { rows: read, heard: about.heard === 1, bypass, unread: unread.get(key) as number };
}

type ColumnRow = Omit<ApprovalRow, 'flags'> & { flags: string };

function rowOf(row: ColumnRow): ApprovalRow {
  const flags = row.flags === '' ? [] : row.flags.split(' ');
  return { ...makeRow(row.kind, row.f, row.n, row.t), ...row, flags };
}
