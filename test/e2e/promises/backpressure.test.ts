// Promise 3: a slow client slows the agent as it would without us, one direction never blocks the other, memory is bounded.
import { describe, expect } from 'vitest';
import { brief, runBoth, seenIn } from '../../support/both.ts';
import { Client } from '../../support/client.ts';
import { bytesWrittenBy, isRunning, memoryOf } from '../../support/processes.ts';
import { agent, WIRETAPE } from '../../support/run.ts';
import { it } from '../../support/store.ts';
import { pause, waitFor } from '../../support/wait.ts';

const MB = 1024 * 1024;

/** The value once it has stopped growing for a while. */
async function settled(value: () => number): Promise<number> {
  let last = Number.NaN;
  let since = Date.now();
  await waitFor(() => {
    if (value() !== last) since = Date.now();
    last = value();
    return Date.now() - since > 400;
  }, 'a standstill');
  return last;
}

/** Writes without end, in the background, and counts what was taken. */
function stuff(client: Client): () => number {
  const block = Buffer.alloc(16 * 1024, 'unheard\n');
  let taken = 0;
  void (async () => {
    while ((await client.write(block)) === null) taken += block.length;
  })();
  return () => taken;
}

describe.concurrent('a client that does not read', () => {
  it.for(['pipe', 'socket'] as const)('holds the agent back, and loses nothing (%s)', async (streams, { place }) => {
    const { direct, recorded } = await runBoth(
      place,
      agent('firehose.mjs', '64'),
      async (client, { agent: find }) => {
        const pid = await find();
        const written = await settled(() => bytesWrittenBy(pid));
        client.read('stdout');
        client.end();
        return written < 2 * MB;
      },
      { streams, unread: ['stdout'] },
    );
    expect(direct.stdout.length).toBe(4 * MB);
    expect(direct.result).toBe(true);
    expect(seenIn(recorded)).toEqual(seenIn(direct));
  });

  it('of stderr holds the agent back as well, and loses nothing', async ({ place }) => {
    const { direct, recorded } = await runBoth(
      place,
      agent('flood-stderr.mjs'),
      async (client, { agent: find }) => {
        const pid = await find();
        const written = await settled(() => bytesWrittenBy(pid));
        const before = client.stdout.toString();
        client.read('stderr');
        client.end();
        return [written < 2 * MB, before];
      },
      { unread: ['stderr'] },
    );
    expect(direct.result).toEqual([true, '']);
    expect(direct.stderr.length).toBe(4 * MB);
    expect(seenIn(recorded)).toEqual(seenIn(direct));
  });
});

describe.concurrent('one direction never blocks the other', () => {
  it('an agent that never reads is still heard, and its client is held back', async ({ place }) => {
    const { direct, recorded } = await runBoth(place, agent('deaf.mjs'), async (client) => {
      await client.until('tick 0\n');
      const taken = await settled(stuff(client));
      const ticks = client.stdout.toString().split('\n').length;
      await client.until(`tick ${ticks + 20}\n`);
      client.kill('SIGTERM');
      return taken < 2 * MB;
    });
    expect(direct.result).toBe(true);
    expect(recorded.result).toBe(true);
    expect([recorded.code, recorded.signal]).toEqual([direct.code, direct.signal]);
  });

  const floods = [
    ['stdout', 'pipe'],
    ['stdout', 'socket'],
    ['stderr', 'pipe'],
    ['stderr', 'socket'],
  ] as const;
  it.for(floods)('%s that nobody reads stops nothing else (%s)', async ([flooded, streams], { place }) => {
    const other = flooded === 'stdout' ? 'stderr' : 'stdout';
    const { direct, recorded } = await runBoth(
      place,
      agent('both-ways.sh', flooded),
      async (client, { agent: find }) => {
        const pid = await find();
        for (let n = 0; n < 20; n++) {
          await client.write(`question ${n}\n`);
          await client.until(`question ${n}\n`, other);
        }
        client.end();
        await waitFor(() => !isRunning(pid), 'the end of the agent');
        client.read(flooded);
      },
      { streams, unread: [flooded] },
    );
    expect(recorded[other].toString()).toBe(direct[other].toString());
    expect(recorded.code).toBe(direct.code);
    // How much fits in between differs; what the tape has is what arrived.
    expect(brief(recorded.tape.bytesFrom(flooded === 'stdout' ? 'agent' : 'stderr'))).toBe(brief(recorded[flooded]));
  });
});

describe('memory', () => {
  it('stays bounded while much more passes by than may be held', async ({ place }) => {
    const blocks = 3200;
    const command = ['sh', '-c', '"$@"; cat >/dev/null', 'sh', ...agent('firehose.mjs', String(blocks))];
    const client = new Client([WIRETAPE, 'record', '--', ...command], { ...place, unread: ['stdout'] });
    try {
      await pause(500);
      client.read('stdout');
      for (let n = 0; n < 10; n++) {
        client.pause('stdout');
        await pause(20);
        client.read('stdout');
        await pause(20);
      }
      await waitFor(() => client.received === blocks * 65_536, 'all of it');
      expect(memoryOf(client.pid, 'VmHWM')).toBeLessThan(150 * MB);
      client.end();
      await client.over();
      expect(client.code).toBe(0);
    } finally {
      client.dispose();
    }
  });
});
