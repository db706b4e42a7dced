/** The index appears whole or not at all; what is no index is set aside with all that belongs to it (section 5). */
import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import Sqlite from 'better-sqlite3';
import { describe, expect } from 'vitest';
import { listSessions } from '../../../../lib/storage/index/catch-up.ts';
import { inodeAt, openIndex, replaceDamaged } from '../../../../lib/storage/index/file.ts';
import { SCHEMA } from '../../../../lib/storage/index/schema.ts';
import { IndexUnavailable } from '../../../../lib/storage/index/sqlite.ts';
import { dump, filesIn, INDEX, indexOf, tamper } from '../../../support/index.ts';
import { makeSession, rpc } from '../../../support/session.ts';
import { it, type Place } from '../../../support/store.ts';

/** Opens the index as a reader would, uses it, and gives what was said. */
function open({ home }: Place): string[] {
  const said: string[] = [];
  const db = openIndex(home, { patienceMs: 1000, notice: (message) => said.push(message) });
  expect(db.prepare('SELECT count(*) AS n FROM sessions').all()).toHaveLength(1);
  db.close();
  return said;
}

/** A store with a session of some pages, and its index as it lies there afterwards. */
function filled(place: Place): Buffer {
  makeSession(place.home, (journal) => {
    for (let i = 0; i < 300; i++)
      journal.data(
        i % 2 ? 'agent' : 'client',
        i,
        rpc({ id: i >> 1, ...(i % 2 ? { result: i } : { method: `m${i}` }) }),
      );
    journal.exit(400);
  });
  list(place);
  return readFileSync(indexOf(place.home));
}

function list({ home }: Place): { sessions: string[]; said: string[] } {
  const said: string[] = [];
  const talk = { notice: (message: string) => said.push(message), progress: () => {} };
  const { sessions, unreadable } = listSessions(home, talk);
  expect(unreadable).toEqual([]);
  return { sessions: sessions.map(({ session, frames, state }) => `${session} ${frames} ${state}`), said };
}

const SAID = [
  expect.stringMatching(
    new RegExp(`^the index was damaged; it was set aside as .*${INDEX}\\.damaged-\\d{14}-[0-9a-f]{4} and rebuilt$`),
  ),
];

describe('openIndex', () => {
  it('makes a whole index that only we can read, and nothing else', ({ place }) => {
    mkdirSync(place.home);
    const umask = process.umask(0);
    try {
      expect(open(place)).toEqual([]);
      const db = openIndex(place.home, { patienceMs: 1000, notice: () => {} });
      db.exec(`BEGIN IMMEDIATE; PRAGMA user_version = ${SCHEMA}; COMMIT`);
      for (const name of readdirSync(place.home))
        expect(statSync(`${place.home}/${name}`).mode & 0o777, name).toBe(0o600);
      expect(db.pragma('journal_mode', { simple: true })).toBe('wal');
      db.close();
    } finally {
      process.umask(umask);
    }
    expect(filesIn(place.home)).toEqual([INDEX]);
    expect(open(place)).toEqual([]);
  });

  it('is made once by many at the same time, and nobody meets half of it', async ({ place }) => {
    mkdirSync(place.home);
    const program = `
      import { openIndex } from ${JSON.stringify(new URL('../../../../dist/lib/storage/index/file.js', import.meta.url).href)};
      for (let i = 0; i < 8; i++) {
        const db = openIndex(${JSON.stringify(place.home)}, { patienceMs: 20000, notice: (m) => console.log(m) });
        db.prepare('SELECT count(*) FROM sessions').get();
        db.prepare('SELECT count(*) FROM method_counts').get();
        db.close();
      }`;
    const runs = Array.from({ length: 6 }, () =>
      promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]),
    );
    for (const { stdout, stderr } of await Promise.all(runs)) expect(stdout + stderr).toBe('');
    expect(filesIn(place.home)).toEqual([INDEX]);
    expect(dump(place.home)).toEqual({ sessions: [], frames: [], exchanges: [] });
  });

  it('leaves nothing behind when it cannot be made', ({ place }) => {
    mkdirSync(place.home);
    mkdirSync(indexOf(place.home));
    expect(() => open(place)).toThrow(/^the index cannot be used/);
    expect(filesIn(place.home)).toEqual([INDEX]);
  });

  it.for<[string, (path: string) => void]>([
    ['zero bytes', (path) => writeFileSync(path, '')],
    ['text', (path) => writeFileSync(path, 'hello\n'.repeat(1000))],
    ['one byte', (path) => writeFileSync(path, 'S')],
    ['a header and no more', (path) => truncateSync(path, 100)],
    ['noise', (path) => writeFileSync(path, Buffer.alloc(40_000, 0xa5))],
    ['another schema', (path) => rewrite(path, `PRAGMA user_version = ${SCHEMA + 1}`)],
    [
      "another program's database",
      (path) => rewrite(path, 'DROP TABLE exchanges; CREATE TABLE notes (x); PRAGMA user_version = 0'),
    ],
  ])('sets aside what is %s, says so once, and makes a new one', ([, spoil], { place }) => {
    mkdirSync(place.home);
    open(place);
    spoil(indexOf(place.home));
    const spoilt = readFileSync(indexOf(place.home));
    expect(open(place)).toEqual(SAID);
    expect(open(place)).toEqual([]);
    const aside = filesIn(place.home).find((name) => name.includes('damaged'))!;
    expect(readFileSync(`${place.home}/${aside}`).equals(spoilt)).toBe(true);
    expect(filesIn(place.home)).toEqual([INDEX, aside]);
  });

  it('sets aside the log together with the file', ({ place }) => {
    mkdirSync(place.home);
    open(place);
    writeFileSync(indexOf(place.home), 'garbage'.repeat(1000));
    for (const part of ['-wal', '-shm']) writeFileSync(`${indexOf(place.home)}${part}`, `old ${part}`);
    replaceDamaged(place.home, inodeAt(indexOf(place.home)), { patienceMs: 1000, notice: () => {} });
    const [aside] = filesIn(place.home).filter((name) => name.includes('damaged'));
    for (const part of ['-wal', '-shm']) {
      expect(readFileSync(`${place.home}/${aside}${part}`, 'utf8')).toBe(`old ${part}`);
      expect(existsSync(`${indexOf(place.home)}${part}`)).toBe(false);
    }
    expect(open(place)).toEqual([]);
  });

  it('sets nothing aside that somebody else has put in place of the damaged one', ({ place }) => {
    mkdirSync(place.home);
    open(place);
    const damaged = inodeAt(indexOf(place.home));
    renameSync(indexOf(place.home), `${indexOf(place.home)}.away`);
    open(place);
    replaceDamaged(place.home, damaged, { patienceMs: 1000, notice: (message) => expect.fail(message) });
    expect(existsSync(indexOf(place.home))).toBe(true);
  });

  it('is met by one who opens it while it is deleted or replaced again and again', async ({ place }) => {
    mkdirSync(place.home);
    open(place);
    const spoiler = new Worker(
      `const { parentPort, workerData: path } = require('node:worker_threads');
       const { rmSync, writeFileSync } = require('node:fs');
       let going = true, n = 0;
       parentPort.on('message', () => { going = false; });
       const spoil = () => {
         if (n++ % 2) writeFileSync(path, 'garbage'.repeat(n % 999));
         else rmSync(path, { force: true });
         if (going) setTimeout(spoil, 3); else parentPort.postMessage('stopped');
       };
       spoil();`,
      { eval: true, workerData: indexOf(place.home) },
    );
    let opened = 0;
    for (let i = 0; i < 60; i++) {
      try {
        openIndex(place.home, { patienceMs: 1000, notice: () => {} }).close();
        opened++;
      } catch (error) {
        // Spoilt four times while we opened it: given up, in words.
        expect(error).toBeInstanceOf(IndexUnavailable);
      }
      await new Promise(setImmediate);
    }
    expect(opened).toBeGreaterThan(0);
    const stopped = new Promise((done) => spoiler.once('message', done));
    spoiler.postMessage('stop');
    await stopped;
    open(place);
    expect(dump(place.home).sessions).toEqual([]);
  });

  it('never reads the log of an index that is gone', ({ place }) => {
    mkdirSync(place.home);
    open(place);
    // What is left when the file alone is deleted while somebody writes.
    const writer = new Sqlite(indexOf(place.home));
    writer.exec(`CREATE TABLE ghost (x); INSERT INTO ghost VALUES (1); PRAGMA user_version = 1`);
    const log = readFileSync(`${indexOf(place.home)}-wal`);
    expect(log.length).toBeGreaterThan(4096);
    writer.close();
    for (const name of readdirSync(place.home)) rmSync(`${place.home}/${name}`);
    writeFileSync(`${indexOf(place.home)}-wal`, log);
    expect(open(place)).toEqual([]);
    const db = new Sqlite(indexOf(place.home));
    expect(db.prepare("SELECT name FROM sqlite_schema WHERE name = 'ghost'").all()).toEqual([]);
    db.close();
    expect(dump(place.home).sessions).toEqual([]);
  });
});

