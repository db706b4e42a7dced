/**
 * The index as SQLite sees it. It is derived from the tapes, so it is never migrated: a change of this text gets a new
 * number, hence a new file beside the old one, and versions of wiretape run side by side.
 */
export const SCHEMA = 1;

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
  -- What these rows were made of, to see when they are behind.
  settled INTEGER NOT NULL,          -- 1: the tape will not grow any more
  indexed INTEGER NOT NULL,          -- bytes of the tape
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
  method TEXT,
  type TEXT,
  id TEXT,                           -- as JSON: 1 is not "1"
  tool TEXT, turn INTEGER, step INTEGER, subagent TEXT, status TEXT,
  code INTEGER,                      -- of an error
  event TEXT,                        -- spawn, eof, exit, ...
  pair_f INTEGER,                    -- the frame that answers this one, or that this one answers
  latency REAL,                      -- seconds between the two
  size INTEGER NOT NULL,             -- bytes of the line
  offset INTEGER NOT NULL,           -- of its line in the tape
  flags TEXT,
  PRIMARY KEY (session, f)
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
    f.pair_f, f.latency, f.size, f.flags
  FROM frames f JOIN sessions s ON s.key = f.session;

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
