/** What lies under the index's name may come from anywhere: nothing of it runs, and it reaches nothing beyond the store. */
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect } from 'vitest';
import { listSessions, reindex } from '../../../../lib/storage/index/catch-up.ts';
import { damagedIndexesIn } from '../../../../lib/storage/index/damaged-indexes.ts';
import { findLeftovers } from '../../../../lib/storage/index/leftovers.ts';
import { SCHEMA_STATEMENTS } from '../../../../lib/storage/index/schema.ts';
import { answersOf } from '../../../support/answers.ts';
import { dump, filesIn, INDEX, indexOf, query, tamper } from '../../../support/index.ts';
import { makeSession, smallTalk } from '../../../support/session.ts';
import { it, type Place } from '../../../support/store.ts';

const SAID = [expect.stringMatching(/^the index was damaged; it was set aside as .* and rebuilt$/)];

function list({ home }: Place): { frames: number[]; said: string[] } {
  const said: string[] = [];
  const talk = { notice: (message: string) => said.push(message), progress: () => {} };
  return { frames: listSessions(home, talk).sessions.map(({ frames }) => frames), said };
}

describe('the schema', () => {
  it('is what SQLite says it is', ({ place }) => {
    makeSession(place.home, smallTalk);
    list(place);
    const kept = query(place.home, 'SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid');
    expect(kept.map(({ sql }) => sql)).toEqual(SCHEMA_STATEMENTS);
    expect(SCHEMA_STATEMENTS.length).toBeGreaterThan(20);
  });

  it.for([
    "CREATE TRIGGER hide AFTER INSERT ON frames WHEN new.method = 'prompt' BEGIN DELETE FROM frames WHERE f = new.f; END",
    'CREATE TABLE more (x)',
    'DROP VIEW session_list',
    'DROP INDEX frames_by_tool',
    'DROP VIEW session_list; CREATE VIEW session_list AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x FROM n) SELECT * FROM n',
    'ALTER TABLE sessions RENAME TO old; CREATE VIEW sessions AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x FROM n) SELECT old.* FROM old, n',
  ])('is ours to the letter, else it is set aside: %s', async (sql, { place }) => {
    makeSession(place.home, smallTalk);
    const right = await answersOf(place.home, { byTape: true });
    list(place);
    tamper(place.home, sql);
    expect(list(place)).toEqual({ frames: [4], said: SAID });
    expect(await answersOf(place.home)).toEqual(right);
    expect(query(place.home, 'SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid')).toHaveLength(
      SCHEMA_STATEMENTS.length,
    );
  });
});

describe('reindex', () => {
  it('makes a new file, whatever the old one was, and leaves nothing behind', ({ place }) => {
    makeSession(place.home, smallTalk);
    list(place);
    const before = dump(place.home);
    tamper(
      place.home,
      "CREATE TRIGGER hide AFTER INSERT ON frames WHEN new.method = 'prompt' BEGIN DELETE FROM frames WHERE f = new.f; END; DELETE FROM frames",
    );
    const { ino } = statSync(indexOf(place.home));
    // A connection that has the old one open is not disturbed, and does not disturb.
    const db = openedByAnother(place);
    expect(
      reindex(place.home, { notice: (message) => expect.fail(message), progress: () => {} }).sessions,
    ).toHaveLength(1);
    db.close();
    expect(statSync(indexOf(place.home)).ino).not.toBe(ino);
    expect(dump(place.home)).toEqual(before);
    expect(query(place.home, "SELECT name FROM sqlite_schema WHERE type = 'trigger'")).toEqual([]);
    expect(filesIn(place.home)).toEqual([INDEX, 'sessions']);
    expect(statSync(indexOf(place.home)).mode & 0o777).toBe(0o600);
  });
});

/** As another program has it, in the middle of a transaction. */
function openedByAnother({ home }: Place): Sqlite.Database {
  const db = new Sqlite(indexOf(home));
  db.exec('BEGIN IMMEDIATE');
  return db;
}

