// Promise 2: nothing of wiretape's on stdout, one line on stderr if it must; no JSON line torn where both are one pipe;
// and a pipe that others share stays as it was.
import { writeFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { runBoth, seenIn } from '../../support/both.ts';
import { Client } from '../../support/client.ts';
import { isNonBlocking } from '../../support/processes.ts';
import { agent, WIRETAPE, wiretape } from '../../support/run.ts';
import { it, type Place } from '../../support/store.ts';

const JSON_LINE = /^\{.*\}$/;

describe('stdout and stderr in one pipe', () => {
  it('no line of stdout is torn by a line of stderr unless it took longer than stderr waits', async ({ place }) => {
    const { direct, recorded } = await runBoth(place, agent('both-streams.mjs', '40'), (client) => client.end(), {
      merged: true,
    });
    const linesOf = (bytes: Buffer) => bytes.toString().trimEnd().split('\n');
    const isJson = (line: string) => JSON_LINE.test(line);
    const json = Array.from({ length: 40 }, (_, n) => `{"n":${n},"text":"first half, second half"}`);
    const logs = json.map((_, n) => `log ${n}`);
    // The agent itself tears every line: this is what the client would have had to bear.
    expect(linesOf(direct.stdout).filter(isJson)).toEqual([]);
    const { tape } = recorded;
    expect(tape.bytesFrom('agent').toString()).toBe(json.map((line) => `${line}\n`).join(''));
    expect(tape.bytesFrom('stderr').toString()).toBe(logs.map((line) => `${line}\n`).join(''));
    // On a busy machine the agent's 5 ms may become more than the 50 ms that stderr waits.
    const tookLong = tape.frames
      .filter(({ from, t, t0 }) => from === 'agent' && t - ((t0 as number | undefined) ?? t) > 0.04)
      .map(({ message }) => JSON.stringify(message));
    const whole = linesOf(recorded.stdout).filter(isJson);
    expect(json.filter((line) => !whole.includes(line) && !tookLong.includes(line))).toEqual([]);
    // Nothing is lost or doubled, torn or not.
    const characters = (text: string) => [...text.replaceAll('\n', '')].toSorted().join('');
    expect(characters(recorded.stdout.toString())).toBe(characters([...json, ...logs].join('')));
  });

  it('stderr does not wait for ever for a line that does not end', async ({ place }) => {
    const command = ['sh', '-c', 'printf half; echo log >&2; cat >/dev/null'];
    const { direct, recorded } = await runBoth(
      place,
      command,
      async (client) => {
        await client.until('log\n');
        client.end();
      },
      { merged: true },
    );
    expect(recorded.stdout.toString()).toBe('halflog\n');
    expect(seenIn(recorded)).toEqual(seenIn(direct));
  });

  it('a flood of stderr goes through whole, and so does what waits at the end', async ({ place }) => {
    const script = 'printf "{\\"cut"; "$@" >/dev/null; printf "last words" >&2';
    const command = ['sh', '-c', script, 'sh', ...agent('flood-stderr.mjs', '600000')];
    const { direct, recorded } = await runBoth(place, command, (client) => client.end(), { merged: true });
    expect(seenIn(recorded)).toEqual(seenIn(direct));
    expect(recorded.stdout.toString()).toMatch(/^\{"cutwarning .*\nlast words$/s);
  });
});

describe.concurrent('what wiretape itself says', () => {
  it('is one line on stderr, where it must, and traffic continues', async ({ place }) => {
    writeFileSync(place.home, 'not a folder');
    const { stdout, stderr, code } = await wiretape(place, ['record', '--', ...agent('exit-with.sh', '3')]);
    expect({ stdout: stdout.toString(), code }).toEqual({ stdout: 'out\n', code: 3 });
    expect(stderr.toString()).toMatch(/^wiretape: [^\n]+\nerr\n$/);
  });

  it('is lost rather than waited for when stderr is full', async ({ place }) => {
    writeFileSync(place.home, 'not a folder');
    // Somebody else has made the pipe non-blocking and filled it before we start, and nobody reads it.
    const fill = `new net.Socket({ fd: 2, readable: false, writable: true });
      try { for (;;) fs.writeSync(2, Buffer.alloc(4096)); } catch {}
      process.kill(process.pid, 'SIGKILL');`;
    const script = '"$1" -e "$2"; shift 2; exec "$@"';
    const command = ['sh', '-c', script, 'sh', process.execPath, fill, WIRETAPE, 'record', '--', 'cat'];
    const client = new Client(command, { ...place, unread: ['stderr'] });
    try {
      client.end('through\n');
      await client.exited();
      expect(client.stdout.toString()).toBe('through\n');
    } finally {
      client.dispose();
    }
  });
});

/** Runs `record` under a shell that shares its three streams and outlives it. */
async function shared(place: Place, options: { merged?: boolean; streams?: 'pipe' | 'socket' }): Promise<boolean[]> {
  const script = '"$@"; echo over >&2; exec sleep 60';
  const command = ['sh', '-c', script, 'sh', WIRETAPE, 'record', '--', 'sh', '-c', 'echo log >&2; cat'];
  const client = new Client(command, { ...place, ...options });
  const stderr = options.merged ? 'stdout' : 'stderr';
  try {
    await client.write('hello\n');
    await client.until('hello\n');
    await client.until('log\n', stderr);
    const during = isNonBlocking(client.pid, 2);
    client.end();
    await client.until('over', stderr);
    return [during, isNonBlocking(client.pid, 2)];
  } finally {
    client.dispose();
  }
}

describe.concurrent('a stderr that others share does not become non-blocking', () => {
  it.for([
    ['a pipe', {}],
    ['a socket', { streams: 'socket' }],
    ['one pipe with stdout', { merged: true }],
  ] as const)('%s', async ([, options], { place }) => {
    expect(await shared(place, options)).toEqual([false, false]);
  });

  it('nor by a word of our own', async ({ place }) => {
    writeFileSync(place.home, 'not a folder');
    expect(await shared(place, {})).toEqual([false, false]);
  });
});
