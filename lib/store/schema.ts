import { MARK } from '../filter/facts.ts';

/**
 * The index as SQLite sees it. It is derived from the tapes, so it is never migrated: a change of this text gets a new
 * number, hence a new file beside the old one, and versions of wiretape run side by side.
 */
export const SCHEMA = 3;

/** Kinds that make up the bulk of a session. */
export const BULK = ['text', 'thinking', 'tool-args', 'progress', 'log', 'usage', 'status'];

/**
 * Each serves the queries that imply its condition, which they then repeat in the same words. They hold what is asked
 * for, so that a query over the whole store looks at no row that does not match. Those that are likely to be short come
 * first.
 */
export const PARTIAL_INDEXES = [
  { name: 'wait', on: 'wait', where: 'wait IS NOT NULL' },
  { name: 'code', on: 'code', where: 'code IS NOT NULL' },
  { name: 'approval', on: 'approval, by', where: 'approval IS NOT NULL' },
  { name: 'subagent', on: 'subagent', where: 'subagent IS NOT NULL' },
  { name: 'size', on: 'size', where: 'size >= 4096' },
  { name: 'gap', on: 'gap', where: 'gap >= 1' },
  { name: 'kinds', on: 'f', where: 'kinds IS NOT NULL' },
  { name: 'marks', on: 'marks', where: `marks & ${~MARK.delta & 0xffff} <> 0` },
  { name: 'status', on: 'status', where: 'status IS NOT NULL' },
  { name: 'latency', on: 'latency', where: 'latency IS NOT NULL' },
  { name: 'tool', on: 'tool', where: 'tool IS NOT NULL' },
  { name: 'kind', on: 'kind', where: `kind NOT IN (${BULK.map((kind) => `'${kind}'`)})` },
  { name: 'id', on: 'id', where: 'id IS NOT NULL' },
  { name: 'outside', on: '"from"', where: `"from" IN ('client', 'stderr', 'proc')` },
] as const;

