/** Lines and bodies of tens of megabytes: nobody needs many times their size, and all of their bytes can be had. */

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { WIRETAPE, wiretape } from '../../support/run.ts';
import { it, type Place } from '../../support/store.ts';

const MB = 1e6;
const SIZE = 80 * MB;
/** A Node that does nothing takes 45 MB; what is read of a line at a time is little. */
const PEAK = 160 * MB;

/** Says hello, one long line, goodbye. */
const AGENT = `
const say = (method) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', method, params: {} }) + '\\n');
say('hello');
process.stdout.write('{"jsonrpc":"2.0","method":"long","params":"');
const part = 'some words. '.repeat(10_000);
for (let sent = 0; sent < ${SIZE}; sent += part.length) process.stdout.write(part);
process.stdout.write('"}\\n');
say('goodbye');
`;

interface Measured {
  code: number | null;
  stdout: string;
  sha256: string;
  bytes: number;
  peak: number;
}

/** The program, its output digested, and the most memory that it had. */
function measured(place: Place, args: string[]): Promise<Measured> {
  return new Promise((resolve, reject) => {
    const child = spawn(WIRETAPE, args, { env: place.env, stdio: ['ignore', 'pipe', 'inherit'] });
    const hash = createHash('sha256');
    let [bytes, peak, stdout] = [0, 0, ''];
    const look = () => {
      try {
        const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
        peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024);
      } catch {
        // It is gone.
      }
    };
    const timer = setInterval(look, 5);
    child.stdout.on('data', (chunk: Buffer) => {
      hash.update(chunk);
      bytes += chunk.length;
      if (stdout.length < 200_000) stdout += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) => {
      clearInterval(timer);
      resolve({ code, stdout, sha256: hash.digest('hex'), bytes, peak });
    });
  });
}

/** The same in Content-Length frames. */
const FRAMED = `
const frame = (length) => process.stdout.write('Content-Length: ' + length + '\\r\\n\\r\\n');
const write = process.stdout.write.bind(process.stdout);
const say = (method) => {
  const body = JSON.stringify({ jsonrpc: '2.0', method, params: {} });
  frame(body.length);
  write(body);
};
say('hello');
const open = '{"jsonrpc":"2.0","method":"long","params":"';
const part = 'some words. '.repeat(10_000);
const times = Math.ceil(${SIZE} / part.length);
frame(open.length + times * part.length + 2);
write(open);
for (let i = 0; i < times; i++) write(part);
write('"}');
say('goodbye');
`;

/** What was sent: the first message, and the long one. */
const partsOf: Record<string, (sent: string) => string[]> = {
  line: (sent) => sent.split(/(?<=\n)/),
  body: (sent) => sent.split(/(?=Content-Length)/),
};

describe.runIf(process.platform === 'linux').for([
  ['line', AGENT],
  ['body', FRAMED],
] as const)('a %s of 80 MB', ([what, script]) => {
  it('is recorded, listed, searched, shown, checked and given back within little memory', async ({ place }) => {
    const sent = await wiretape(place, ['record', '--', process.execPath, '-e', script]);
    expect(sent.code).toBe(0);
    const [hello, long] = partsOf[what]!(sent.stdout.toString('latin1'));
    expect(long!.length).toBeGreaterThan(SIZE);
    const found = await measured(place, ['filter', 'is:too-large', '--json']);
    const { f } = JSON.parse(found.stdout) as { f: number };
    const answers: Record<string, RegExp> = {
      ls: /jsonrpc/,
      'filter method:goodbye --count': /^1$/m,
      'filter is:too-large': /80 MB, too long to read: \{"jsonrpc"/,
      'filter is:too-large --json': /"size":80\d{6},"flags":\["too-large"\].*"raw_cut":79\d{6}\}/,
      'show last --frames': /\[80 MB, too long to read\]/,
      [`show last#f${f}`]:
        /80 MB, too long to read: the line was not parsed.*\nthe whole line: wiretape show \S+#f\d+ --raw > FILE/,
      'verify last': /intact|recovered/,
      'check last --fail-on never': /io-too-large.*80 MB, too long to read, so it is not checked/,
      'stats last': /1 line too large to read/,
      'approvals last': /a line was too large to read/,
    };
    await inPairs(Object.entries(answers), async ([words, answer]) => {
      const { stdout, peak } = await measured(place, words.split(' '));
      expect(stdout, words).toMatch(answer);
      expect(peak, words).toBeLessThan(PEAK);
    });
    const whole = [
      'show last --raw --from agent',
      `show last#f${f} --raw`,
      'filter method:hello --raw',
      'filter is:too-large --raw',
    ];
    await inPairs(whole, async (words) => {
      const { sha256, peak } = await measured(place, words.split(' '));
      const lines = words.includes('hello') ? hello! : words.includes('from') ? sent.stdout : long!;
      expect(sha256, words).toBe(createHash('sha256').update(lines).digest('hex'));
      expect(peak, words).toBeLessThan(PEAK);
    });
  });
});

/** Two at a time: most of their time goes into a process that starts. */
async function inPairs<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  for (let i = 0; i < items.length; i += 2) await Promise.all(items.slice(i, i + 2).map(work));
}
