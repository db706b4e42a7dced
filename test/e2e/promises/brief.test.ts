/** Agents that say a word and are gone: before Node has told us that they run, perhaps. Nothing of it is lost. */
import { describe, expect } from 'vitest';
import { Client } from '../../support/client.ts';
import { WIRETAPE } from '../../support/run.ts';
import { it } from '../../support/store.ts';

describe('an agent that ends at once', () => {
  it.for(['pipe', 'socket'] as const)('is heard, on stdout and stderr (%s)', async (streams, { place }) => {
    const run = async (n: number) => {
      const agent = ['sh', '-c', 'echo "$0"; echo "$0" >&2; exit 3', String(n)];
      const client = new Client([WIRETAPE, 'record', '--', ...agent], { ...place, streams });
      client.end();
      await client.over();
      const { stdout, stderr, code } = client;
      client.dispose();
      return { n, stdout: stdout.toString(), stderr: stderr.toString(), code };
    };
    // Many at once, so that some of them come late to their own streams.
    const ended = await Promise.all(Array.from({ length: 16 }, (_, n) => run(n)));
    expect(ended).toEqual(ended.map(({ n }) => ({ n, stdout: `${n}\n`, stderr: `${n}\n`, code: 3 })));
  });
});
