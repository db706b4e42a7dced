/** A recording that starts keeps the store within its budget, and takes nothing that is being recorded. */
import { expect } from 'vitest';
import { Client } from '../../support/client.ts';
import { wiretapeHere } from '../../support/in-process.ts';
import { WIRETAPE, wiretape } from '../../support/run.ts';
import { it } from '../../support/store.ts';
import { sessionsIn } from '../../support/tape.ts';
import { waitFor } from '../../support/wait.ts';

it('sweeps what is over the budget when a recording starts, never a running one', async ({ place }) => {
  for (const name of ['a', 'b']) await wiretape(place, ['record', '--name', name, '--', 'seq', '1', '5000']);
  await wiretapeHere(place, ['ls']);
  const running: Client[] = [];
  // Only the second one knows of a budget; it looks while the first one is at work.
  for (const [name, WIRETAPE_MAX_SIZE] of [['x', 'off'] as const, ['y', '1kb'] as const]) {
    const env = { ...place.env, WIRETAPE_MAX_SIZE };
    const client = new Client([WIRETAPE, 'record', '--name', name, '--', 'cat'], { ...place, env });
    running.push(client);
    await client.write('{"a":1}\n');
    await client.until('{"a":1}\n');
  }
  await waitFor(() => sessionsIn(place.home).length === 2, 'the end of the old sessions');
  for (const client of running) {
    client.end();
    await client.over();
    expect({ code: client.code, stderr: client.stderr.toString() }).toEqual({ code: 0, stderr: '' });
    client.dispose();
  }
  const { stdout } = await wiretapeHere(place, ['ls', '--json', '--all']);
  const names = stdout
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).name);
  expect(names.sort()).toEqual(['x', 'y']);
});
