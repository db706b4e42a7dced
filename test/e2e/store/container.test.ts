/** A recorder in a container, seen from outside: it runs as long as it lives, and what it leaves is finished. */
import { spawn, spawnSync } from 'node:child_process';
import { describe, expect } from 'vitest';
import { ls } from '../../support/ls.ts';
import { processesWith } from '../../support/processes.ts';
import { WIRETAPE } from '../../support/run.ts';
import { it } from '../../support/store.ts';
import { waitFor } from '../../support/wait.ts';

const INSIDE = ['--pid', '--fork', '--mount-proc'];

describe('a recorder in a container', () => {
  it('runs till it is killed, and not for ever', async ({ place, skip }) => {
    if (spawnSync('unshare', [...INSIDE, 'true']).status !== 0) skip('making a pid namespace needs root');
    const command = [WIRETAPE, 'record', '--', 'sh', '-c', 'echo hi; exec sleep 30'];
    const child = spawn('unshare', [...INSIDE, ...command], { env: place.env, stdio: ['ignore', 'pipe', 'inherit'] });
    await new Promise((said) => child.stdout.once('data', said));
    const states = async () => (await ls(place)).rows.map(({ state }) => state);
    await waitFor(async () => (await ls(place)).rows[0]!.frames > 1, 'its first frames');
    expect(await states()).toEqual(['running']);
    // All of it: the first process of a container ends with its last.
    await waitFor(() => {
      const left = processesWith(place.marker);
      spawnSync('kill', ['-9', ...left.map(({ pid }) => String(pid))], { stdio: 'ignore' });
      return left.length === 0;
    }, 'the end of the container');
    expect(await states()).toEqual(['killed']);
  });
});
