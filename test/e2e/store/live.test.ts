/** The recorder's own rows: there while the session runs, complete when it ends, right after a kill (section 5). */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { WriterMessage } from '../../../lib/recording/recorder/writer-protocol.ts';
import { writeNames } from '../../../lib/storage/store/names.ts';
import { dump, indexOf, query, type Row } from '../../support/index.ts';
import { end, ls, rebuilt, recordCat, say } from '../../support/ls.ts';
import { smallTalkSoFar } from '../../support/session.ts';
import { it, type Place } from '../../support/store.ts';
import { stored, waitFor } from '../../support/wait.ts';
import { startWriter } from '../../support/writer-alone.ts';

function sessionRow({ home }: Place): Row | undefined {
  return existsSync(indexOf(home)) ? query(home, 'SELECT * FROM sessions')[0] : undefined;
}

describe.concurrent('a running recorder', () => {
  it('writes rows while it runs, and the last ones when it ends', async ({ place }) => {
    const client = recordCat(place, ['--name', 'live']);
    try {
      await say(client, '{"id":1,"method":"first"}');
      const first = await waitFor(() => sessionRow(place), 'the first rows');
      expect(first).toMatchObject({ state: 'running', settled: 0, name: 'live', ended: null, exit_code: null });
      await say(client, '{"id":2,"method":"second"}');
      await waitFor(
        () => query(place.home, "SELECT 1 FROM exchanges WHERE method = 'second'").length > 0,
        'rows of what came later',
      );
      expect(query(place.home, 'SELECT DISTINCT "from" FROM frames ORDER BY 1')).toEqual([
        { from: 'agent' },
        { from: 'client' },
        { from: 'proc' },
      ]);
      expect((await ls(place)).rows[0]).toMatchObject({ state: 'running', name: 'live', exit: null });
      await end(client);
    } finally {
      client.dispose();
    }
  });

  it('leaves complete rows behind without any reader', async ({ place }) => {
    // By itself, because a recorder waits for its last rows only briefly: on a busy machine they are left to a reader.
    const writer = startWriter(place, '20261116T022911-abcd');
    smallTalkSoFar(writer.journal);
    await writer.send(WriterMessage.grown);
    await waitFor(() => rowsOf(place, 'settled = 0') > 0, 'its first rows');
    writer.journal.exit(5000);
    await writer.send(WriterMessage.finish);
    writer.link.resume();
    await writer.exited;
    const [settled] = query(place.home, 'SELECT * FROM sessions WHERE settled = 1');
    expect(settled).toMatchObject({
      state: 'ended',
      exit_code: 0,
      frames: 4,
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(query(place.home, 'SELECT count(*) AS n FROM frames WHERE session = ?', settled!.key)[0]!.n).toBe(4);
    await ls(place);
    const all = dump(place.home);
    expect(all.sessions).toContainEqual(settled);
    expect(await rebuilt(place)).toEqual(all);
  });

  it('killed in the middle is called killed by the next reader, with all its frames', async ({ place }) => {
    const client = recordCat(place);
    try {
      for (let i = 0; i < 20; i++) await say(client, `{"id":${i},"method":"m"}`);
      await waitFor(() => sessionRow(place), 'some rows');
      await say(client, '{"id":20,"method":"last"}');
      await stored(place, '{"id":20,"method":"last"}');
      client.kill('SIGKILL');
      await client.exited();
      expect(sessionRow(place)).toMatchObject({ state: 'running' });
      const { rows, said } = await ls(place);
      expect(said).toBe('');
      // Twenty-one lines each way, spawn and lost.
      expect(rows[0]).toMatchObject({ state: 'killed', exit: null, frames: 44 });
      const index = dump(place.home);
      expect(index.frames).toHaveLength(44);
      expect(index.sessions![0]).toMatchObject({ state: 'killed', settled: 1 });
      expect(index.exchanges!.map(({ method }) => method)).toContain('last');
      expect(await rebuilt(place)).toEqual(index);
    } finally {
      client.dispose();
    }
  });

  it('has the names of now, and the rows that it had when they were changed', async ({ place }) => {
    const client = recordCat(place, ['--name', 'first']);
    try {
      await say(client, '{"id":1,"method":"m"}');
      const row = (await waitFor(() => sessionRow(place), 'some rows'))!;
      const dir = join(place.home, 'sessions', String(row.session));
      writeNames(dir, { name: 'second', tags: { k: 'v' } });
      expect((await ls(place)).rows[0]).toMatchObject({ state: 'running', name: 'second', tags: { k: 'v' } });
      expect(existsSync(join(dir, 'journal'))).toBe(true);
      await end(client);
      expect((await ls(place)).rows[0]).toMatchObject({ state: 'ended', name: 'second', tags: { k: 'v' } });
    } finally {
      client.dispose();
    }
  });
});

function rowsOf(place: Place, condition: string): number {
  if (!existsSync(indexOf(place.home))) return 0;
  return Number(query(place.home, `SELECT count(*) AS n FROM sessions WHERE ${condition}`)[0]!.n);
}
