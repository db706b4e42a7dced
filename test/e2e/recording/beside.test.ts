/** Readers beside a living recorder take the tape as far as it goes, and do no harm (section 3). */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { Client } from '../../support/client.ts';
import { wiretapeHere } from '../../support/in-process.ts';
import { WIRETAPE } from '../../support/run.ts';
import { it } from '../../support/store.ts';
import { sessionsIn, Tape } from '../../support/tape.ts';
import { waitFor } from '../../support/wait.ts';

describe('a reader beside a living recorder', () => {
  it('sees what has been written, says that it runs, and leaves it alone', async ({ place }) => {
    const client = new Client([WIRETAPE, 'record', '--name', 'live', '--', 'cat'], { env: place.env });
    try {
      client.write('{"id":1,"method":"first"}\n');
      const shown = await waitFor(async () => {
        const { stdout } = await wiretapeHere(place, ['show', 'live', '--json', '--from', 'agent']);
        return stdout.toString();
      }, 'the first frame on the tape');
      expect(JSON.parse(shown)).toMatchObject({ method: 'first', envelope: 'request', id: 1 });
      const readers = await Promise.all([
        wiretapeHere(place, ['ls', '--json']),
        wiretapeHere(place, ['verify', 'live', '--json']),
        wiretapeHere(place, ['show', 'live', '--raw', '--from', 'client']),
      ]);
      expect(JSON.parse(readers[0]!.stdout.toString())).toMatchObject({ state: 'running', name: 'live', exit: null });
      expect(readers[1]!.code).toBe(1);
      expect(JSON.parse(readers[1]!.stdout.toString())).toMatchObject({ verdict: 'unfinished' });
      expect(readers[2]!.stdout.toString()).toBe('{"id":1,"method":"first"}\n');
      const [dir] = sessionsIn(place.home);
      expect(existsSync(join(dir!, 'journal'))).toBe(true);
      client.write('{"id":2,"method":"second"}\n');
      client.end();
      await client.over();
      expect(client.stderr.toString()).toBe('');
      expect(JSON.parse((await wiretapeHere(place, ['verify', 'live', '--json'])).stdout.toString())).toMatchObject({
        verdict: 'intact',
      });
      expect(new Tape(dir!).bytesFrom('agent').toString()).toContain('second');
      expect(existsSync(join(dir!, 'journal'))).toBe(false);
    } finally {
      client.dispose();
    }
  });
});