export const SCHEMA_SQL = `
-- One row a session: what \`wiretape ls\` shows. \`key\` is the id as a number, in order of time.
CREATE TABLE sessions (
  key INTEGER PRIMARY KEY,
  session TEXT NOT NULL UNIQUE,
  name TEXT,
  tags TEXT NOT NULL,                -- a JSON object
  source TEXT NOT NULL,              -- record, import, replay
  dialect TEXT, protocol TEXT, client TEXT, agent TEXT, agent_version TEXT,
  command TEXT NOT NULL,             -- a JSON array
  cwd TEXT NOT NULL,
  user TEXT,
  host TEXT,
  started TEXT NOT NULL,             -- ISO 8601, UTC
  ended TEXT,
  duration REAL,                     -- seconds
  frames INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  turns INTEGER, tools INTEGER, approvals INTEGER, errors INTEGER,
  state TEXT NOT NULL,               -- running, ended, killed, incomplete
  exit_code INTEGER,
  exit_signal TEXT,
  gaps INTEGER NOT NULL,
  probe INTEGER NOT NULL,            -- 1: only shook hands
  tape_elsewhere TEXT,               -- where record --tape put it
  digest TEXT,
  heard INTEGER NOT NULL,            -- 0: what its client said is not on the tape
  bypass TEXT,                       -- when nobody had to be asked: a JSON array of {from, to, mode, frees}
  -- What these rows were made of, to see when they are behind, and what they come to, to see when some are missing.
  settled INTEGER NOT NULL,          -- 1: made of the whole tape, and it will not grow any more
  indexed INTEGER NOT NULL,          -- bytes of the tape
  in_order INTEGER NOT NULL,         -- 0: its frames are not numbered in order, so only its tape is searched
  frame_rows INTEGER NOT NULL,       -- rows of frames
  text_rows INTEGER NOT NULL,        -- of texts
  index_rows TEXT,                   -- of frames in each of its indexes: a JSON array; null before it is settled
  audit_sum INTEGER,                 -- CRC-32 of its rows of approvals, of heard and bypass; null before it is settled
  folder_changed REAL NOT NULL,      -- milliseconds, of the session's folder
  names_changed REAL                 -- of meta.json, if there is one
);
CREATE INDEX sessions_by_name ON sessions (name) WHERE name IS NOT NULL;

-- One row a line that crossed the pipe, or event of the process.
CREATE TABLE frames (
  session INTEGER NOT NULL,          -- sessions.key
  f INTEGER NOT NULL,
  t REAL NOT NULL,                   -- seconds since the session started
  "from" TEXT NOT NULL,              -- client, agent, stderr, proc
  envelope TEXT NOT NULL,            -- request, response, error, notification, none
  kind TEXT,
  kinds TEXT,                        -- where it means several things: all of them
  method TEXT,
  type TEXT,
  id TEXT,                           -- as JSON: 1 is not "1"
  tool TEXT, tool_call_id TEXT, turn INTEGER, step INTEGER, subagent TEXT, parent TEXT, item INTEGER, status TEXT,
  code INTEGER,                      -- of an error
  event TEXT,                        -- spawn, eof, exit, ...
  pair_f INTEGER,                    -- the frame that answers this one, or that this one answers
  latency REAL,                      -- seconds between the two
  wait REAL,                         -- seconds that what it asks was open
  gap REAL,                          -- seconds since the frame before it
  approval TEXT,                     -- what was decided: allow, allow-always, deny, cancelled, none, unasked
  by TEXT,                           -- and by what: client, client-error, invalid, grant, agent, nobody
  size INTEGER NOT NULL,             -- bytes of the line
  offset INTEGER NOT NULL,           -- of its line in the tape
  flags TEXT,
  marks INTEGER NOT NULL,            -- bits: is: and has: of the query language
  PRIMARY KEY (session, f)
) WITHOUT ROWID;
-- Most frames are pieces of text: what is asked for is among the others.
${PARTIAL_INDEXES.map(({ name, on, where }) => `CREATE INDEX frames_by_${name} ON frames (session, ${on}) WHERE ${where};`).join('\n')}

-- Full text: what was said, in lower case, many frames a row. See texts.ts.
CREATE TABLE texts (
  session INTEGER NOT NULL,
  n INTEGER NOT NULL,
  text BLOB NOT NULL,
  ends BLOB NOT NULL,
  sum INTEGER NOT NULL,              -- CRC-32 of both
  PRIMARY KEY (session, n)
);

-- What an agent asked its client, or did unasked: rows of the audit.
CREATE TABLE approvals (
  session INTEGER NOT NULL,
  f INTEGER NOT NULL,                -- the request, or the call that nobody was asked about
  n INTEGER NOT NULL,                -- which of those that the frame tells of
  kind TEXT NOT NULL,                -- approval, question, client-call, hook
  turn INTEGER,
  subagent TEXT,
  tool TEXT,
  action TEXT,
  description TEXT,
  decision TEXT NOT NULL,
  by TEXT NOT NULL,
  wait REAL,                         -- seconds
  executed TEXT NOT NULL,            -- yes, no, unknown
  result TEXT,                       -- ok, error
  flags TEXT NOT NULL,
  row TEXT NOT NULL,                 -- all of it, as JSON
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
    f.pair_f, f.latency, f.wait, f.approval, f.by, f.size, f.flags
  FROM frames f JOIN sessions s ON s.key = f.session;

CREATE VIEW approval_list AS
  SELECT s.session, a.f, a.kind, a.turn, a.subagent, a.tool, a.action, a.description, a.decision, a.by,
    round(a.wait, 3) AS wait, a.executed, a.result, a.flags
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

/** What it makes, as SQLite keeps it: every statement to the letter. */
export const SCHEMA_STATEMENTS = SCHEMA_SQL.match(/^CREATE [\s\S]*?(?=;\n)/gm)!;
