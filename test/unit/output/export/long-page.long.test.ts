/** Pages of tapes that are packed in a thread: the very bytes, wherever their lines end. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect } from 'vitest';
import { CHUNK } from '../../../../lib/output/page/blocks.ts';
import { takeTape } from '../../../../lib/storage/tape/page.ts';
import { documentOf, pageOf } from '../../../support/page.ts';
import { WIRETAPE } from '../../../support/run.ts';
import { sessionOn } from '../../../support/session.ts';
import { it, type Place } from '../../../support/store.ts';

const METADATA = {
  ...{ type: 'metadata', wiretape: 1, session: 'long', started_at: '2026-11-16T00:00:00.000Z' },
  ...{ command: ['kimi', '--wire'], cwd: '/', recorder: 'test' },
};

/** A frame whose line has about so many bytes. */
function frame(f: number, bytes: number): string {
  const text = 'ab 世\\n'.repeat(Math.ceil(bytes / 8));
  const message = `{"jsonrpc":"2.0","method":"event","params":{"type":"ContentPart","payload":{"type":"text","text":"${text}"}}}`;
  return `{"f":${f},"t":${f}.000000,"from":"agent","message":${message}}\n`;
}

const frames = (count: number, bytes: number) => Array.from({ length: count }, (_, i) => frame(i + 1, bytes)).join('');

function tapeOf(place: Place, name: string, lines: string): string {
  const path = join(place.dir, `${name}.jsonl`);
  writeFileSync(path, `${JSON.stringify(METADATA)}\n${lines}`);
  return path;
}

function takenOut(place: Place, page: Buffer, nth: number | null = null): Buffer {
  const path = join(place.dir, 'page.html');
  writeFileSync(path, page);
  const taken = takeTape(path, nth);
  try {
    return readFileSync(taken.path);
  } finally {
    rmSync(taken.folder, { recursive: true });
  }
}

describe('a long page', () => {
  // Without it, everything would be packed where the session is read.
  it('has a program that packs', () => {
    expect(existsSync(join(dirname(WIRETAPE), 'chunks/packer-worker.js'))).toBe(true);
  });

  it.for([
    ['many short lines', frames(20_000, 100)],
    ['lines that are longer than a chunk', frames(4, 3 * CHUNK)],
    ['a long line among short ones', frames(3000, 300) + frame(3001, 5 * CHUNK) + frame(3002, 10)],
    ['an incomplete last line', frames(5000, 300) + frame(5001, 200).slice(0, 150)],
    ['lines that make no sense', `${frames(5000, 300)}${`${'what? '.repeat(CHUNK / 300)}\n`.repeat(100)}`],
  ] as const)('with %s has its tape, and is the same every time', async ([name, lines], { place }) => {
    const tape = tapeOf(place, name, lines);
    const page = await pageOf([sessionOn(tape)]);
    expect(takenOut(place, page).equals(readFileSync(tape))).toBe(true);
    expect((await pageOf([sessionOn(tape)])).equals(page)).toBe(true);
  });

  it('has two tapes, each with chunks of its own', async ({ place }) => {
    const [short, long] = [tapeOf(place, 'short', frames(3, 100)), tapeOf(place, 'long', frames(5000, 300))];
    const page = await pageOf([long, short].map((tape) => sessionOn(tape)));
    expect(takenOut(place, page, 1).equals(readFileSync(long))).toBe(true);
    expect(takenOut(place, page, 2).equals(readFileSync(short))).toBe(true);
    const { ids } = documentOf(page);
    expect(ids.filter((id) => /^s1-c/.test(id))).toEqual(['s1-c0']);
  });

  it('says if its tape is gone before it was packed', async ({ place }) => {
    const tape = tapeOf(place, 'gone', frames(5000, 300));
    const session = sessionOn(tape);
    const started = session.frames()[Symbol.iterator]();
    started.next();
    const reading = { ...session, frames: () => ({ [Symbol.iterator]: () => started }) };
    const page = pageOf([reading]);
    rmSync(tape);
    await expect(page).rejects.toThrow(/ENOENT/);
  });
});
