/** Rows that are behind what the folders hold, whoever changed them: a reader says what is there (section 5). */
import { cpSync, renameSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { Summary } from '../../../../lib/session/summary.ts';
import { summarise } from '../../../../lib/session/summary.ts';
import { listSessions } from '../../../../lib/storage/index/catch-up.ts';
import type { SessionListing } from '../../../../lib/storage/index/session-rows.ts';
import { writeNames } from '../../../../lib/storage/store/names.ts';
import { openPlace, using } from '../../../../lib/storage/store/open.ts';
import { thisProcess } from '../../../../lib/storage/store/owner.ts';
import { placeOf } from '../../../../lib/storage/store/sessions.ts';
import { dump, indexOf, tamper } from '../../../support/index.ts';
import { TestJournal } from '../../../support/journal.ts';
import { makeSession, smallTalk } from '../../../support/session.ts';
import { it, type Place } from '../../../support/store.ts';

const [A, B, C] = ['20261116T022911-aaaa', '20261116T022912-bbbb', '20261116T022913-cccc'];

const dirOf = ({ home }: Place, id: string) => join(home, 'sessions', id);

/** What a reader gets and hears. */
function list({ home }: Place): SessionListing & { said: string[] } {
  const said: string[] = [];
  return { ...listSessions(home, { notice: (message) => said.push(message), progress: () => {} }), said };
}

function fill(place: Place): Summary[] {
  makeSession(place.home, smallTalk, { id: A, names: { name: 'a', tags: {} } });
  makeSession(place.home, smallTalk, { id: B });
  return right(place);
}

/** What is listed is what is listed without the index, and the index is as good as new. */
function right(place: Place): Summary[] {
  const listed = list(place);
  const index = dump(place.home);
  const tapes = listed.sessions.map(({ session }) => using(openPlace(placeOf(place.home, session)), summarise));
  expect(listed).toEqual({ sessions: tapes, unreadable: [], said: [] });
  for (const part of ['', '-wal', '-shm']) rmSync(`${indexOf(place.home)}${part}`, { force: true });
  expect(list(place)).toEqual(listed);
  expect(dump(place.home)).toEqual(index);
  return listed.sessions;
}

describe('rows behind', () => {
  it.for([
    'DELETE FROM sessions',
    'DELETE FROM sessions; DELETE FROM frames; DELETE FROM exchanges',
    `DELETE FROM sessions WHERE session = '${A}'`,
    'UPDATE sessions SET settled = 0, frames = 1',
    "UPDATE sessions SET settled = 0, state = 'running', indexed = 0",
    'UPDATE sessions SET indexed = indexed - 1, frames = 99, folder_changed = 0',
    "CREATE TEMP TABLE one AS SELECT * FROM sessions WHERE name = 'a'; UPDATE one SET key = key + 1, session = '20261116T022911-aaab'; INSERT INTO sessions SELECT * FROM one",
  ])('by hand: %s', (sql, { place }) => {
    const before = fill(place);
    tamper(place.home, sql);
    expect(right(place)).toEqual(before);
  });

  it('of folders that came, went, and changed their names', ({ place }) => {
    fill(place);
    cpSync(dirOf(place, A), dirOf(place, C), { recursive: true });
    rmSync(dirOf(place, B), { recursive: true });
    const copied = right(place);
    expect(copied.map(({ session, name }) => [session, name])).toEqual([
      [A, 'a'],
      [C, 'a'],
    ]);
    renameSync(dirOf(place, A), dirOf(place, B));
    expect(
      right(place)
        .map(({ session }) => session)
        .sort(),
    ).toEqual([B, C]);
  });

  it('of a tape that another took the place of, of the very same size', ({ place }) => {
    const sizes = new Set<number>();
    for (const code of [3, 4]) {
      rmSync(dirOf(place, C), { recursive: true, force: true });
      const { tape } = makeSession(place.home, (j) => j.exit(2, { code, signal: null }), { id: C });
      sizes.add(statSync(tape).size);
      // The index of the first is still there when the second comes.
      expect(list(place).sessions[0]).toMatchObject({ exit: { code } });
    }
    expect(sizes.size).toBe(1);
    right(place);
  });

  it('of names that were edited where they lie, replaced, removed and given', ({ place }) => {
    fill(place);
    const meta = join(dirOf(place, A), 'meta.json');
    const names = () => right(place).map(({ name, tags }) => [name, tags]);
    // In an editor that writes into the file: the folder does not change.
    writeFileSync(meta, '{"name":"b","tags":{"k":"v"}}');
    utimesSync(meta, new Date(), new Date(Date.now() + 5000));
    expect(names()).toEqual([
      ['b', { k: 'v' }],
      [null, {}],
    ]);
    writeNames(dirOf(place, B), { name: 'new', tags: {} });
    rmSync(meta);
    expect(names()).toEqual([
      [null, {}],
      ['new', {}],
    ]);
    writeFileSync(join(dirOf(place, B), 'meta.json'), '{"name":');
    expect(names()).toEqual([
      [null, {}],
      [null, {}],
    ]);
  });

  it('of a session that cannot be read: the others are listed, and it is said', ({ place }) => {
    fill(place);
    const tape = join(dirOf(place, A), 'wire.jsonl');
    rmSync(tape);
    writeFileSync(tape, 'no tape\n');
    const { sessions, unreadable } = list(place);
    expect(sessions.map(({ session }) => session)).toEqual([B]);
    expect(unreadable).toEqual([{ session: A, message: 'the first line is not JSON' }]);
    expect(dump(place.home).sessions!.map(({ session }) => session)).toContain(B);
  });

  it('of a session that has only just begun: it is empty so far', ({ place }) => {
    const { dir, tape } = makeSession(place.home, smallTalk, { id: A });
    truncateSync(tape, 0);
    // Its recorder lives: it is us.
    writeFileSync(join(dir, 'owner.json'), JSON.stringify(thisProcess()));
    new TestJournal(join(dir, 'journal'), { session: A, command: ['kimi'] }).journal.close();
    const { sessions, unreadable, said } = list(place);
    expect({ unreadable, said }).toEqual({ unreadable: [], said: [] });
    expect(sessions).toMatchObject([
      { session: A, state: 'running', frames: 0, command: ['kimi'], dialect: null, tape },
    ]);
    expect(sessions[0]!.duration).toBeGreaterThanOrEqual(0);
  });
});
