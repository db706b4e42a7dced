// Slow, stuck and dying disks: traffic continues, the recorder ends with its agent, and the tape has what could be kept.
// Where something must not wait, the disk takes far longer than the whole test may.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { GOOD_DISK, withBadDisk } from '../../support/bad-disk.ts';
import { Client } from '../../support/client.ts';
import { wiretapeHere } from '../../support/in-process.ts';
import { indexOf } from '../../support/index.ts';
import { onlyTape, WIRETAPE, wiretape } from '../../support/run.ts';
import { it } from '../../support/store.ts';
import { sessionsIn } from '../../support/tape.ts';
import { waitFor } from '../../support/wait.ts';

const STUCK_MS = 120_000;
const NO_COMPILER = 'a bad disk needs a C compiler';

async function state(place: Parameters<typeof wiretape>[0]): Promise<unknown> {
  const { stdout } = await wiretapeHere(place, ['ls', '--json', '--all']);
  return JSON.parse(stdout.toString().split('\n')[0]!).state;
}

describe.concurrent('a journal whose every write takes 400 ms', () => {
  it('does not delay the traffic, and misses nothing', async ({ place, skip }) => {
    const env = withBadDisk(place, { file: '/journal', writeMs: 400 });
    if (!env) return skip(NO_COMPILER);
    const client = new Client([WIRETAPE, 'record', '--', ...GOOD_DISK, 'cat'], { ...place, env });
    let sent = '';
    for (let i = 0; i < 150; i++) {
      const line = `{"jsonrpc":"2.0","id":${i},"method":"m"}\n`;
      sent += line;
      await client.write(line);
      await client.until(line);
    }
    client.end();
    await client.over();
    expect(client.code).toBe(0);
    expect(client.stdout.toString()).toBe(sent);
    // Its writer process may still be storing what it was given.
    await waitFor(async () => (await state(place)) !== 'running', 'the end of the tape');
    expect(await state(place)).toBe('ended');
    const tape = await onlyTape(place);
    expect(tape.bytesFrom('client').toString()).toBe(sent);
    expect(tape.bytesFrom('agent').toString()).toBe(sent);
    expect(tape.events('gap')).toEqual([]);
    client.dispose();
  });

  it('counts as a gap what it cannot take in time', async ({ place, skip }) => {
    const env = withBadDisk(place, { file: '/journal', writeMs: 400 });
    if (!env) return skip(NO_COMPILER);
    const megabytes = 30;
    const agent = [...GOOD_DISK, 'sh', '-c', `head -c ${megabytes}000000 /dev/zero | tr '\\0' x`];
    const client = new Client([WIRETAPE, 'record', '--', ...agent], { ...place, env });
    client.end();
    await client.over();
    expect(client.received).toBe(megabytes * 1e6);
    await waitFor(async () => (await state(place)) !== 'running', 'the end of the tape');
    expect(await state(place)).toBe('incomplete');
    const tape = await onlyTape(place);
    const missing = tape.events('gap').reduce((sum, gap) => sum + Number(gap.missing), 0);
    expect(missing).toBeGreaterThan(0);
    expect(tape.bytesFrom('agent').length + missing).toBe(megabytes * 1e6);
    expect(tape.frames.at(-1)).toMatchObject({ event: 'exit', code: 0 });
    client.dispose();
  });
});

describe.concurrent('a recorder ends with its agent, whatever the disk does:', () => {
  const CASES = [
    ['a sync of the tape that takes minutes', { file: 'wire.jsonl', syncMs: STUCK_MS }],
    ['tape writes that take minutes', { file: 'wire.jsonl', writeMs: STUCK_MS }],
    ['index writes that take minutes', { file: 'index-', writeMs: STUCK_MS }],
    ['an index that fails after a while', { file: 'index-', writeMs: 400, errno: 5 }],
  ] as const;

  it.for(CASES)('%s', async ([, disk], { place, skip }) => {
    const env = withBadDisk(place, disk);
    if (!env) return skip(NO_COMPILER);
    const agent = [...GOOD_DISK, 'sh', '-c', 'echo hi; sleep 0.7; exit 3'];
    const ended = await wiretape(place, ['record', '--', ...agent], { env });
    expect(ended).toMatchObject({ code: 3, signal: null, stdout: Buffer.from('hi\n') });
    expect((await onlyTape(place)).frames.at(-1)).toMatchObject({ event: 'exit', code: 3 });
  });

  it('a pipe in the place of the index’s lock', async ({ place }) => {
    await wiretape(place, ['record', '--', 'true']);
    await wiretape(place, ['ls']);
    for (const part of ['', '-wal', '-shm', '.lock']) rmSync(`${indexOf(place.home)}${part}`, { force: true });
    execFileSync('mkfifo', [`${indexOf(place.home)}.lock`]);
    const { code } = await wiretape(place, ['record', '--', 'sh', '-c', 'sleep 0.7; exit 3']);
    expect(code).toBe(3);
  });

  it('a signal that comes meanwhile does not change how it ends', async ({ place, skip }) => {
    const env = withBadDisk(place, { file: 'wire.jsonl', syncMs: STUCK_MS });
    if (!env) return skip(NO_COMPILER);
    const note = join(place.dir, 'ended');
    const agent = [...GOOD_DISK, 'sh', '-c', `sleep 0.7; exec 1>&- 2>&-; echo x > ${note}; exit 3`];
    const client = new Client([WIRETAPE, 'record', '--', ...agent], { ...place, env });
    client.end();
    await waitFor(() => client.order.includes('stdout eof'), 'the end of stdout');
    client.kill('SIGTERM');
    await client.over();
    expect([client.code, client.signal].join()).toMatch(/^(3,|,SIGTERM)$/);
    client.dispose();
  });
});

