/** What goes into the journal comes off the tape, byte for byte, however it was cut into chunks (promises 1 and 8). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { type Frame, STREAMS, type Stream } from '../../../../lib/model/frame.ts';
import { readTape } from '../../../../lib/storage/tape/read.ts';
import { verifyTape } from '../../../../lib/storage/tape/verify.ts';
import { buildTape, TestJournal } from '../../../support/journal.ts';
import { cases } from '../../../support/scale.ts';
import { it, makePlace, type Place, removePlace } from '../../../support/store.ts';

interface Chunk {
  from: Stream;
  bytes: Uint8Array;
}

/** Through journal and tape, and back. */
function through(place: Place, chunks: Chunk[], name = 'x'): Frame[] {
  const path = join(place.dir, name);
  const journal = new TestJournal(path);
  chunks.forEach(({ from, bytes }, i) => void journal.data(from, i + 1, bytes));
  for (const from of STREAMS) journal.event(chunks.length + 1, { from, event: 'eof' });
  journal.exit(chunks.length + 2);
  buildTape(path, `${path}.tape`);
  expect(verifyTape(`${path}.tape`).verdict).toBe('intact');
  const frames: Frame[] = [];
  for (const entry of readTape(`${path}.tape`)) {
    if (entry.is === 'frame') frames.push({ ...entry.frame, raw: Buffer.from(entry.frame.raw) });
    expect(entry.is).not.toBe('damaged');
  }
  return frames;
}

function bytesFrom(frames: Frame[], from: Stream): Buffer {
  const lines = frames.filter((frame) => frame.from === from && frame.form !== 'event');
  return Buffer.concat(lines.flatMap(({ raw, eol }) => [raw, Buffer.from(eol)]));
}

const one = (text: string | Uint8Array): Chunk[] => [{ from: 'agent', bytes: Buffer.from(text as string) }];

describe('lines', () => {
  it.for<[string | number[], Partial<Frame>]>([
    ['{"a":1}\n', { form: 'message', eol: '\n' }],
    [' {"a" : 1.0, "a":9007199254740993 }\t\n', { form: 'message' }],
    ['{"a":1}\r\n', { form: 'message', eol: '\r\n' }],
    ['\r\n', { form: 'text', eol: '\r\n' }],
    ['\n', { form: 'text', eol: '\n' }],
    ['null\n', { form: 'message' }],
    ['hello', { form: 'text', eol: '' }],
    ['{"a":1}\r', { form: 'message', eol: '' }],
    ['\ufeff{"a":1}\n', { form: 'text' }],
    ['nul \0 and \u2028 and \x1b[31m\n', { form: 'text' }],
    ['{"u":"\u2028\u00e9\u{1f600}"}\n', { form: 'message' }],
    ['{"lone":"\\ud800"}\n', { form: 'text' }],
    [`${'['.repeat(129)}${']'.repeat(129)}\n`, { form: 'text' }],
    [[0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d, 0x0a], { form: 'bytes', eol: '\n' }],
    [[0xed, 0xa0, 0x80, 0x0d, 0x0a], { form: 'bytes', eol: '\r\n' }],
    [[0xc3], { form: 'bytes', eol: '' }],
  ])('%j is kept exactly', ([line, expected], { place }) => {
    const input = typeof line === 'string' ? line : new Uint8Array(line);
    const frames = through(place, one(input));
    expect(frames.find(({ form }) => form !== 'event')).toMatchObject(expected);
    expect(bytesFrom(frames, 'agent')).toEqual(Buffer.from(input as string));
  });

  it('stand on the tape verbatim, as the last key', ({ place }) => {
    through(place, one('{"b" : 1.00,\t"a":"\\u0041"}\nplain "text"\n'));
    const lines = readFileSync(join(place.dir, 'x.tape'), 'utf8').split('\n');
    expect(lines[1]).toBe('{"f":1,"t":0.000001,"from":"agent","message":{"b" : 1.00,\t"a":"\\u0041"}}');
    expect(lines[2]).toBe('{"f":2,"t":0.000001,"from":"agent","text":"plain \\"text\\""}');
  });

  it('have the time of the chunk that ended them, and t0 where an earlier chunk began them', ({ place }) => {
    const frames = through(place, [
      ...[...one('{"a"'), ...one(':1'), ...one('}\n{}\nlast')],
      ...[{ from: 'client' as const, bytes: Buffer.from('x\n') }],
    ]);
    const lines = frames.filter(({ form }) => form !== 'event').map(({ f, t, t0, from }) => ({ f, t, t0, from }));
    expect(lines).toEqual([
      { f: 1, t: 0.000003, t0: 0.000001, from: 'agent' },
      { f: 2, t: 0.000003, t0: null, from: 'agent' },
      { f: 3, t: 0.000004, t0: null, from: 'client' },
      { f: 5, t: 0.000005, t0: 0.000003, from: 'agent' },
    ]);
  });

  it('of many megabytes, in one piece or in many, cost no copy on the way', ({ place }) => {
    const long = Buffer.from(`{"big":"${'x'.repeat(5_000_000)}"}\r\n`);
    const pieces: Chunk[] = [];
    for (let i = 0; i < long.length; i += 65_536) pieces.push({ from: 'agent', bytes: long.subarray(i, i + 65_536) });
    for (const chunks of [one(long), pieces]) {
      const frames = through(place, chunks, `x${chunks.length}`);
      expect(frames[0]).toMatchObject({ form: 'message', eol: '\r\n' });
      expect(bytesFrom(frames, 'agent').equals(long)).toBe(true);
    }
  });
});

