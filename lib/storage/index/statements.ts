/** The statements that write rows, prepared once per connection. */
import type { Statement } from 'better-sqlite3';
import { INDEX_ROWS_SQL } from './row-counts.ts';
import type { Database } from './sqlite.ts';
import { APPROVAL_COLUMNS, FRAME_COLUMNS, insertInto, SESSION_COLUMNS } from './tables.ts';

export interface IndexStatements {
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

const prepared = new WeakMap<Database, IndexStatements>();

export function statementsFor(db: Database): IndexStatements {
  const known = prepared.get(db) ?? prepare(db);
  prepared.set(db, known);
  return known;
}

const TABLES = ['frames WHERE session', 'texts WHERE session', 'exchanges WHERE session', 'approvals WHERE session'];

function prepare(db: Database): IndexStatements {
  return {
    // A damaged tape may repeat a frame number. Its rows are not searched.
    frame: db.prepare(insertInto('frames', FRAME_COLUMNS, 'INSERT OR IGNORE')),
    exchange: db.prepare(
      insertInto('exchanges', named('session', 'f', 'asker', 'method', 'id', 't'), 'INSERT OR IGNORE'),
    ),
    answerFrame: db.prepare(
      'UPDATE frames SET pair_f = ?, latency = ?, marks = marks & ~? | ? WHERE session = ? AND f = ?',
    ),
    answerExchange: db.prepare('UPDATE exchanges SET answer_f = ?, latency = ?, code = ? WHERE session = ? AND f = ?'),
    decideFrame: db.prepare(
      `UPDATE frames SET wait = ?, approval = ?, by = ?, mode = ?, ran = ?, flag = ?, tool = coalesce(?, tool)
        WHERE session = ? AND f = ?`,
    ),
    turnFrame: db.prepare('UPDATE frames SET turn = ? WHERE session = ? AND f = ?'),
    text: db.prepare(insertInto('texts', named('session', 'n', 'sketch', 'sketch_sum', 'text', 'ends', 'sum'))),
    approval: db.prepare(insertInto('approvals', APPROVAL_COLUMNS, 'INSERT OR REPLACE')),
    session: db.prepare(insertInto('sessions', SESSION_COLUMNS, 'INSERT OR REPLACE')),
    forget: [...TABLES, 'sessions WHERE key'].map((which) => db.prepare(`DELETE FROM ${which} = ?`)),
    indexed: db.prepare('SELECT indexed FROM sessions WHERE key = ?').pluck(),
    indexRows: db.prepare(INDEX_ROWS_SQL).raw(),
    auditRows: db.prepare('SELECT row FROM approvals WHERE session = ? ORDER BY f, n').pluck() as Statement<
      unknown[],
      string
    >,
    refresh: db.prepare('UPDATE sessions SET name = ?, tags = ?, folder_changed = ?, names_changed = ? WHERE key = ?'),
  };
}

const named = (...names: string[]) => names.map((name) => ({ name }));
