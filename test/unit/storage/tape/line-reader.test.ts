/** The lines of a file that grows come out whole and once, with their exact places, wherever the growth was cut. */
import { appendFileSync, closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { LineReader } from '../../../../lib/storage/tape/line-reader.ts';
import { cases } from '../../../support/scale.ts';
import { it, makePlace, removePlace } from '../../../support/store.ts';

interface Taken {
  line: string;
  offset: number;
}

/** All that is there now. */
function take(reader: LineReader, atMost = Number.POSITIVE_INFINITY): Taken[] {
  const taken: Taken[] = [];
  for (const { line, offset } of reader.lines()) {
    taken.push({ line: line.toString('latin1'), offset });
    if (taken.length >= atMost) break;
  }
  return taken;
}

/** By the definition of a line, from the whole file. */
function expected(bytes: Buffer): { lines: Taken[]; rest: string } {
  const parts = bytes.toString('latin1').split('\n');
  const rest = parts.pop()!;
  let offset = 0;
  const lines = parts.map((line) => {
    const taken = { line, offset };
    offset += line.length + 1;
    return taken;
  });
  return { lines, rest };
}

describe('LineReader', () => {
  it('gives nothing of an empty file, and its lines once they come', ({ place }) => {
    const path = join(place.dir, 'x');
    writeFileSync(path, '');
    const reader = new LineReader(path);
    expect(take(reader)).toEqual([]);
    appendFileSync(path, 'a');
    expect(take(reader)).toEqual([]);
    expect(reader.rest.toString()).toBe('a');
    expect(reader.offset).toBe(0);
    appendFileSync(path, 'b\n\nc');
    expect(take(reader)).toEqual([
      { line: 'ab', offset: 0 },
      { line: '', offset: 3 },
    ]);
    expect(reader.offset).toBe(4);
    expect(reader.rest.toString()).toBe('c');
    reader.close();
  });

  it('goes on behind the last line taken, when the taker stopped in between', ({ place }) => {
    const path = join(place.dir, 'x');
    const lines = Array.from({ length: 3000 }, (_, i) => 'x'.repeat(i % 97));
    writeFileSync(path, `${lines.join('\n')}\n`);
    const reader = new LineReader(path);
    const taken: Taken[] = [];
    for (let n = 1; taken.length < lines.length; n++) taken.push(...take(reader, n));
    expect(taken).toEqual(expected(readFileSync(path)).lines);
    reader.close();
  });

  it('takes lines longer than any buffer, again and again', ({ place }) => {
    const path = join(place.dir, 'x');
    writeFileSync(path, 'short\n');
    const reader = new LineReader(path);
    expect(take(reader)).toHaveLength(1);
    for (const length of [5_000_000, 10, 2_000_000, 1 << 20, (1 << 20) - 1]) {
      const offset = reader.offset;
      for (let i = 0; i < length; i += 700_001) {
        appendFileSync(path, 'y'.repeat(Math.min(700_001, length - i)));
        expect(take(reader)).toEqual([]);
      }
      appendFileSync(path, '\nz\n');
      const [long, z] = take(reader);
      expect(long!.line.length).toBe(length);
      expect(/^y*$/.test(long!.line)).toBe(true);
      expect([long!.offset, z]).toEqual([offset, { line: 'z', offset: offset + length + 1 }]);
    }
    reader.close();
  });

  it('gives every line once, whole and in its place, however the file grew and whoever stopped', async () => {
    const place = makePlace();
    let n = 0;
    const piece = fc.oneof(
      fc.constantFrom('\n', '\n\n', 'a', 'ab\n', '\r\n', 'é', '\0'),
      fc.integer({ min: 900, max: 5000 }).map((length) => 'q'.repeat(length)),
    );
    const step = fc.record({ grow: fc.array(piece, { maxLength: 6 }), atMost: fc.integer({ min: 1, max: 9 }) });
    try {
      fc.assert(
        fc.property(fc.array(piece, { maxLength: 4 }), fc.array(step, { maxLength: 12 }), (first, steps) => {
          const path = join(place.dir, `p${n++}`);
          writeFileSync(path, first.join(''));
          const fd = openSync(path, 'a');
          const reader = new LineReader(path);
          const taken: Taken[] = [];
          for (const { grow, atMost } of steps) {
            const some = take(reader, atMost);
            taken.push(...some);
            const last = some.at(-1);
            if (last) expect(reader.offset).toBe(last.offset + last.line.length + 1);
            writeSync(fd, grow.join(''));
          }
          taken.push(...take(reader));
          const all = expected(readFileSync(path));
          expect(taken).toEqual(all.lines);
          expect(reader.rest.toString('latin1')).toBe(all.rest);
          reader.close();
          closeSync(fd);
        }),
        { numRuns: cases(200) },
      );
    } finally {
      await removePlace(place);
    }
  });
});