describe.concurrent('a disk that fails for good', () => {
  // A slow disk is written to by the writer process.
  const DISKS = [
    ['at once', 0],
    ['after slow writes', 60],
  ] as const;

  it.for(DISKS)(
    '%s: leaves a session that is incomplete, not one that was killed',
    async ([, writeMs], { place, skip }) => {
      const env = withBadDisk(place, { file: '/sessions/', errno: 5, after: 100_000, writeMs });
      if (!env) return skip(NO_COMPILER);
      const ended = await wiretape(place, ['record', '--', ...GOOD_DISK, 'seq', '1', '100000'], { env });
      expect(ended.code).toBe(0);
      // The writer process may be the first to notice.
      const said = /^wiretape: the (?:journal|tape) cannot be written \(EIO[^\n]*\n$/;
      // Whoever waits for a slow disk may learn only after the end that it has failed.
      expect(ended.stderr.toString()).toMatch(writeMs > 0 ? /^$|^wiretape: / : said);
      await waitFor(async () => (await state(place)) !== 'running', 'the end of the writer process');
      expect(await state(place)).toBe('incomplete');
    },
  );
});

describe.concurrent('files that are deleted under a recorder', () => {
  const WHAT = [
    ['its journal', (dir: string) => rmSync(join(dir, 'journal')), /the session's journal was removed/],
    ['its tape', (dir: string) => rmSync(join(dir, 'wire.jsonl')), /the session's tape was removed/],
    ['its folder', (dir: string) => rmSync(dir, { recursive: true }), /the session's folder was removed/],
    ['the store', (dir: string) => rmSync(join(dir, '..', '..'), { recursive: true }), /the session's folder was/],
  ] as const;

  it.for(WHAT)('%s: it is said once, and nothing is missing in the end', async ([, remove, words], { place }) => {
    const client = new Client([WIRETAPE, 'record', '--name', 'n', '--', 'cat'], place);
    await client.write('{"n":1}\n');
    await client.until('{"n":1}\n');
    const [dir] = sessionsIn(place.home);
    // Until its writer process is at work.
    await waitFor(() => onTape(dir!, '"n":1'), 'the first lines on the tape');
    remove(dir!);
    await client.write('{"n":2}\n');
    await waitFor(() => client.stderr.length > 0, 'a word about it');
    client.end('{"n":3}\n');
    await client.over();
    expect(client.code).toBe(0);
    expect(client.stderr.toString()).toMatch(words);
    expect(client.stderr.toString().split('\n')).toHaveLength(2);
    const shown = await wiretapeHere(place, ['show', 'n', '--raw', '--from', 'agent']);
    expect(shown.stdout.toString()).toBe('{"n":1}\n{"n":2}\n{"n":3}\n');
    expect(await state(place)).toBe('ended');
    client.dispose();
  });
});

describe.concurrent('files that are deleted under a recorder whose writer process is slow', () => {
  const WHAT = ['/sessions/*/journal', '/sessions/*', ''] as const;

  it.for(WHAT)(
    'STORE%s: the writer process outlives the recorder and puts them back',
    async (what, { place, skip }) => {
      const env = withBadDisk(place, { file: 'wire.jsonl', writeMs: 1500 });
      if (!env) return skip(NO_COMPILER);
      const agent = [...GOOD_DISK, 'sh', '-c', `echo '{"n":1}'; rm -r ${place.home}${what}; echo '{"n":2}'`];
      const ended = await wiretape(place, ['record', '--', ...agent], { env });
      expect(ended).toMatchObject({ code: 0, stdout: Buffer.from('{"n":1}\n{"n":2}\n') });
      expect(ended.stderr.toString()).toMatch(/^wiretape: the session's \w+ was removed during recording[^\n]*\n$/);
      const isWhole = () => sessionsIn(place.home).some((dir) => onTape(dir, '"final":true'));
      await waitFor(isWhole, 'the end of the tape');
      expect((await onlyTape(place)).bytesFrom('agent').toString()).toBe('{"n":1}\n{"n":2}\n');
    },
  );
});

function onTape(dir: string, text: string): boolean {
  const tape = join(dir, 'wire.jsonl');
  return existsSync(tape) && readFileSync(tape).includes(text);
}
