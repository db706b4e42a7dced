/** A line of a tape by its place, as the index tells it. */
import { appendFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { LineReader } from '../../../../lib/storage/tape/line-reader.ts';
import { OffsetLineReader } from '../../../../lib/storage/tape/offset-line-reader.ts';
import { makeSession, rpc } from '../../../support/session.ts';
import { it } from '../../../support/store.ts';

describe('a line by its place', () => {
  it('is that frame, however long', ({ place }) => {
    const texts = ['', 'é', 'x'.repeat(4000), 'y'.repeat(4096), 'z'.repeat(300_000), '错'.repeat(20_000)];
    const { tape } = makeSession(place.home, (journal) => {
      for (const [i, text] of texts.entries()) journal.data('client', i, rpc({ method: 'm', params: text }));
      journal.data('agent', 10, Uint8Array.of(0xff, 10)).exit(20);
    });
    const reader = new LineReader(tape);
    const offsets = [...reader.lines()].map(({ offset }) => offset);
    reader.close();
    const lines = new OffsetLineReader(tape);
    const frames = offsets.map((offset) => lines.frame(offset));
    expect(frames[0]).toBeNull();
    // In any order, each with bytes of its own.
    for (const [i, text] of [...texts.entries()].reverse()) {
      expect(lines.frame(offsets[i + 1]!)!.f).toBe(i + 1);
      const { params } = JSON.parse(Buffer.from(frames[i + 1]!.raw).toString()) as { params: string };
      expect(params === text).toBe(true);
    }
    expect(frames[texts.length + 1]).toMatchObject({ form: 'bytes' });
    expect(lines.frame(offsets[1]! + 1)).toBeNull();
    expect(lines.frame(statSync(tape).size)).toBeNull();
    expect(lines.frame(statSync(tape).size + 1e9)).toBeNull();
    lines.close();
    lines.close();
  });

  it('is the same when its size is known, or thought to be', ({ place }) => {
    const texts = ['a', 'b'.repeat(70_000), 'c', '错'.repeat(400_000), '\u0001'.repeat(90_000), 'd'];
    const { tape } = makeSession(place.home, (journal) => {
      for (const [i, text] of texts.entries()) journal.data('client', i, `${text}\n`);
      journal.exit(20);
    });
    const reader = new LineReader(tape);
    const offsets = [...reader.lines()].map(({ offset }) => offset).slice(1, texts.length + 1);
    reader.close();
    const lines = new OffsetLineReader(tape);
    for (const [i, offset] of offsets.entries()) {
      const { raw } = new OffsetLineReader(tape).frame(offset)!;
      for (const size of [raw.length, raw.length - 1, raw.length + 1, 100_000, 1e7, 1e12, 0]) {
        const frame = lines.frame(offset, size)!;
        expect(frame.f).toBe(i + 1);
        expect(Buffer.compare(frame.raw, raw)).toBe(0);
      }
    }
    expect(lines.frame(offsets[1]! + 1, 70_000)).toBeNull();
    expect(lines.frame(statSync(tape).size, 70_000)).toBeNull();
    lines.close();
  });

  it('is none where the file was cut off', ({ place }) => {
    const path = join(place.dir, 'tape');
    writeFileSync(path, '{"f":1,"t":0,"from":"agent","text":"a');
    const lines = new OffsetLineReader(path);
    expect(lines.frame(0)).toBeNull();
    appendFileSync(path, 'b"}\n');
    expect(Buffer.from(lines.frame(0)!.raw).toString()).toBe('ab');
    lines.close();
  });
});
