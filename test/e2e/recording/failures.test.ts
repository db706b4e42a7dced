/** Recording fails, traffic does not notice: full disks, no store, a dead worker. Said once, the gap on the tape (promise 4). */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect } from 'vitest';
import { Client } from '../../support/client.ts';
import { CHUNKS } from '../../support/copy.ts';
import { wiretapeHere } from '../../support/in-process.ts';
import { processesWith } from '../../support/processes.ts';
import { type Ended, run, WIRETAPE, wiretape } from '../../support/run.ts';
import { it, type Place } from '../../support/store.ts';
import { sessionsIn, Tape } from '../../support/tape.ts';
import { stored, waitFor } from '../../support/wait.ts';

const LINES = Buffer.from(
  Array.from({ length: 20_000 }, (_, i) => `{"n":${i},"text":"${'x'.repeat(i % 100)}"}\n`).join(''),
);

function expectUntouched(ended: Ended, input = LINES): void {
  expect(ended.code).toBe(0);
  expect(ended.stdout.equals(input)).toBe(true);
  expect(ended.stderr.toString()).toMatch(/^wiretape: [^\n]*traffic continues\n$/);
}

/** Every byte is on the tape or counted in a gap. */
async function expectGaps(place: Place, sent = LINES.length): Promise<Tape> {
  const verified = await wiretapeHere(place, ['verify', 'last', '--json']);
  expect(JSON.parse(verified.stdout.toString())).toMatchObject({ verdict: 'intact' });
  const tape = new Tape(sessionsIn(place.home)[0]!);
  for (const from of ['client', 'agent'] as const) {
    const missing = tape.events('gap').filter(({ stream }) => stream === from);
    const total = missing.reduce((sum, gap) => sum + Number(gap.missing), 0);
    expect(total).toBeGreaterThan(0);
    expect(tape.bytesFrom(from).length + total).toBe(sent);
  }
  expect(tape.frames.at(-1)).toMatchObject({ event: 'exit', code: 0 });
  const [row] = (await wiretapeHere(place, ['ls', '--json'])).stdout.toString().split('\n');
  expect(JSON.parse(row!)).toMatchObject({ state: 'incomplete', exit: { code: 0 } });
  expect(JSON.parse(row!).gaps).toBeGreaterThan(0);
  return tape;
}

describe.concurrent('a file that may not grow', () => {
  it('costs frames, not traffic', async ({ place }) => {
    const limited = ['sh', '-c', 'ulimit -f 200; exec "$@"', 'sh', WIRETAPE, 'record', '--', 'cat'];
    expectUntouched(await run(place, limited, { input: LINES }));
    await expectGaps(place);
  });

  it('ends the run with 125 if --strict says so', async ({ place }) => {
    const limited = ['sh', '-c', 'ulimit -f 200; exec "$@"', 'sh', WIRETAPE, 'record', '--strict', '--', 'cat'];
    const client = new Client(limited, { env: place.env });
    try {
      client.write(LINES);
      await client.over();
      expect(client.code).toBe(125);
      expect(client.stderr.toString()).toMatch(/^wiretape: [^\n]*stopping the agent\n$/);
    } finally {
      client.dispose();
    }
  });
});

