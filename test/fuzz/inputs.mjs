/** Inputs to start from: recorded conversations as tapes, pages and reports of some, and logs of other programs. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { main } from '../../dist/lib/cli.js';
import { readLineLog } from '../../dist/lib/storage/tape/import/line-log.js';
import { tapeLines } from '../../dist/lib/storage/tape/tape-lines.js';
import { MemoryIo } from './memory-io.mjs';

const FIXTURES = fileURLToPath(new URL('../fixtures/tapes', import.meta.url));
const SAMPLES = fileURLToPath(new URL('../../samples/tapes', import.meta.url));
/** Longer ones are slow to read often. */
const LONGEST = 60_000;
/** A report takes a second. */
const MOST_MADE = 8;

/** Tapes as text; the same for the same folder. */
export function tapes() {
  const logs = (readdirSync(FIXTURES, { recursive: true }) || [])
    .filter((name) => name.endsWith('.jsonl') && !name.endsWith('.meta.jsonl'))
    .sort()
    .filter((name) => statSync(join(FIXTURES, name)).size < LONGEST);
  const converted = logs.map((name) => {
    const { command, frames } = readLineLog(join(FIXTURES, name));
    const metadata = {
      ...{ type: 'metadata', wiretape: 1, session: '20261116T022911-fvzz', started_at: '2026-11-16T02:29:11.000000Z' },
      ...{ command: [...command], cwd: '/home/ada/src', recorder: 'wiretape' },
    };
    return Buffer.concat([...tapeLines(metadata, frames)].map((piece) => Buffer.from(piece)));
  });
  const samples = ['approve', 'hang', 'number-id', 'tour'].map((name) => readFileSync(join(SAMPLES, `${name}.jsonl`)));
  return { tapes: [...samples, ...converted], logs: logs.map((name) => readFileSync(join(FIXTURES, name))) };
}

/** Pages and reports of some tapes, made once. */
export async function made(folder, kind, all) {
  mkdirSync(folder, { recursive: true });
  const step = Math.max(1, Math.floor(all.length / MOST_MADE));
  const files = [];
  for (let i = 0; i < all.length && files.length < MOST_MADE; i += step) {
    const [tape, out] = [join(folder, `${i}.jsonl`), join(folder, `${i}.${kind === 'pages' ? 'html' : 'zip'}`)];
    writeFileSync(tape, all[i]);
    const io = new MemoryIo({ WIRETAPE_HOME: join(folder, 'none') });
    const argv =
      kind === 'pages' ? ['export', tape, '-f', 'html', '-o', out, '--force'] : ['report', tape, '-o', out, '--force'];
    if ((await main(argv, io)) === 0) files.push(readFileSync(out));
  }
  return files;
}
