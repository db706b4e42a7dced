/** Zip archives: what is written can be read, and what is damaged or lies about its size is refused. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { zip } from '../../../../lib/storage/tape/zip.ts';
import { ZipReader } from '../../../../lib/storage/tape/zip-reader.ts';
import { it, type Place } from '../../../support/store.ts';

const FILES = {
  'report.md': Buffer.from('# 报告\n'),
  'wire.jsonl': Buffer.from('{"f":1}\n'.repeat(50_000)),
  'sub/文件.bin': Buffer.from(Array.from({ length: 3000 }, (_, i) => (i * 7919) % 256)),
};

async function archive(files: Record<string, Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  const list = Object.entries(files).map(([name, bytes]) => ({
    name,
    content: [bytes.subarray(0, 10), bytes.subarray(10)],
  }));
  for await (const piece of zip(list)) pieces.push(piece);
  return Buffer.concat(pieces);
}

const unpacked = (path: string, name: string): Buffer =>
  Buffer.concat([...new ZipReader(path).pieces(name)].map((piece) => Buffer.from(piece)));

function saved(place: Place, bytes: Buffer): string {
  const path = join(place.dir, 'a.zip');
  writeFileSync(path, bytes);
  return path;
}

describe('a zip archive', () => {
  it('gives back the files, and is the same each time', async ({ place }) => {
    const bytes = await archive(FILES);
    const path = saved(place, bytes);
    expect(new ZipReader(path).names).toEqual(Object.keys(FILES));
    for (const [name, content] of Object.entries(FILES)) expect(unpacked(path, name).equals(content)).toBe(true);
    expect((await archive(FILES)).equals(bytes)).toBe(true);
  });

  it('is read by other programs', async ({ place, skip }) => {
    const path = saved(place, await archive(FILES));
    const code =
      'import sys,zipfile;z=zipfile.ZipFile(sys.argv[1]);assert z.testzip() is None;print(len(z.read("wire.jsonl")))';
    const { status, stdout, error } = spawnSync('python3', ['-c', code, path], { encoding: 'utf8' });
    if (error) skip('python3 is not installed');
    expect([status, stdout.trim()]).toEqual([0, '400000']);
  });

  it('is refused where it is damaged', async ({ place }) => {
    const bytes = await archive(FILES);
    const damaged = (change: (copy: Buffer) => Buffer) => saved(place, change(Buffer.from(bytes)));
    expect(() => new ZipReader(damaged((copy) => copy.subarray(0, -30)))).toThrow('not a zip archive');
    expect(() => new ZipReader(damaged(() => Buffer.from('{"type":"metadata"}\n')))).toThrow('not a zip archive');
    const other = damaged((copy) => {
      copy[45]! ^= 0xff;
      return copy;
    });
    expect(() => unpacked(other, 'report.md')).toThrow('cannot be unpacked');
    expect(() => unpacked(saved(place, bytes), 'nothing')).toThrow('there is no nothing');
  });

  it('is refused where it holds more than it says', async ({ place }) => {
    const bytes = await archive({ bomb: Buffer.alloc(1_000_000) });
    const copy = Buffer.from(bytes);
    // The size that the directory declares.
    copy.writeUInt32LE(1000, copy.lastIndexOf(Buffer.from([0x50, 0x4b, 1, 2])) + 24);
    expect(() => unpacked(saved(place, copy), 'bomb')).toThrow('larger than the archive says');
  });
});