describe('beside the index', () => {
  it('garbage in the lock is cut off', ({ place }) => {
    makeSession(place.home, smallTalk);
    writeFileSync(`${indexOf(place.home)}.lock`, 'garbage'.repeat(1000));
    expect(list(place)).toEqual({ frames: [4], said: [] });
    expect(statSync(`${indexOf(place.home)}.lock`).size).toBe(0);
    expect(dump(place.home).frames).toHaveLength(4);
  });

  it.for(['', '-wal', '-shm', '.lock'])(`a link as ${INDEX}%s is not followed`, (part, { place }) => {
    makeSession(place.home, smallTalk);
    const victim = join(place.dir, 'victim');
    writeFileSync(victim, 'precious');
    if (part !== '' && part !== '.lock') list(place);
    symlinkSync(victim, `${indexOf(place.home)}${part}`);
    expect(list(place)).toEqual({
      frames: [4],
      said: [`the index cannot be used (${INDEX}${part} is not a regular file); reading the tapes instead`],
    });
    expect(readFileSync(victim, 'utf8')).toBe('precious');
    expect(() => reindex(place.home, { notice: () => {}, progress: () => {} })).toThrow('is not a regular file');
  });

  it('a journal is not obeyed, which names a file to be deleted', ({ place }) => {
    makeSession(place.home, smallTalk);
    list(place);
    const victim = join(place.dir, 'victim');
    writeFileSync(victim, 'precious');
    for (const part of ['-journal', '.lock-journal'])
      writeFileSync(`${indexOf(place.home)}${part}`, journalThatDeletes(victim));
    expect(list(place)).toEqual({ frames: [4], said: SAID });
    expect(existsSync(victim)).toBe(true);
    expect(existsSync(`${indexOf(place.home)}-journal`)).toBe(false);
  });
});

/** A rollback journal of no pages that was part of a transaction over several files, of which this one tells. */
function journalThatDeletes(path: string): Buffer {
  const header = Buffer.alloc(512);
  Buffer.from('d9d505f920a163d7', 'hex').copy(header);
  // No records; nonce, pages of the database before, size of a sector and of a page.
  for (const [i, number] of [0, 1, 1, 512, 4096].entries()) header.writeUInt32BE(number, 8 + 4 * i);
  const name = Buffer.from(path);
  const tail = Buffer.alloc(8);
  tail.writeUInt32BE(name.length, 0);
  tail.writeUInt32BE(
    name.reduce((sum, byte) => sum + byte, 0),
    4,
  );
  const page = Buffer.alloc(4);
  // The page of the file that SQLite's locks are on, which holds no data.
  page.writeUInt32BE(0x40000000 / 4096 + 1);
  return Buffer.concat([header, page, name, tail, Buffer.from('d9d505f920a163d7', 'hex')]);
}

describe('what was set aside', () => {
  it('is the newest only, and goes after a week', ({ place }) => {
    makeSession(place.home, smallTalk);
    for (let i = 0; i < 4; i++) {
      list(place);
      writeFileSync(indexOf(place.home), `garbage ${i}`);
    }
    list(place);
    const [aside, ...more] = damagedIndexesIn(place.home);
    expect(more).toEqual([]);
    expect(readFileSync(join(place.home, aside!), 'utf8')).toBe('garbage 3');
    const now = Date.now();
    expect(findLeftovers(place.home, now)).toEqual([]);
    expect(findLeftovers(place.home, now + 8 * 24 * 3_600_000)).toContain(join(place.home, aside!));
  });

  it('nor is an index of an earlier version kept for ever', ({ place }) => {
    makeSession(place.home, smallTalk);
    const earlier = join(place.home, 'index-2.db');
    for (const path of [earlier, `${earlier}.lock`]) writeFileSync(path, '');
    expect(findLeftovers(place.home, Date.now())).toEqual([]);
    const longAgo = Date.now() / 1000 - 40 * 24 * 3600;
    utimesSync(earlier, longAgo, longAgo);
    expect(findLeftovers(place.home, Date.now()).sort()).toEqual([earlier, `${earlier}.lock`]);
    expect(readdirSync(place.home)).toContain('index-2.db');
  });
});

describe('a store of an earlier version', () => {
  it('whose index was cut short answers right at the first look', async ({ place }) => {
    makeSession(place.home, smallTalk);
    const right = await answersOf(place.home, { byTape: true });
    // As that version left it: settled, with half of the rows.
    tamper(
      place.home,
      'DELETE FROM frames WHERE f > 2; UPDATE sessions SET frames = 2, digest = NULL; PRAGMA user_version = 2',
    );
    renameSync(indexOf(place.home), join(place.home, 'index-2.db'));
    expect(list(place)).toEqual({ frames: [4], said: [] });
    expect(await answersOf(place.home)).toEqual(right);
    // The next recorder of that version finds its own.
    expect(filesIn(place.home).sort()).toEqual(['index-2.db', INDEX, 'sessions'].sort());
  });
});