function mount(place: Place, size: string): boolean {
  mkdirSync(place.home, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', place.home], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function remount(place: Place, options: string): void {
  execFileSync('mount', ['-o', `remount,${options}`, place.home], { stdio: 'ignore' });
}

function unmount(place: Place): void {
  execFileSync('umount', ['-l', place.home], { stdio: 'ignore' });
}

describe('a disk that is full', () => {
  it('costs frames, not traffic; the journal can be read even while nothing can be written', async ({
    place,
    skip,
  }) => {
    if (!mount(place, '600k')) skip('mounting a small tmpfs needs root');
    try {
      expectUntouched(await wiretape(place, ['record', '--', 'cat'], { input: LINES }));
      const shown = await wiretapeHere(place, ['show', 'last', '--json', '--from', 'proc']);
      expect(shown.stdout.toString()).toContain('"event":"gap"');
      remount(place, 'size=64m');
      await expectGaps(place);
    } finally {
      unmount(place);
    }
  });

  it('is recorded again once there is room: the gap lies between what is there', async ({ place, skip }) => {
    if (!mount(place, '600k')) skip('mounting a small tmpfs needs root');
    const client = new Client([WIRETAPE, 'record', '--', 'cat'], { env: place.env });
    try {
      client.write(LINES);
      await waitFor(() => client.stdout.length === LINES.length, 'all of it to come back');
      expect(client.stderr.toString()).toContain('traffic continues');
      remount(place, 'size=64m');
      const more = Buffer.from('{"after":"the flood"}\n');
      client.write(more);
      await waitFor(() => client.stdout.length === LINES.length + more.length, 'the rest to come back');
      client.end();
      await client.over();
      const tape = await expectGaps(place, LINES.length + more.length);
      const lastGap = tape.events('gap').at(-1)!.f;
      const after = tape.frames.filter(({ message }) => (message as { after?: string } | undefined)?.after);
      expect(after.map(({ f }) => f > lastGap)).toEqual([true, true]);
    } finally {
      client.dispose();
      unmount(place);
    }
  });

  it('does not keep a reader from a killed session on a read-only store', async ({ place, skip }) => {
    if (!mount(place, '8m')) skip('mounting a small tmpfs needs root');
    const client = new Client([WIRETAPE, 'record', '--', 'cat'], { env: place.env });
    try {
      client.write('{"a":1}\n');
      await waitFor(() => client.stdout.length > 0, 'the echo');
      await stored(place, '{"a":1}');
      process.kill(client.pid, 'SIGKILL');
      await client.over();
      // Its writer process sees the end a moment later, and has the tape open until then.
      await waitFor(() => processesWith(place.marker).length === 0, 'the end of all');
      remount(place, 'ro');
      const shown = await wiretapeHere(place, ['show', 'last', '--raw', '--from', 'agent']);
      expect(shown).toMatchObject({ code: 0, stderr: Buffer.alloc(0) });
      expect(shown.stdout.toString()).toBe('{"a":1}\n');
    } finally {
      client.dispose();
      unmount(place);
    }
  });
});

describe.concurrent('no store at all', () => {
  it('records nothing, says so once, and forwards', async ({ place }) => {
    writeFileSync(place.home, 'a file, not a folder');
    expectUntouched(await wiretape(place, ['record', '--', 'cat'], { input: LINES }));
  });

  it('comes back from a place where no folder can be made', async ({ place }) => {
    const env = { ...place.env, WIRETAPE_HOME: '/proc/nowhere/at/all' };
    expectUntouched(await wiretape(place, ['record', '--', 'cat'], { env, input: LINES }));
  });

  it('does not even start the agent with --strict', async ({ place }) => {
    writeFileSync(place.home, 'a file, not a folder');
    const proof = join(place.dir, 'ran');
    const ended = await wiretape(place, ['record', '--strict', '--', 'sh', '-c', `echo > ${proof}`]);
    expect(ended.code).toBe(125);
    expect(() => cpSync(proof, `${proof}2`)).toThrow();
  });
});

describe.concurrent('a tape that is asked for elsewhere', () => {
  it('is written there, with the session still in the store', async ({ place }) => {
    const path = join(place.dir, 'run.jsonl');
    await wiretape(place, ['record', '--tape', path, '--', 'cat'], { input: LINES });
    for (const word of ['last', path]) {
      const { stdout } = await wiretapeHere(place, ['show', word, '--raw', '--from', 'agent']);
      expect(stdout.equals(LINES)).toBe(true);
    }
  });

  it('never replaces an existing file', async ({ place }) => {
    const path = join(place.dir, 'run.jsonl');
    writeFileSync(path, 'mine');
    expectUntouched(await wiretape(place, ['record', '--tape', path, '--', 'cat'], { input: LINES }));
    cpSync(path, `${path}.copy`);
    expect((await run(place, ['cat', path])).stdout.toString()).toBe('mine');
    expect((await wiretapeHere(place, ['show', 'last', '--raw', '--from', 'agent'])).stdout.equals(LINES)).toBe(true);
  });
});

describe.concurrent('a tape writer that dies', () => {
  it('leaves traffic and journal alone; the next reader makes the tape', async ({ place }) => {
    // A copy of the program whose writer is missing: the process dies as it starts.
    const root = fileURLToPath(new URL('../../../', import.meta.url));
    const copy = join(place.dir, 'copy');
    cpSync(join(root, 'dist'), join(copy, 'dist'), { recursive: true });
    cpSync(join(root, 'package.json'), join(copy, 'package.json'));
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    rmSync(join(copy, CHUNKS, 'writer.js'));
    const program = join(copy, 'dist/bin', WIRETAPE.slice(dirname(WIRETAPE).length + 1));
    const client = new Client([program, 'record', '--', 'cat'], place);
    client.write(LINES);
    await waitFor(() => client.received === LINES.length && client.stderr.length > 0, 'the echo and a word about it');
    client.end();
    await client.over();
    expectUntouched(client);
    expect((await wiretapeHere(place, ['show', 'last', '--raw', '--from', 'client'])).stdout.equals(LINES)).toBe(true);
    const verified = await wiretapeHere(place, ['verify', 'last', '--json']);
    expect(JSON.parse(verified.stdout.toString())).toMatchObject({ verdict: 'intact' });
  });
});
