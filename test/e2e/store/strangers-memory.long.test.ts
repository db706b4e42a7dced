/**
 * Files from elsewhere that want all the memory there is: each is refused in one line, or read, and no process that does
 * so ever has more than 512 MB.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { constants, deflateRawSync, gzipSync } from 'node:zlib';
import { describe, expect } from 'vitest';
import { hostileZip } from '../../support/hostile-zip.ts';
import { run, WIRETAPE } from '../../support/run.ts';
import { it, type Place } from '../../support/store.ts';

const MOST = 512 * 2 ** 20;
const PRELOAD = fileURLToPath(new URL('../../support/peak-memory.cjs', import.meta.url));

const HEAD =
  '{"type":"metadata","wiretape":1,"session":"20261118T010203-evil","started_at":"2026-11-18T01:02:03.000000Z","command":["kimi","--wire"],"cwd":"/"';
const FRAME = '{"f":1,"t":0.1,"from":"agent","message":{"jsonrpc":"2.0","method":"event","params":{}}}\n';
const DEEP = `${'['.repeat(10_000_000)}${']'.repeat(10_000_000)}`;

/** Runs a command on it, and fails if a process had too much memory, or said what nobody understands. */
async function tried(place: Place, args: string[]): Promise<{ code: number | null; stderr: string; stdout: string }> {
  const peaks = mkdtempSync(join(place.dir, 'peaks-'));
  const env = { ...place.env, PEAK_MEMORY: peaks };
  const command = [process.execPath, '--require', PRELOAD, `${WIRETAPE}.js`, ...args];
  const { code, stdout, stderr } = await run(place, command, { env });
  const peak = Math.max(...readdirSync(peaks).map((name) => Number(readFileSync(join(peaks, name), 'utf8'))));
  expect(peak).toBeGreaterThan(2 ** 20);
  expect(peak).toBeLessThan(MOST);
  expect(stderr.toString()).not.toMatch(/\n {4}at |Error: |Maximum call stack/);
  return { code, stdout: stdout.toString('utf8', 0, 2000), stderr: stderr.toString() };
}

/** Deflated, many times over, without ever having it all: stored blocks cannot be repeated, but flushed ones can. */
function repeated(first: string, again: string, times: number): { bytes: Buffer; size: number } {
  const flush = { finishFlush: constants.Z_FULL_FLUSH, level: 9 };
  const [head, block] = [deflateRawSync(first, flush), deflateRawSync(again, flush)];
  const bytes = Buffer.concat([head, ...Array<Buffer>(times).fill(block), deflateRawSync('')]);
  return { bytes, size: first.length + again.length * times };
}

function zipOf(place: Place, name: string, { bytes, size }: { bytes: Buffer; size: number }, says = size): string {
  const path = join(place.dir, name);
  const entry = { name: 'wire.jsonl', content: Buffer.alloc(0), bytes, size: says, crc: 0 };
  writeFileSync(path, hostileZip([entry]));
  return path;
}

const LINES = FRAME.repeat(12_000);

describe('a file from elsewhere', () => {
  it('may be an archive with a tape of gigabytes', async ({ place }) => {
    const bomb = repeated(`${HEAD}}\n`, LINES, 2000);
    const path = zipOf(place, 'bomb.zip', bomb);
    expect(await tried(place, ['show', path])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/its tape has 2\.1 GB: more than/),
    });
    const lie = zipOf(place, 'lie.zip', bomb, 10_000_000);
    for (const command of ['show', 'verify', 'stats']) {
      const { stdout, stderr } = await tried(place, [command, lie]);
      expect(stdout + stderr).toMatch(/wire\.jsonl is larger than the archive says/);
    }
  });

  it('may be a page with a head of gigabytes', async ({ place }) => {
    const path = join(place.dir, 'page.html');
    const block = (id: string, text: string | Buffer) =>
      `<script type="application/octet-stream" id="${id}">${gzipSync(text).toString('base64')}</script>\n`;
    writeFileSync(path, `<!doctype html>\n${block('head', Buffer.alloc(200 * 2 ** 20, '['))}`);
    expect(await tried(place, ['show', path])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/its head is larger than/),
    });
    expect(await tried(place, ['import', path])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/its head is larger than/),
    });
  });

  it.for([
    ['metadata', `${HEAD},"x":${DEEP}}\n${FRAME}`],
    ['a seal', `${HEAD}}\n{"type":"seal","x":${DEEP}}\n${FRAME}`],
    ['a line', `${HEAD}}\n{"f":1,"t":0.1,"from":"agent","message":${DEEP}}\n`],
    ['an event', `${HEAD}}\n{"f":1,"t":0.1,"from":"proc","event":"exit","x":${DEEP}}\n${FRAME}`],
  ])('may be a tape with millions of values in %s', async ([, text], { place }) => {
    const path = join(place.dir, 'deep.jsonl');
    writeFileSync(path, text!);
    for (const command of ['show', 'verify']) expect([0, 1, 2]).toContain((await tried(place, [command, path])).code);
  });

  it('may claim any size', async ({ place }) => {
    const sparse = (name: string, begins: string, size: number) => {
      const path = join(place.dir, name);
      writeFileSync(path, begins);
      truncateSync(path, size);
      return path;
    };
    const archive = sparse('sparse.zip', 'PK\x03\x04', 7 * 2 ** 30);
    expect((await tried(place, ['show', archive])).stderr).toMatch(/its end is missing/);
    const page = sparse('sparse.html', '<!doctype html>', 544 * 2 ** 20);
    expect((await tried(place, ['show', page])).stderr).toMatch(/not a page of wiretape/);
    const tape = sparse('sparse.jsonl', `${HEAD}}\n${FRAME}`, 544 * 2 ** 20);
    expect((await tried(place, ['show', tape])).code).toBe(0);
    expect((await tried(place, ['import', tape])).code).toBe(0);
    const text = sparse('policy.txt', '{', 7 * 2 ** 30);
    expect((await tried(place, ['approvals', tape, '--policy', text])).stderr).toMatch(
      /cannot read the policy .*larger than/,
    );
    const list = ['redact', tape, '-o', join(place.dir, 'out.jsonl'), '--literals', text];
    expect((await tried(place, list)).stderr).toMatch(/cannot read .*larger than/);
  });

  it('may be a store whose small files are large', async ({ place }) => {
    const dir = join(place.home, 'sessions', '20261118T010203-evzl');
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, 'wire.jsonl'), `${HEAD}}\n${FRAME}`);
    for (const name of ['meta.json', 'owner.json', 'journal', 'journal.rest']) {
      writeFileSync(join(dir, name), '{');
      truncateSync(join(dir, name), 7 * 2 ** 30);
    }
    expect((await tried(place, ['ls'])).stdout).toContain('20261118T010203-evzl');
    expect((await tried(place, ['show', 'evzl'])).code).toBe(0);
  });
});
