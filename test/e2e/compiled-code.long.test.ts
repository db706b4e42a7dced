/** Compiled code makes a start quicker and changes nothing: code that does not fit is ignored, without a word. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { describe, expect } from 'vitest';
import { CHUNKS, type Copy, copyProgram } from '../support/copy.ts';
import { run } from '../support/run.ts';
import { it, type Place } from '../support/store.ts';

/** Later versions of Node keep their own. */
const isOurs = Number.parseInt(process.versions.node, 10) < 22;
const HEAP = '--initial-old-space-size=256';
const CRC = 8;
const STAMP = 12;

function install(place: Place): Copy {
  const copy = copyProgram(place, 'copy');
  rmSync(join(copy.root, 'dist/bin/cache'), { recursive: true, force: true });
  execFileSync(process.execPath, [join(copy.root, 'dist/bin/install.js')]);
  return copy;
}

const codeOf = ({ root }: Copy, chunk: string) => join(root, 'dist/bin/cache', `${chunk}.code`);

async function helpOf({ program }: Copy, place: Place): Promise<string> {
  const { code, stdout, stderr } = await run(place, [process.execPath, program, 'ls', '--help']);
  expect([code, stderr.toString()]).toEqual([0, '']);
  return stdout.toString();
}

/** The same length, so that V8 notices nothing. */
function change({ root }: Copy, chunk: string): void {
  const path = join(root, CHUNKS, chunk);
  const text = readFileSync(path, 'utf8');
  expect(text).toContain('Examples:');
  writeFileSync(path, text.replaceAll('Examples:', 'EXAMPLES:'));
}

/** With the time of the changed chunk, the code is run, and the change is not seen. */
function pretend(copy: Copy, chunk: string): void {
  const code = readFileSync(codeOf(copy, chunk));
  code.writeDoubleLE(statSync(join(copy.root, CHUNKS, chunk)).mtimeMs);
  writeFileSync(codeOf(copy, chunk), code);
}

describe.runIf(isOurs)('compiled code', () => {
  it('is made for every chunk, and used unless the chunk was written since', async ({ place }) => {
    const copy = install(place);
    const chunks = readdirSync(join(copy.root, CHUNKS)).filter((name) => name.endsWith('.js'));
    expect(chunks.filter((chunk) => !existsSync(codeOf(copy, chunk)))).toEqual([]);
    change(copy, 'list.js');
    expect(await helpOf(copy, place)).toContain('EXAMPLES:');
    pretend(copy, 'list.js');
    expect(await helpOf(copy, place)).toContain('Examples:');
  });

  // As the launcher does; copies have none.
  it('is used if Node is told how large its heap is at first', async ({ place }) => {
    const copy = install(place);
    change(copy, 'export.js');
    pretend(copy, 'export.js');
    const { stdout } = await run(place, [process.execPath, HEAP, copy.program, 'export', '--help']);
    expect(stdout.toString()).toContain('Examples:');
  });

  const WRONG: [string, (code: Buffer, copy: Copy) => Buffer][] = [
    ['of another chunk', (_, copy) => readFileSync(codeOf(copy, 'base.js')).subarray(STAMP)],
    ['of another version', (code) => Buffer.concat([code.subarray(0, 4), Buffer.alloc(4, 1), code.subarray(8)])],
    ['cut off', (code) => code.subarray(0, code.length >> 1)],
    ['empty', () => Buffer.alloc(0)],
    ['noise', (code) => Buffer.alloc(code.length, 'noise')],
    // V8 reads on, and aborts.
    ['damaged', (code) => Buffer.concat([code.subarray(0, 64), Buffer.alloc(code.length - 64, 0xa5)])],
    ['damaged at its end', (code) => Buffer.concat([code.subarray(0, -64), Buffer.alloc(64, 0xff)])],
  ];

  it('is ignored if it does not fit, and is not needed', async ({ place }) => {
    const copy = install(place);
    const right = await helpOf(copy, place);
    const path = codeOf(copy, 'list.js');
    const code = readFileSync(path);
    for (const [how, spoil] of WRONG) {
      writeFileSync(path, Buffer.concat([code.subarray(0, STAMP), spoil(code.subarray(STAMP), copy)]));
      expect(await helpOf(copy, place), how).toBe(right);
    }
    // What only V8 can tell: whole, and not for it.
    for (const [how, spoil] of WRONG.slice(0, 2)) {
      const whole = spoil(code.subarray(STAMP), copy);
      const stamp = Buffer.from(code.subarray(0, STAMP));
      stamp.writeUInt32LE(crc32(whole), CRC);
      writeFileSync(path, Buffer.concat([stamp, whole]));
      expect(await helpOf(copy, place), how).toBe(right);
    }
    rmSync(join(copy.root, 'dist/bin/cache'), { recursive: true });
    expect(await helpOf(copy, place)).toBe(right);
  });
});
