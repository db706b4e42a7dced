/** Losing the index loses nothing: deleted or spoilt, with and without recorders at work (section 5, promise 4). */
import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { Client } from '../../support/client.ts';
import { dump, filesIn, indexOf, query } from '../../support/index.ts';
import { end, type LsRow, ls, rebuilt, recordCat, removeIndex, say } from '../../support/ls.ts';
import { makeSession, smallTalk } from '../../support/session.ts';
import { it, type Place } from '../../support/store.ts';
import { sessionsIn } from '../../support/tape.ts';
import { waitFor } from '../../support/wait.ts';

const PARTS: [string, string[]][] = [
  ['with its log', ['', '-wal', '-shm']],
  ['without its log', ['']],
];

/** Two ended sessions in the store. */
async function fill(place: Place): Promise<LsRow[]> {
  for (const name of ['one', 'two']) {
    makeSession(place.home, smallTalk, { id: `20251116T022911-0${name}`, names: { name, tags: {} } });
  }
  return (await ls(place)).rows;
}

/** Recorders that have rows in the index. */
async function startAll(place: Place): Promise<Client[]> {
  const clients = [recordCat(place, ['--name', 'x']), recordCat(place, ['--name', 'y'])];
  for (const client of clients) for (let i = 0; i < 9; i++) await say(client, `{"id":${i},"method":"before"}`);
  await waitFor(
    () => query(place.home, "SELECT 1 FROM sessions WHERE name IN ('x', 'y')").length === 2,
    'rows of both recorders',
  );
  return clients;
}

/** Something more to write, now that the index is another. */
async function goOn(clients: Client[]): Promise<void> {
  for (const client of clients) for (let i = 0; i < 9; i++) await say(client, `{"id":${i},"method":"after"}`);
}

function expectAll(rows: LsRow[], before: LsRow[]): void {
  for (const row of before) expect(rows).toContainEqual(row);
  const recorded = rows.filter(({ name }) => name === 'x' || name === 'y');
  expect(recorded.map(({ state, frames }) => `${state} ${frames}`)).toEqual(['ended 41', 'ended 41']);
}

describe.concurrent('an index that is deleted', () => {
  it.for(PARTS)('%s, while nobody writes, comes back the same', async ([, parts], { place }) => {
    const before = await fill(place);
    const index = dump(place.home);
    // As a killed process leaves it: with a log beside it.
    if (parts.length === 1) copyFileSync(indexOf(place.home), `${indexOf(place.home)}-wal`);
    removeIndex(place, parts);
    expect(await ls(place)).toEqual({ rows: before, said: '' });
    expect(dump(place.home)).toEqual(index);
  });

  it.for(PARTS)('%s, while recorders write, is filled again by them and by readers', async ([, parts], { place }) => {
    const before = await fill(place);
    const clients = await startAll(place);
    try {
      removeIndex(place, parts);
      await goOn(clients);
      await waitFor(() => existsSync(indexOf(place.home)), 'a new index');
      await Promise.all(clients.map(end));
      const { rows, said } = await ls(place);
      expect(said).toBe('');
      expectAll(rows, before);
      const index = dump(place.home);
      expect(index.frames!.length).toBe(rows.reduce((sum, { frames }) => sum + frames, 0));
      expect(await rebuilt(place)).toEqual(index);
    } finally {
      for (const client of clients) client.dispose();
    }
  });
});

function overwrite(path: string, from: number, length: number): void {
  const fd = openSync(path, 'r+');
  writeSync(fd, Buffer.alloc(length, 0xa5), 0, length, from);
  closeSync(fd);
}

const SPOILS: [string, (path: string) => void][] = [
  ['overwritten in the middle', (path) => overwrite(path, 4096, statSync(path).size - 4096)],
  ['emptied', (path) => truncateSync(path, 0)],
  ['garbage', (path) => writeFileSync(path, 'garbage '.repeat(9999))],
];

describe.concurrent('an index that is damaged', () => {
  it.for(SPOILS.slice(0, 1))(
    '(%s) while nobody writes is set aside, said once, and made again',
    async ([, spoil], { place }) => {
      const before = await fill(place);
      const index = dump(place.home);
      spoil(indexOf(place.home));
      const { rows, said } = await ls(place);
      expect(rows).toEqual(before);
      expect(said).toMatch(/^wiretape: the index was damaged; it was set aside as [^\n]* and rebuilt\n$/);
      expect(dump(place.home)).toEqual(index);
      expect(filesIn(place.home).filter((name) => name.includes('.damaged-'))).toHaveLength(1);
    },
  );

  it.for(SPOILS)(
    '(%s) while recorders write costs a line at most, no traffic and no rows',
    async ([, spoil], { place }) => {
      const before = await fill(place);
      const clients = await startAll(place);
      try {
        spoil(indexOf(place.home));
        await goOn(clients);
        for (const client of clients) client.end();
        await Promise.all(clients.map((client) => client.over()));
        const said = clients.map(({ stderr }) => stderr.toString());
        for (const words of said) expect(words).toMatch(/^(wiretape: the index was damaged; [^\n]*\n)?$/);
        for (const { code, stdout } of clients) {
          expect(code).toBe(0);
          expect(stdout.toString().split('\n')).toHaveLength(19);
        }
        const list = await ls(place);
        expectAll(list.rows, before);
        const aside = filesIn(place.home).filter((name) => name.includes('.damaged-'));
        expect(aside).toHaveLength(1);
        expect([...said, list.said].filter((words) => words !== '')).toHaveLength(1);
        const index = dump(place.home);
        expect(await rebuilt(place)).toEqual(index);
        expect(sessionsIn(place.home)).toHaveLength(4);
      } finally {
        for (const client of clients) client.dispose();
      }
    },
  );
});

describe('a session that is removed while it is recorded', () => {
  it('costs a line, no traffic and no session: its tape is put back at the end', async ({ place }) => {
    const before = await fill(place);
    const clients = await startAll(place);
    try {
      const [row] = query(place.home, "SELECT session FROM sessions WHERE name = 'x'");
      // Gone at once, as `wiretape rm` does it: while its files go one by one, the journal may be missed first.
      const gone = join(place.dir, 'gone');
      renameSync(join(place.home, 'sessions', String(row!.session)), gone);
      rmSync(gone, { recursive: true });
      await goOn(clients);
      await clients[0]!.until('traffic continues\n', 'stderr');
      await end(clients[1]!);
      clients[0]!.end();
      await clients[0]!.over();
      expect(clients[0]!.code).toBe(0);
      expect(clients[0]!.stderr.toString()).toMatch(
        /^wiretape: the session's folder was removed during recording; traffic continues\n$/,
      );
      const { rows, said } = await ls(place);
      expect(said).toBe('');
      expect(rows.map(({ name }) => name).sort()).toEqual([...before.map(({ name }) => name), 'x', 'y'].sort());
      expect(dump(place.home).sessions).toHaveLength(4);
    } finally {
      for (const client of clients) client.dispose();
    }
  });
});
