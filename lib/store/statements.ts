/** Every statement that writes rows, prepared once a connection. */
import type { Statement } from 'better-sqlite3';
import { INDEX_ROWS_SQL } from './proof.ts';
import type { Database } from './sqlite.ts';

export const FRAME = [
  ...(['session', 'f', 't', 'from', 'envelope', 'kind', 'kinds', 'method', 'type', 'id'] as const),
  ...(['tool', 'tool_call_id', 'turn', 'step', 'subagent', 'parent', 'item', 'status', 'code', 'event'] as const),
  ...(['pair_f', 'latency', 'wait', 'gap', 'approval', 'by', 'size', 'offset', 'flags', 'marks'] as const),
] as const;
const EXCHANGE = ['session', 'f', 'asker', 'method', 'id', 't'];
const APPROVAL = [
  ...['session', 'f', 'n', 'kind', 'turn', 'subagent', 'tool', 'action', 'description', 'decision', 'by', 'wait'],
  ...['executed', 'result', 'flags', 'row'],
];

/** In the order of a session's row; also what is read back. */
export const SESSION = [
  ...['key', 'session', 'name', 'tags', 'source', 'dialect', 'protocol', 'client', 'agent', 'agent_version'],
  ...['command', 'cwd', 'user', 'host', 'started', 'ended', 'duration', 'frames', 'bytes', 'turns', 'tools'],
  ...['approvals', 'errors', 'state', 'exit_code', 'exit_signal', 'gaps', 'probe', 'tape_elsewhere', 'digest'],
  ...['heard', 'bypass'],
  ...['settled', 'indexed', 'in_order', 'frame_rows', 'text_rows', 'index_rows', 'audit_sum'],
  ...['folder_changed', 'names_changed'],
] as const;

export interface Statements {
  frame: Statement;
  exchange: Statement;
  answerFrame: Statement;
  answerExchange: Statement;
  decideFrame: Statement;
  turnFrame: Statement;
  text: Statement;
  approval: Statement;
  session: Statement;
  refresh: Statement;
  indexed: Statement;
  indexRows: Statement;
  auditRows: Statement<unknown[], string>;
  forget: Statement[];
}

/** A session's rows of the audit. */
export const AUDIT_SQL = 'SELECT row FROM approvals WHERE session = ? ORDER BY f, n';

const prepared = new WeakMap<Database, Statements>();

export function statementsFor(db: Database): Statements {
  const known = prepared.get(db) ?? prepare(db);
  prepared.set(db, known);
  return known;
}

const TABLES = ['frames WHERE session', 'texts WHERE session', 'exchanges WHERE session', 'approvals WHERE session'];

function prepare(db: Database): Statements {
  return {
    // A tape that somebody spoilt may have a number twice. Its rows are not searched.
    frame: db.prepare(insert('frames', FRAME, 'INSERT OR IGNORE')),
    exchange: db.prepare(insert('exchanges', EXCHANGE, 'INSERT OR IGNORE')),
    answerFrame: db.prepare(
      'UPDATE frames SET pair_f = ?, latency = ?, marks = marks & ~? | ? WHERE session = ? AND f = ?',
    ),
    answerExchange: db.prepare('UPDATE exchanges SET answer_f = ?, latency = ?, code = ? WHERE session = ? AND f = ?'),
    decideFrame: db.prepare(
      'UPDATE frames SET wait = ?, approval = ?, by = ?, tool = coalesce(?, tool) WHERE session = ? AND f = ?',
    ),
    turnFrame: db.prepare('UPDATE frames SET turn = ? WHERE session = ? AND f = ?'),
    text: db.prepare(insert('texts', ['session', 'n', 'text', 'ends', 'sum'], 'INSERT')),
    approval: db.prepare(insert('approvals', APPROVAL, 'INSERT OR REPLACE')),
    session: db.prepare(insert('sessions', SESSION, 'INSERT OR REPLACE')),
    forget: [...TABLES, 'sessions WHERE key'].map((which) => db.prepare(`DELETE FROM ${which} = ?`)),
    indexed: db.prepare('SELECT indexed FROM sessions WHERE key = ?').pluck(),
    indexRows: db.prepare(INDEX_ROWS_SQL).raw(),
    auditRows: db.prepare(AUDIT_SQL).pluck() as Statement<unknown[], string>,
    refresh: db.prepare('UPDATE sessions SET name = ?, tags = ?, folder_changed = ?, names_changed = ? WHERE key = ?'),
  };
}

function insert(table: string, columns: readonly string[], verb: string): string {
  return `${verb} INTO ${table} (${columns.map((name) => `"${name}"`)}) VALUES (${columns.map(() => '?')})`;
}
