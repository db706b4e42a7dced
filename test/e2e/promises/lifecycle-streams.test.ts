// Promise 5, the streams: each end of each pipe closes for the other side when it would without us.
import { describe, expect } from 'vitest';
import { runBoth, seenIn } from '../../support/both.ts';
import { agent } from '../../support/run.ts';
import { it } from '../../support/store.ts';
import { pause, waitFor } from '../../support/wait.ts';

const KINDS = ['pipe', 'socket'] as const;

describe.concurrent('the client closes', () => {
  it.for(KINDS)('stdin: the agent sees EOF and may still answer (%s)', async (streams, { place }) => {
    const talk = (client: { end(data: string): void }) => client.end('all there is');
    const { direct, recorded } = await runBoth(place, agent('read-all.mjs'), talk, { streams });
    expect(direct.stdout.toString()).toContain('{"bytes":12}');
    expect(seenIn(recorded)).toEqual(seenIn(direct));
    expect(recorded.tape.events('eof').find(({ from }) => from === 'client')).not.toHaveProperty('by');
  });

  it.for(KINDS)('stdout: the agent gets its EPIPE (%s)', async (streams, { place }) => {
    const { direct, recorded } = await runBoth(
      place,
      agent('until-epipe.mjs'),
      async (client) => {
        await client.until('tick\n');
        client.close('stdout');
      },
      { streams },
    );
    expect([direct.stderr.toString(), direct.code]).toEqual(['EPIPE\n', 7]);
    expect([recorded.stderr.toString(), recorded.code]).toEqual(['EPIPE\n', 7]);
    expect(recorded.tape.events('eof')).toContainEqual(expect.objectContaining({ from: 'agent', by: 'client' }));
  });

  it('both, and the agent goes as it would', async ({ place }) => {
    const { direct, recorded } = await runBoth(place, agent('echo.mjs'), async (client) => {
      await client.write('hello\n');
      await client.until('hello\n');
      client.close('stdout');
      client.close('stderr');
      client.end();
    });
    expect(seenIn(recorded)).toEqual(seenIn(direct));
  });
});

describe.concurrent('the agent closes', () => {
  it('stdin: the client, which writes nothing, can see it, and gets EPIPE when it does', async ({ place }) => {
    const { direct, recorded } = await runBoth(place, agent('close-stdin.mjs'), async (client, { agent: find }) => {
      const pid = await find();
      await client.until('stdin is closed');
      await waitFor(() => !client.isHeard(), 'the closing of stdin');
      const error = await client.write('anybody?\n');
      process.kill(pid, 'SIGTERM');
      return error;
    });
    expect(direct.result).toBe('EPIPE');
    expect(seenIn(recorded)).toEqual(seenIn(direct));
    expect(recorded.tape.events('eof')).toContainEqual(expect.objectContaining({ from: 'client', by: 'agent' }));
  });

  it('stdin: over sockets the client gets EPIPE too', async ({ place }) => {
    const talk = async (client: {
      until(text: string): Promise<void>;
      write(data: string): Promise<unknown>;
      kill(signal: 'SIGTERM'): void;
    }) => {
      await client.until('stdin is closed');
      const error = await waitFor(() => client.write('anybody?\n'), 'the error');
      client.kill('SIGTERM');
      return error;
    };
    const { direct, recorded } = await runBoth(place, agent('close-stdin.mjs'), talk, { streams: 'socket' });
    expect(direct.result).toBe('EPIPE');
    expect(['EPIPE', 'ECONNRESET']).toContain(recorded.result);
    expect(recorded.signal).toBe('SIGTERM');
  });

  it.for(KINDS)('stdout: the client sees EOF while the agent lives and listens (%s)', async (streams, { place }) => {
    const { direct, recorded } = await runBoth(
      place,
      agent('close-stdout.mjs'),
      async (client) => {
        await waitFor(() => client.saw('stdout eof'), 'EOF');
        await client.write('still there?\n');
        await client.until('heard still there?\n', 'stderr');
        client.end();
      },
      { streams },
    );
    expect(direct.code).toBe(4);
    expect(direct.stdout.toString()).toBe('{"last":"word"}\nand a rest');
    expect(seenIn(recorded)).toEqual(seenIn(direct));
    expect([direct.order[0], recorded.order[0]]).toEqual(['stdout eof', 'stdout eof']);
  });

  it.for(KINDS)('stderr: the client sees EOF while the agent goes on (%s)', async (streams, { place }) => {
    const { direct, recorded } = await runBoth(
      place,
      agent('close-stderr.sh'),
      async (client) => {
        await waitFor(() => client.saw('stderr eof'), 'EOF');
        await client.write('still there?\n');
        await client.until('still there?\n');
        client.end();
      },
      { streams },
    );
    expect(seenIn(recorded)).toEqual(seenIn(direct));
    expect([direct.order[0], recorded.order[0]]).toEqual(['stderr eof', 'stderr eof']);
  });

  it('everything, by leaving early: the client is not waited for', async ({ place }) => {
    const { direct, recorded } = await runBoth(place, agent('leave-early.mjs'), async (client) => {
      await client.write('first\n');
      await client.over();
      return [client.isHeard(), await client.write('second\n')];
    });
    expect(direct.result).toEqual([false, 'EPIPE']);
    expect(direct.code).toBe(3);
    expect(seenIn(recorded)).toEqual(seenIn(direct));
  });
});

describe.concurrent('what the agent wrote last', () => {
  it('is there for a client that reads only after the exit', async ({ place }) => {
    const { direct, recorded } = await runBoth(
      place,
      agent('firehose.mjs', '1'),
      async (client) => {
        client.end();
        await client.exited();
        client.read('stdout');
      },
      { unread: ['stdout'] },
    );
    expect(direct.stdout.length).toBe(65_536);
    expect(seenIn(recorded)).toEqual(seenIn(direct));
    expect(recorded.order.indexOf('stdout eof')).toBeGreaterThan(recorded.order.indexOf('exit'));
  });

  it('is waited for when it does not fit', async ({ place }) => {
    const { direct, recorded } = await runBoth(
      place,
      agent('long-line.mjs', '400000'),
      async (client) => {
        client.end();
        await pause(200);
        client.read('stdout');
      },
      { unread: ['stdout'] },
    );
    expect(recorded.stdout.length).toBe(400_000);
    expect(seenIn(recorded)).toEqual(seenIn(direct));
  });
});