describe('a damaged index under a reader', () => {
  it('answers right when the file is cut off anywhere', ({ place }) => {
    const whole = filled(place);
    const right = list(place).sessions;
    for (let length = 0; length < whole.length; length += 1 + Math.floor(whole.length / 11)) {
      writeFileSync(indexOf(place.home), whole.subarray(0, length));
      const { sessions, said } = list(place);
      expect(sessions, `cut at ${length}`).toEqual(right);
      // Of the last page SQLite needs only the beginning to take it for there.
      if (length <= whole.length - 4096) expect(said, `cut at ${length}`).toEqual(SAID);
      if (said.length > 0) expect(dump(place.home).frames).toHaveLength(301);
    }
  });

  it('answers right when any page of it is noise', ({ place }) => {
    const whole = filled(place);
    const right = list(place).sessions;
    for (let page = 0; page < whole.length; page += 4096) {
      const spoilt = Buffer.from(whole);
      spoilt.fill(0xa5, page, page + 4096);
      writeFileSync(indexOf(place.home), spoilt);
      const { sessions, said } = list(place);
      expect(sessions, `page ${page / 4096}`).toEqual(right);
      // A page that `ls` never looks at may go unnoticed.
      expect(said.length).toBeLessThanOrEqual(1);
    }
  });

  it.for([
    'DROP TABLE sessions',
    'DROP TABLE frames',
    'DROP TABLE exchanges',
    'ALTER TABLE sessions DROP COLUMN digest',
    'ALTER TABLE frames DROP COLUMN offset',
    'ALTER TABLE exchanges DROP COLUMN code',
  ])('answers right after %s', (sql, { place }) => {
    filled(place);
    const right = list(place).sessions;
    // Views of the missing would keep it from being dropped.
    tamper(
      place.home,
      `DROP VIEW session_list; DROP VIEW frame_list; DROP VIEW unanswered_requests; DROP VIEW slowest_answers; DROP VIEW method_counts; UPDATE sessions SET settled = 0; ${sql}`,
    );
    expect(list(place)).toEqual({ sessions: right, said: SAID });
    expect(dump(place.home).frames).toHaveLength(301);
  });
});

function rewrite(path: string, sql: string): void {
  const db = new Sqlite(path);
  db.exec(sql);
  db.close();
}
