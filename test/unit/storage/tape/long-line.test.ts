/**
 * A line that is longer than readers hold: its frame has the true size, the first part of the bytes, and all of them in
 * blocks. Limits of a few bytes stand for those of many megabytes.
 */
import { isUtf8 } from 'node:buffer';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { type Frame, STREAMS, sizeOf } from '../../../../lib/model/frame.ts';
import { LineReader } from '../../../../lib/storage/tape/line-reader.ts';
import { FIRST_PART_BYTES, MAX_LINE_BYTES } from '../../../../lib/storage/tape/long-line.ts';
import { OffsetLineReader } from '../../../../lib/storage/tape/offset-line-reader.ts';
import { parseLine } from '../../../../lib/storage/tape/read.ts';
import { TapeSource } from '../../../../lib/storage/tape/tape-source.ts';
import { verifyTape } from '../../../../lib/storage/tape/verify.ts';
import { buildTape, TestJournal } from '../../../support/journal.ts';
import { cases } from '../../../support/scale.ts';
import { it, makePlace, removePlace } from '../../../support/store.ts';

const NONE = { line: Buffer.alloc(0), long: null };
const ofNone = Number.POSITIVE_INFINITY;

function whole(frame: Frame): Buffer {
  return Buffer.concat([...(frame.cut?.whole() ?? [frame.raw])].map((block) => Buffer.from(block)));
}

/** With bytes of their own. */
function framesOf(tape: string, longest: number): Frame[] {
  const frames: Frame[] = [];
  for (const frame of new TapeSource(tape, longest).frames()) {
    const { f, t, t0, from, form, eol, event, detail, cut } = frame;
    frames.push({ f, t, t0, from, form, eol, event, detail, raw: Buffer.from(frame.raw), ...(cut && { cut }) });
  }
  return frames;
}

/** The metadata of a tape and its seals are lines too. */
const SMALLEST = 220;

describe('a frame that is too long to be held', () => {
  const text = fc.oneof(
    fc.json({ noUnicodeString: false }),
    fc.string({ unit: 'binary', maxLength: 400 }),
    fc
      .array(fc.constantFrom('é', '日本', '\u{1f600}', '"', '\\', '\u0001', 'a', '\t'), { minLength: 100 })
      .map((all) => all.join('')),
    fc.uint8Array({ minLength: 200, maxLength: 600 }),
  );
  const line = text.map((one) => Buffer.from(one as string)).filter((one) => !one.includes(10));

  it('is the same frame, but for what it does not hold', () => {
    const place = makePlace();
    let n = 0;
    try {
      fc.assert(
        fc.property(
          fc.array(fc.tuple(fc.constantFrom(...STREAMS), line, fc.constantFrom('\n', '\r\n')), { maxLength: 6 }),
          fc.integer({ min: SMALLEST, max: 600 }),
          (lines, longest) => {
            const path = join(place.dir, `l${n++}`);
            const journal = new TestJournal(path);
            for (const [i, [from, bytes, eol]] of lines.entries())
              journal.data(from, i, Buffer.concat([bytes, Buffer.from(eol)]));
            journal.exit(9);
            const tape = `${path}.tape`;
            buildTape(path, tape);
            const held = framesOf(tape, ofNone);
            const cut = framesOf(tape, longest);
            const places = new OffsetLineReader(tape, longest);
            const offsets = [...new LineReader(tape).lines()].slice(1).map(({ offset }) => offset);
            for (const [i, { raw, ...head }] of held.entries()) {
              for (const frame of [cut[i]!, places.frame(offsets[i]!)!]) {
                expect(frame).toMatchObject(head);
                expect(sizeOf(frame)).toBe(raw.length);
                expect(whole(frame)).toEqual(raw);
                expect(Buffer.from(frame.raw)).toEqual(Buffer.from(raw.subarray(0, frame.raw.length)));
                // No character is cut in two.
                if (frame.form !== 'bytes') expect(isUtf8(frame.raw)).toBe(true);
              }
            }
            places.close();
            expect(cut).toHaveLength(held.length);
            expect(verifyTape(tape, longest)).toEqual(verifyTape(tape));
          },
        ),
        { numRuns: cases(200) },
      );
    } finally {
      removePlace(place);
    }
  });

  it('keeps 64 kB of more than 32 MB', ({ place }) => {
    const path = join(place.dir, 'j');
    const journal = new TestJournal(path);
    const part = Buffer.from('日本'.repeat(10_000));
    journal.data('agent', 1, '{"a":"');
    for (let sent = 0; sent <= MAX_LINE_BYTES; sent += part.length) journal.data('agent', 2, part);
    journal.data('agent', 3, '"}\n{"b":1}\n').exit(4);
    buildTape(path, `${path}.tape`);
    const [long, short] = framesOf(`${path}.tape`, MAX_LINE_BYTES);
    expect(sizeOf(long!)).toBeGreaterThan(MAX_LINE_BYTES);
    expect(long!.raw.length).toBeGreaterThan(FIRST_PART_BYTES - 100);
    expect(long!.raw.length).toBeLessThan(FIRST_PART_BYTES);
    expect(short!.cut).toBeUndefined();
    expect(Buffer.from(short!.raw).toString()).toBe('{"b":1}');
    expect(verifyTape(`${path}.tape`).verdict).toBe('intact');
    // A byte in the middle of it.
    const bytes = readFileSync(`${path}.tape`);
    bytes[20_000_000]! ^= 1;
    writeFileSync(`${path}.tape`, bytes);
    expect(verifyTape(`${path}.tape`).verdict).toBe('altered');
  });

  it.for([
    ['{"f":1,"t":0.5,"from":"agent","x":"\\"message\\":","message":{"a":"LONG"}}', 'message', '{"a":"LONG"}'],
    [
      '{"from":"agent", "f":1, "t":0.5, "text":"\\ud83d\\ude00LONG\\ud83d\\ude00", "x":1}',
      'text',
      '\u{1f600}LONG\u{1f600}',
    ],
    ['{"f":1,"t":0.5,"from":"agent","text":"\\ud83dLONG\\ud83d"}', 'text', '\ufffdLONG\ufffd'],
  ])('is read as others may write it: %s', ([made, form, raw], { place }) => {
    const long = 'x\\n'.repeat(500);
    const path = join(place.dir, 't');
    writeFileSync(path, `{"type":"metadata","wiretape":1,"session":"s"}\n${made!.replace('LONG', long)}\n`);
    const frames = framesOf(path, SMALLEST);
    expect(frames).toHaveLength(1);
    const said = form === 'text' ? 'x\n'.repeat(500) : long;
    expect(whole(frames[0]!).toString()).toBe(raw!.replace('LONG', said));
    expect(sizeOf(frames[0]!)).toBe(Buffer.byteLength(raw!.replace('LONG', said)));
    expect(frames[0]!.cut!.bytes).toBeGreaterThan(0);
  });

  it.for([
    'x'.repeat(1000),
    `{"f":1,"t":0,"from":"agent","message":${'1'.repeat(1000)}`,
    `{"f":1,"t":0,"from":"agent","text":"${'a'.repeat(1000)}}`,
    `{"f":1,"t":0,"from":"agent","bytes":"${'a'.repeat(1001)}"}`,
    `{"f":1,"t":0,"from":"agent","text":"\u0001${'a'.repeat(1000)}"}`,
    `{"f":0,"t":0,"from":"agent","text":"${'a'.repeat(1000)}"}`,
    `{"f":1,"t":0,"from":"proc","event":"x","held":"${'a'.repeat(1000)}"}`,
    `{"type":"seal","f":1,"t":0,"at":"${'a'.repeat(1000)}"}`,
  ])('is none where the line makes no sense', (made, { place }) => {
    const path = join(place.dir, 't');
    writeFileSync(path, `${made}\n`);
    const [{ line, long } = NONE] = [...new LineReader(path, SMALLEST).lines()];
    expect(line).toHaveLength(SMALLEST);
    expect(parseLine(line, long)).toBeNull();
  });
});

