/** Every statement that writes rows, prepared once a connection. */
import type { Statement } from 'better-sqlite3';
import type { Database } from './index-file.ts';

const FRAME = [
  ...['session', 'f', 't', 'from', 'envelope', 'kind', 'method', 'type', 'id', 'tool', 'turn', 'step', 'subagent'],
  ...['status', 'code', 'event', 'pair_f', 'latency', 'size', 'offset', 'flags'],
];
const EXCHANGE = ['session', 'f', 'asker', 'method', 'id', 't'];

/** In the order of a session's row; also what is read back. */
export const SESSION = [
  ...['key', 'session', 'name', 'tags', 'source', 'dialect', 'protocol', 'client', 'agent', 'agent_version'],
  ...['command', 'cwd', 'user', 'host', 'started', 'ended', 'duration', 'frames', 'bytes', 'turns', 'tools'],
  ...['approvals', 'errors', 'state', 'exit_code', 'exit_signal', 'gaps', 'probe', 'tape_elsewhere', 'digest'],
  ...['settled', 'indexed', 'folder_changed', 'names_changed'],
] as const;

export interface Statements {
  frame: Statement;
  exchange: Statement;
  answerFrame: Statement;
  answerExchange: Statement;
  session: Statement;
  refresh: Statement;
  indexed: Statement;
  forget: Statement[];
}

const prepared = new WeakMap<Database, Statements>();

export function statementsFor(db: Database): Statements {
  const known = prepared.get(db) ?? prepare(db);
  prepared.set(db, known);
  return known;
}

function prepare(db: Database): Statements {
  return {
    // A tape that somebody spoilt may have a number twice; the first counts.
    frame: db.prepare(insert('frames', FRAME, 'INSERT OR IGNORE')),
    exchange: db.prepare(insert('exchanges', EXCHANGE, 'INSERT OR IGNORE')),
    answerFrame: db.prepare('UPDATE frames SET pair_f = ?, latency = ? WHERE session = ? AND f = ?'),
    answerExchange: db.prepare('UPDATE exchanges SET answer_f = ?, latency = ?, code = ? WHERE session = ? AND f = ?'),
    session: db.prepare(insert('sessions', SESSION, 'INSERT OR REPLACE')),
    forget: ['frames WHERE session', 'exchanges WHERE session', 'sessions WHERE key'].map((which) =>
      db.prepare(`DELETE FROM ${which} = ?`),
    ),
    indexed: db.prepare('SELECT indexed FROM sessions WHERE key = ?').pluck(),
    refresh: db.prepare('UPDATE sessions SET name = ?, tags = ?, folder_changed = ?, names_changed = ? WHERE key = ?'),
  };
}

function insert(table: string, columns: readonly string[], verb: string): string {
  return `${verb} INTO ${table} (${columns.map((name) => `"${name}"`)}) VALUES (${columns.map(() => '?')})`;
}
