/** A report of a tape that is long enough to be rehearsed and looked through in threads of their own. */
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect } from 'vitest';
import { Client } from '../support/client.ts';
import { WIRETAPE, wiretape } from '../support/run.ts';
import { makeSession, rpc } from '../support/session.ts';
import { it } from '../support/store.ts';
import { waitFor } from '../support/wait.ts';

const PIECES = 50;
const PIECE = 'a long answer 世界 '.repeat(6000);

function longSession(home: string, pieces = PIECES, piece = PIECE): string {
  const event = (type: string, payload: unknown) => rpc({ method: 'event', params: { type, payload } });
  return makeSession(
    home,
    (journal) => {
      journal.data('client', 1e5, rpc({ id: 'p', method: 'prompt', params: { user_input: 'go' } }));
      journal.data('agent', 2e5, event('TurnBegin', { user_input: 'go' }));
      for (let n = 0; n < pieces; n++)
        journal.data('agent', 3e5 + n, event('ContentPart', { type: 'text', text: piece }));
      journal.data('agent', 4e5, rpc({ id: 'p', result: { status: 'finished' } }));
      journal.exit(5e5);
    },
    { about: { command: ['kimi', '--wire'], cwd: '/srv/shop' } },
  ).id;
}

describe('a report of a long session', () => {
  // Without these files, the program would do everything where it is.
  it.for(['rehearsal', 'inspection'])('has a program for the %s', (name) => {
    expect(existsSync(join(dirname(WIRETAPE), `chunks/${name}-worker.js`))).toBe(true);
  });

  it('is an archive whose tape can be verified', async ({ place }) => {
    const id = longSession(place.home);
    const file = join(place.home, 'report.zip');
    expect((await wiretape(place, ['report', id, '-o', file])).code).toBe(0);
    expect((await wiretape(place, ['verify', file])).code).toBe(0);
  });

  it('says that a replay gives the same', async ({ place }) => {
    const id = longSession(place.home);
    const { code, stdout, stderr } = await wiretape(place, ['report', id, '--md', '-o', '-']);
    expect([code, stderr.toString()]).toEqual([0, '']);
    expect(stdout.toString()).toMatch(/replay of the tape\s+answers 1 line/);
  });

  it('leaves nothing behind when it is interrupted', async ({ place }) => {
    // Many pieces take long enough to be interrupted.
    const id = longSession(place.home, 30_000, 'a piece of an answer, which is as long as others are');
    const scratch = join(place.dir, 'tmp');
    mkdirSync(scratch);
    const file = join(place.dir, 'report.zip');
    const client = new Client([WIRETAPE, 'report', id, '-o', file], { env: { ...place.env, TMPDIR: scratch } });
    try {
      await waitFor(() => readdirSync(scratch).some((name) => name.startsWith('wiretape-report-')), 'the work');
      client.kill('SIGINT');
      await client.over();
      expect([client.code, client.signal]).not.toEqual([0, null]);
      expect([readdirSync(scratch), existsSync(file)]).toEqual([[], false]);
    } finally {
      client.dispose();
    }
  });
});