describe('LineReader with a limit', () => {
  it('gives long lines by their places, however the file grew', ({ place }) => {
    const path = join(place.dir, 'x');
    writeFileSync(path, '');
    const reader = new LineReader(path, 1_500_000);
    const taken: [number, number, number][] = [];
    const take = () => {
      for (const { line, offset, long } of reader.lines())
        taken.push([offset, line.length, long?.length ?? line.length]);
    };
    const sizes = [3, 5_000_000, 0, 1_499_999, 1_500_000, 1_500_001, 7, 2_000_000];
    for (const size of sizes) {
      for (let i = 0; i < size; i += 600_001) {
        appendFileSync(path, 'y'.repeat(Math.min(600_001, size - i)));
        take();
      }
      appendFileSync(path, '\n');
    }
    take();
    let offset = 0;
    const expected = sizes.map((size) => {
      const at = offset;
      offset += size + 1;
      return [at, size > 1_500_000 ? FIRST_PART_BYTES : size, size];
    });
    expect(taken).toEqual(expected);
    expect(reader.offset).toBe(offset);
    expect(reader.takeRest()).toBeNull();
    reader.close();
  });

  it.for([10, 999, 1_200_000, 4_000_000])('gives what is left without a line end, of %i bytes', (size, { place }) => {
    const path = join(place.dir, 'x');
    writeFileSync(path, `first\n${'z'.repeat(size)}`);
    const reader = new LineReader(path, 2_000_000);
    expect(reader.next()!.toString()).toBe('first');
    expect(reader.next()).toBeNull();
    const rest = reader.takeRest()!;
    expect(rest.long?.length ?? rest.line.length).toBe(size);
    const bytes = Buffer.concat([...(rest.long?.blocks() ?? [rest.line])].map((block) => Buffer.from(block)));
    expect(bytes.equals(Buffer.alloc(size, 'z'))).toBe(true);
    reader.close();
  });
});