describe('a line that no string can hold', () => {
  it.for([
    ['', 10],
    ['\n', 10],
    ['\r\n', 10],
    ['\r\n', 5000],
  ] as const)(
    'becomes base64, piece by piece, ended by %j, of which %i bytes are held',
    ([eol, mostHeld], { place }) => {
      for (const length of [1000, 1001, 1002]) {
        const path = join(place.dir, `long${length}`);
        const journal = new TestJournal(path);
        const line = Buffer.from('{"long":1}'.repeat(101).slice(0, length) + eol);
        for (let i = 0; i < line.length; i += 7) journal.data('agent', i, line.subarray(i, i + 7));
        journal.event(2000, { from: 'agent', event: 'eof' }).exit(2000);
        // As if 999 bytes were more than any string can hold.
        buildTape(path, `${path}.tape`, { longestText: 999, mostHeld });
        expect(verifyTape(`${path}.tape`).verdict).toBe('intact');
        const [frame] = [...readTape(`${path}.tape`)].flatMap((entry) => (entry.is === 'frame' ? [entry.frame] : []));
        expect(frame).toMatchObject({ f: 1, form: 'bytes', eol });
        expect(Buffer.concat([frame!.raw, Buffer.from(eol)])).toEqual(line);
      }
    },
  );
});

describe('a line that is not held', () => {
  const text = fc.oneof(
    fc.json({ noUnicodeString: false }),
    fc.json({ noUnicodeString: false }).map((json) => `${json}\r`),
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      '\ufeff{}',
      '"\\ud800"',
      '{"a":"\\ud83d\\ude00"}',
      '\u0001\u001f"\\',
      '[1,2',
      '',
      '\r',
      '日本\u{1f600}',
    ),
  );
  const bytes = fc.uint8Array({ maxLength: 12 }).map((array) => Buffer.from(array));
  const line = fc.oneof({ weight: 4, arbitrary: text.map((one) => Buffer.from(one)) }, bytes);
  const sent = fc
    .tuple(fc.array(fc.tuple(fc.constantFrom(...STREAMS), line), { maxLength: 8 }), fc.infiniteStream(fc.nat(9)))
    .map(([lines, cuts]) => {
      const left = new Map(STREAMS.map((from) => [from, Buffer.alloc(0)]));
      for (const [from, one] of lines) left.set(from, Buffer.concat([left.get(from)!, one, Buffer.from('\n')]));
      const chunks: Chunk[] = [];
      // The streams in turns, a few bytes at a time.
      while ([...left.values()].some(({ length }) => length > 0)) {
        for (const [from, bytes] of left) {
          const count = 1 + cuts.next().value!;
          if (bytes.length > 0) chunks.push({ from, bytes: bytes.subarray(0, count) });
          left.set(from, bytes.subarray(count));
        }
      }
      return chunks;
    });

  it('stands on the tape as it would if it were', () => {
    const place = makePlace();
    let n = 0;
    try {
      fc.assert(
        fc.property(sent, fc.nat(12), (chunks, mostHeld) => {
          const path = join(place.dir, `u${n++}`);
          through(place, chunks, `u${n - 1}`);
          buildTape(path, `${path}.unheld`, { mostHeld });
          expect(readFileSync(`${path}.unheld`, 'utf8')).toBe(readFileSync(`${path}.tape`, 'utf8'));
        }),
        { numRuns: cases(300) },
      );
    } finally {
      removePlace(place);
    }
  });

  it('is the same in one record of many blocks', ({ place }) => {
    const words = Buffer.from(`${'"\u00e9\u0007日本\u{1f600}'.repeat(300_000)}\n{"a":"${'é'.repeat(1_000_000)}"}\n`);
    const parts: Chunk[] = [];
    for (let i = 0; i < words.length; i += 65_521) parts.push({ from: 'agent', bytes: words.subarray(i, i + 65_521) });
    const frames = through(place, one(words), 'whole');
    expect(frames.filter(({ form }) => form !== 'event').map(({ form }) => form)).toEqual(['text', 'message']);
    expect(bytesFrom(frames, 'agent').equals(words)).toBe(true);
    expect(bytesFrom(through(place, parts, 'parts'), 'agent').equals(words)).toBe(true);
  });
});

describe('any bytes in any chunks', () => {
  const byte = fc.oneof(fc.constantFrom(...Buffer.from('{}[]":,\n\r\\ue1 a')), fc.integer({ min: 0, max: 255 }));
  const chunk = fc.record({
    from: fc.constantFrom(...STREAMS),
    bytes: fc.array(byte, { minLength: 1, maxLength: 30 }).map((bytes) => Uint8Array.from(bytes)),
  });

  it('come back as they were', () => {
    const place = makePlace();
    let n = 0;
    try {
      fc.assert(
        fc.property(fc.array(chunk, { maxLength: 20 }), (chunks) => {
          const frames = through(place, chunks, `p${n++}`);
          for (const from of STREAMS) {
            const sent = Buffer.concat(chunks.filter((c) => c.from === from).map((c) => c.bytes));
            expect(bytesFrom(frames, from)).toEqual(sent);
          }
          expect(frames.map(({ f }) => f)).toEqual(frames.map((_, i) => i + 1));
        }),
        { numRuns: cases(150) },
      );
    } finally {
      removePlace(place);
    }
  });
});
