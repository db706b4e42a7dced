import { MARK } from '../../analysis/facts/marks.ts';
import { APPROVAL_COLUMNS, columnDefinitions, FRAME_COLUMNS, SESSION_COLUMNS } from './tables.ts';

/**
 * The schema of the index. The index is derived from the tapes, so it is never migrated: a change of the schema, or of what
 * is read from the same tape, such as a new dialect, gets a new number and a new file beside the old one, so that different
 * versions of wiretape can use the same store.
 */
export const SCHEMA = 11;

/** Kinds that make up most of a session. */
export const BULK_KINDS = ['text', 'thinking', 'tool-args', 'progress', 'log', 'usage', 'status'];

/**
 * Each index is used by queries that imply its condition and repeat it literally. They contain only the frames in
 * question, so that a query over the whole store reads few other rows. Indexes that are likely to be short come first.
 */
export const PARTIAL_INDEXES = [
  { name: 'wait', on: 'wait', where: 'wait IS NOT NULL' },
  { name: 'code', on: 'code', where: 'code IS NOT NULL' },
  { name: 'approval', on: 'approval, by', where: 'approval IS NOT NULL' },
  { name: 'ran', on: 'ran, mode, flag', where: 'ran IS NOT NULL' },
  { name: 'subagent', on: 'subagent', where: 'subagent IS NOT NULL' },
  { name: 'size', on: 'size', where: 'size >= 4096' },
  { name: 'gap', on: 'gap', where: 'gap >= 1' },
  { name: 'kinds', on: 'kinds', where: 'kinds IS NOT NULL' },
  { name: 'marks', on: 'marks', where: `marks & ${~MARK.delta & 0xffff} <> 0` },
  { name: 'status', on: 'status', where: 'status IS NOT NULL' },
  { name: 'latency', on: 'latency', where: 'latency IS NOT NULL' },
  { name: 'tool', on: 'tool', where: 'tool IS NOT NULL' },
  { name: 'kind', on: 'kind', where: `kind NOT IN (${BULK_KINDS.map((kind) => `'${kind}'`)})` },
  { name: 'id', on: 'id', where: 'id IS NOT NULL' },
  { name: 'outside', on: '"from"', where: `"from" IN ('client', 'stderr', 'proc')` },
] as const;

export const SCHEMA_SQL = `
-- One row a session: what \`wiretape ls\` shows, then what these rows were made of, and what they come to.
CREATE TABLE sessions (
${columnDefinitions(SESSION_COLUMNS).replace(/,( *--.*)?$/, '$1')}
);
CREATE INDEX sessions_by_name ON sessions (name) WHERE name IS NOT NULL;

-- One row a line that crossed the pipe, or event of the process.
CREATE TABLE frames (
${columnDefinitions(FRAME_COLUMNS)}
  PRIMARY KEY (session, f)
) WITHOUT ROWID;
-- Most frames are pieces of text: what is asked for is among the others.
${PARTIAL_INDEXES.map(({ name, on, where }) => `CREATE INDEX frames_by_${name} ON frames (session, ${on}) WHERE ${where};`).join('\n')}

-- Full text: what was said, in lower case, many frames a row. See texts.ts.
CREATE TABLE texts (
  session INTEGER NOT NULL,
  n INTEGER NOT NULL,
  sketch BLOB NOT NULL,              -- of which three bytes are in the text. See sketch.ts.
  sketch_sum INTEGER NOT NULL,       -- CRC-32 of sketch
  sum INTEGER NOT NULL,              -- CRC-32 of text and ends
  ends BLOB NOT NULL,
  text BLOB NOT NULL,                -- last, as what is behind a long value takes long to reach
  PRIMARY KEY (session, n)
);

-- What an agent asked its client, or did unasked: rows of the audit.
CREATE TABLE approvals (
${columnDefinitions(APPROVAL_COLUMNS)}
  PRIMARY KEY (session, f, n)
) WITHOUT ROWID;

-- A request and its answer.
CREATE TABLE exchanges (
  session INTEGER NOT NULL,
  f INTEGER NOT NULL,                -- the request
  asker TEXT NOT NULL,
  method TEXT NOT NULL,
  id TEXT,
  t REAL NOT NULL,
  answer_f INTEGER,
  latency REAL,
  code INTEGER,                      -- if the answer is an error
  PRIMARY KEY (session, f)
) WITHOUT ROWID;

-- For people. Times are UTC.
CREATE VIEW session_list AS
  SELECT session, substr(started, 1, 19) AS started, round(duration, 3) AS seconds, frames, bytes, state,
    coalesce(exit_signal, exit_code) AS exit, dialect, agent, agent_version, client, turns, tools, approvals, errors,
    name, tags, probe, command, cwd
  FROM sessions ORDER BY sessions.started DESC;

CREATE VIEW frame_list AS
  SELECT s.session, f.f, strftime('%Y-%m-%d %H:%M:%f', julianday(s.started) + f.t / 86400.0) AS at, round(f.t, 6) AS t,
    f."from", f.kind, f.turn, f.step, f.subagent, f.tool, f.status, f.envelope, f.method, f.type, f.id, f.event, f.code,
    f.pair_f, f.latency, f.wait, f.approval, f.by, f.mode, f.ran, f.size, f.flags, f.flag
  FROM frames f JOIN sessions s ON s.key = f.session;

CREATE VIEW approval_list AS
  SELECT s.session, a.f, a.kind, a.turn, a.subagent, a.tool, a.action, a.description, a.decision, a.by, a.mode,
    round(a.wait, 3) AS wait, a.executed, a.result, a.deny_f, a.flags
  FROM approvals a JOIN sessions s ON s.key = a.session;

CREATE VIEW unanswered_requests AS
  SELECT s.session, e.f, e.asker, e.method, e.id, round(s.duration - e.t, 3) AS waited, s.state
  FROM exchanges e JOIN sessions s ON s.key = e.session WHERE e.answer_f IS NULL;

CREATE VIEW slowest_answers AS
  SELECT s.session, e.f, e.answer_f, e.asker, e.method, e.latency, e.code
  FROM exchanges e JOIN sessions s ON s.key = e.session WHERE e.answer_f IS NOT NULL ORDER BY e.latency DESC;

CREATE VIEW method_counts AS
  SELECT s.session, f."from", f.envelope, f.method, f.type, count(*) AS frames, sum(f.size) AS bytes
  FROM frames f JOIN sessions s ON s.key = f.session GROUP BY f.session, f."from", f.envelope, f.method, f.type;

PRAGMA user_version = ${SCHEMA};
`;

/** The statements exactly as SQLite stores them. */
export const SCHEMA_STATEMENTS = SCHEMA_SQL.match(/^CREATE [\s\S]*?(?=;\n)/gm)!;
