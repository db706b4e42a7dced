/** An index that others have locked, and a store that cannot be written: nobody waits, and readers answer (promise 4). */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { describe, expect } from 'vitest';
import { dump, indexOf } from '../../support/index.ts';
import { allBegun, end, ls, rebuilt, recordCat, removeIndex, say } from '../../support/ls.ts';
import { processesWith } from '../../support/processes.ts';
import { WIRETAPE, wiretape } from '../../support/run.ts';
import { makeSession, smallTalk } from '../../support/session.ts';
import { it, type Place } from '../../support/store.ts';
import { pause, stored, waitFor } from '../../support/wait.ts';

const LOCKS: [string, (place: Place) => Sqlite.Database][] = [
  ['is written by another', ({ home }) => locked(indexOf(home), 'BEGIN IMMEDIATE')],
  ['another has for itself', ({ home }) => locked(indexOf(home), 'PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')],
  [
    'another is about to make',
    (place) => {
      removeIndex(place);
      return locked(`${indexOf(place.home)}.lock`, 'BEGIN EXCLUSIVE');
    },
  ],
];

function locked(path: string, sql: string): Sqlite.Database {
  const db = new Sqlite(path);
  db.exec(sql);
  return db;
}

describe.concurrent('an index that', () => {
  it.for(LOCKS)(
    '%s all the while delays no recorder, and the next reader completes it',
    async ([, lock], { place }) => {
      makeSession(place.home, smallTalk);
      await ls(place, WIRETAPE);
      const holder = lock(place);
      const client = recordCat(place);
      try {
        for (let i = 0; i < 5; i++) {
          await say(client, `{"id":${i},"method":"m"}`);
          // So that the worker meets the lock again and again.
          await pause(150);
        }
        // It ends while the lock is still held, with nothing to say about it.
        await end(client);
        holder.close();
        const { rows, said } = await ls(place, WIRETAPE);
        expect(said).toBe('');
        expect(rows.map(({ state, frames }) => [state, frames])).toEqual([
          ['ended', expect.any(Number)],
          ['ended', 15],
        ]);
        const index = dump(place.home);
        expect(index.frames!.length).toBe(4 + 15);
        expect(await rebuilt(place)).toEqual(index);
      } finally {
        client.dispose();
        holder.close();
      }
    },
  );
});

function mount(place: Place): boolean {
  mkdirSync(place.home, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', place.home], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe('a store that cannot be written', () => {
  it('is listed from its tapes, with and without an index, and a killed session too', async ({ place, skip }) => {
    if (!mount(place)) skip('mounting a tmpfs needs root');
    const client = recordCat(place, ['--name', 'killed']);
    try {
      makeSession(place.home, smallTalk);
      await say(client, '{"id":1,"method":"m"}');
      await allBegun(place);
      await ls(place, WIRETAPE);
      await stored(place, '{"id":1,"method":"m"}');
      client.kill('SIGKILL');
      await client.exited();
      for (const removed of [false, true]) {
        if (removed) removeIndex(place);
        // The writer process of a killed recorder has its tape open until it notices.
        await waitFor(() => processesWith(place.marker).length === 0, 'the end of all');
        execFileSync('mount', ['-o', 'remount,ro', place.home], { stdio: 'ignore' });
        const { rows, said } = await ls(place, WIRETAPE);
        expect(rows.map(({ state, name }) => [state, name])).toEqual([
          ['ended', null],
          ['killed', 'killed'],
        ]);
        expect(said).toMatch(
          /^(wiretape: the index cannot be used [^\n]*; reading the tapes instead\nhint: [^\n]*\n)?$/,
        );
        expect((await wiretape(place, ['verify', 'killed'])).code).toBe(0);
        execFileSync('mount', ['-o', 'remount,rw', place.home], { stdio: 'ignore' });
      }
      const { rows } = await ls(place, WIRETAPE);
      expect(rows[1]).toMatchObject({ state: 'killed', frames: 4 });
      expect(dump(place.home).frames).toHaveLength(8);
    } finally {
      client.dispose();
      execFileSync('umount', ['-l', place.home], { stdio: 'ignore' });
    }
  });
});
