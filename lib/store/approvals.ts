/** Rows of the audit as the index has them. */
import type { Statement } from 'better-sqlite3';
import type { Bypassed } from '../audit/bypass.ts';
import type { ApprovalRow } from '../audit/row.ts';
import { parseJson } from '../core/message.ts';
import type { Database } from './index-file.ts';

interface Statements {
  rows: Statement;
  session: Statement;
}

const prepared = new WeakMap<Database, Statements>();

function statementsOf(db: Database): Statements {
  const known = prepared.get(db) ?? {
    rows: db.prepare('SELECT row FROM approvals WHERE session = ? ORDER BY f, n').pluck(),
    session: db.prepare('SELECT heard, bypass FROM sessions WHERE key = ?'),
  };
  prepared.set(db, known);
  return known;
}

/** Of a session whose rows are current, by its key; null where they do not tell all, or are gone meanwhile. */
export function readAudit(db: Database, key: number) {
  const { rows, session } = statementsOf(db);
  const about = session.get(key) as { heard: number; bypass: string | null } | undefined;
  // What is nested deeper than the stack is high is only hinted at in its row.
  const read = (rows.all(key) as string[]).map((row) => parseJson(row) as ApprovalRow | undefined);
  if (!about || !read.every((row) => row !== undefined)) return null;
  const bypass = about.bypass === null ? [] : (JSON.parse(about.bypass) as Bypassed[]);
  return { rows: read, heard: about.heard === 1, bypass };
}
