/** Streams of Content-Length frames: the frame is the body, the header stands beside it, and no byte is lost. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { blocksOf, type Frame, isCutOff, type Stream } from '../../../../lib/model/frame.ts';
import { readTape } from '../../../../lib/storage/tape/read.ts';
import { unfinishedLines } from '../../../../lib/storage/tape/unfinished.ts';
import { verifyTape } from '../../../../lib/storage/tape/verify.ts';
import type { TapeLimits } from '../../../../lib/storage/tape/write.ts';
import { buildTape, TestJournal } from '../../../support/journal.ts';
import { cases } from '../../../support/scale.ts';
import { it, type Place } from '../../../support/store.ts';

type Bytes = string | Uint8Array;

const framed = (body: string, more = '') => `Content-Length: ${Buffer.byteLength(body)}\r\n${more}\r\n${body}`;
const bytes = (text: Bytes) => Buffer.from(text as string);

/** The chunks of one stream, through journal and tape; `t` is a microsecond each. */
function through(place: Place, chunks: Bytes[], from: Stream = 'agent', limits?: Partial<TapeLimits>): Frame[] {
  const path = join(place.dir, `x${Math.random()}`);
  const journal = new TestJournal(path);
  chunks.forEach((chunk, i) => void journal.data(from, i + 1, bytes(chunk)));
  journal.event(chunks.length + 1, { from, event: 'eof' }).exit(chunks.length + 2);
  return framesOf(path, limits, 'intact');
}

function framesOf(path: string, limits: Partial<TapeLimits> | undefined, verdict: string): Frame[] {
  buildTape(path, `${path}.tape`, limits);
  expect(verifyTape(`${path}.tape`).verdict).toBe(verdict);
  return [...readTape(`${path}.tape`)].flatMap((entry) => {
    expect(entry.is).not.toBe('damaged');
    return entry.is === 'frame' ? [{ ...entry.frame, raw: Buffer.from(entry.frame.raw) }] : [];
  });
}

const rawOf = (frames: Frame[], from: Stream = 'agent') =>
  Buffer.concat(frames.filter((f) => f.from === from && f.form !== 'event').flatMap((frame) => [...blocksOf(frame)]));

/** What each frame is, in short: its header in angle brackets, its line, and how it ends. */
const inShort = (frames: Frame[]) =>
  frames
    .filter(({ event }) => event !== 'eof' && event !== 'exit')
    .map(({ head, raw, eol, event, detail }) =>
      event === null
        ? `${head ? `<${/length\s*:\s*(\d+)/i.exec(head)?.[1]}>` : ''}${raw}${eol === '' && !head ? '|' : ''}`
        : `${event}: ${detail.reason}`,
    );

describe('a stream that begins with a Content-Length header', () => {
  it('is split by it: the line of the tape is the body, and the header stands before it', ({ place }) => {
    const stream = framed('{"a" : 1.0}') + framed('{}', 'Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n');
    const journal = join(place.dir, 'x');
    new TestJournal(journal).data('client', 1, stream).event(2, { from: 'client', event: 'eof' }).exit(3);
    framesOf(journal, undefined, 'intact');
    expect(readFileSync(`${journal}.tape`, 'utf8').split('\n').slice(1, 3)).toEqual([
      '{"f":1,"t":0.000001,"from":"client","head":"Content-Length: 11\\r\\n\\r\\n","message":{"a" : 1.0}}',
      '{"f":2,"t":0.000001,"from":"client","head":"Content-Length: 2\\r\\nContent-Type: application/vscode-jsonrpc; charset=utf-8\\r\\n\\r\\n","message":{}}',
    ]);
  });

  it.for<[string, Bytes, string[], Partial<Frame>?]>([
    ['names in any case, and spaces', 'content-length:2\r\nX-a :b\r\n\r\n{}', ['<2>{}'], { form: 'message' }],
    ['the type first', 'Content-Type: a\r\nCONTENT-LENGTH: 2 \r\n\r\n{}', ['<2>{}']],
    ['line feeds alone', 'Content-Length: 2\n\n{}', ['<2>{}']],
    ['line feeds in the body', framed('{\n "a": 1\n}'), ['<11>{\n "a": 1\n}'], { form: 'text' }],
    ['a body that is no JSON', framed('héllo'), ['<6>héllo'], { form: 'text' }],
    ['an empty body', `${framed('')}${framed('{}')}`, ['<0>', '<2>{}'], { form: 'text' }],
    ['a body that looks like a header', framed(framed('{}')), [`<${framed('{}').length}>${framed('{}')}`]],
    [
      'a line end after the length',
      `${framed('{}')}\r\n${framed('[]')}`,
      ['<2>{}', 'unframed: no header', '', '<2>[]'],
    ],
  ])('%s', ([, stream, expected, first], { place }) => {
    const frames = through(place, [stream]);
    expect(inShort(frames)).toEqual(expected);
    expect(frames[0]).toMatchObject({ eol: '', ...first });
    expect(rawOf(frames)).toEqual(bytes(stream));
  });

  it('keeps a body that is not UTF-8', ({ place }) => {
    const stream = Buffer.concat([Buffer.from('Content-Length: 3\r\n\r\n'), Buffer.from([0xff, 0x0a, 0xfe])]);
    const frames = through(place, [stream]);
    expect(frames[0]).toMatchObject({ form: 'bytes', head: 'Content-Length: 3\r\n\r\n' });
    expect(rawOf(frames)).toEqual(stream);
  });

  it('decides for each stream by itself, and never for stderr', ({ place }) => {
    const path = join(place.dir, 'x');
    const journal = new TestJournal(path);
    for (const from of ['client', 'stderr'] as const) journal.data(from, 1, framed('{}'));
    journal.data('agent', 1, '{}\n').exit(2);
    const frames = framesOf(path, undefined, 'intact').filter(({ form }) => form !== 'event');
    expect(frames.map(({ from, head, eol }) => [from, head ?? null, eol])).toEqual([
      ['client', 'Content-Length: 2\r\n\r\n', ''],
      ['stderr', null, '\r\n'],
      ['stderr', null, '\r\n'],
      ['agent', null, '\n'],
      ['stderr', null, ''],
    ]);
  });

  it('has the times of the first byte of the header and of the last byte of the body', ({ place }) => {
    const frames = through(place, ['Conte', 'nt-Length: 4\r', '\n\r\n[1', ']', ' Content-', `Length: 2\r\n\r\n{}`]);
    expect(frames.slice(0, 2).map(({ t, t0 }) => [t, t0])).toEqual([
      [0.000005, 0.000001],
      [0.000006, 0.000005],
    ]);
    expect(inShort(frames)).toEqual(['<4>[1] ', '<2>{}']);
  });
});

describe('lines follow where there is no header', () => {
  it.for<[string, string, string[]]>([
    ['text before a message', `${framed('{}')}warning: a\n\n${framed('[]')}`, ['warning: a', '', '<2>[]']],
    ['a length in characters', `Content-Length: 3\r\n\r\n"é"${framed('[]')}`, ['"|', '<2>[]']],
    ['no number', `${framed('{}')}Content-Length: x\r\n\r\n{}\n`, ['Content-Length: x', '', '{}']],
    [
      'an absurd number',
      `${framed('{}')}Content-Length: ${'9'.repeat(16)}\r\n\r\n{}`,
      [`Content-Length: ${'9'.repeat(16)}`, '', '{}|'],
    ],
    [
      'two lengths',
      `${framed('{}')}Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}`,
      [...['Content-Length: 1', 'Content-Length: 2', '', '{}|']],
    ],
    ['no length', `${framed('{}')}Content-Type: x\r\n\r\n${framed('[]')}`, ['Content-Type: x', '', '<2>[]']],
    ['no end', `${framed('{}')}Content-X: ${'x'.repeat(5000)}`, [`Content-X: ${'x'.repeat(5000)}|`]],
    ['half a header at the end', `${framed('{}')}Content-Length: 5\r\nCont`, ['Content-Length: 5', 'Cont|']],
    ['bytes', `${framed('{}')}\0\x1b[31m\n`, ['\0\x1b[31m']],
    ['a header, then not its end', `${framed('{}')}x\nContent-Length: 2\r\noops\n`, ['x', 'Content-Length: 2', 'oops']],
  ])('%s', ([, stream, expected], { place }) => {
    const frames = through(place, [stream]);
    const units = inShort(frames);
    expect(units[0]).toMatch(/^<\d+>/);
    expect(units[1]).toMatch(/^unframed: (?:no header|header (?:without a length|too long|cut off))$/);
    expect(units.slice(2)).toEqual(expected);
    expect(rawOf(frames)).toEqual(bytes(stream));
  });

  it('and says so, once, until the next header', ({ place }) => {
    const frames = through(place, [`${framed('{}')}a\nb\n${framed('{}')}c\n`]);
    expect(inShort(frames)).toEqual(['<2>{}', 'unframed: no header', 'a', 'b', '<2>{}', 'unframed: no header', 'c']);
    expect(frames[1]).toMatchObject({ from: 'proc', detail: { stream: 'agent', reason: 'no header' } });
  });

  it.for(['Content-Length: many\n{}\n', 'Content: 5\n', 'C', 'Content-Length: 5', 'Content-Length: 5\r\n{}\n', '{}\n'])(
    'without a word if it does not even begin with one: %j',
    (stream, { place }) => {
      const frames = through(place, [...stream]);
      expect(frames.filter(({ head, event }) => head || event === 'unframed')).toEqual([]);
      expect(rawOf(frames)).toEqual(bytes(stream));
      expect(inShort(frames)).toEqual(inShort(through(place, [stream])));
    },
  );

  it('after a gap, up to the next header', ({ place }) => {
    const path = join(place.dir, 'x');
    const journal = new TestJournal(path).data('agent', 1, 'Content-Length: 20\r\n\r\n{"a":');
    journal.journal.append(6, 2, Buffer.from(JSON.stringify({ stream: 'agent', missing: 9 })));
    journal.data('agent', 3, `1}${framed('{}')}${framed('[]')}`).exit(4);
    const frames = framesOf(path, undefined, 'intact');
    expect(inShort(frames)).toEqual(['<20>{"a":', 'gap: undefined', '1}|', '<2>{}', '<2>[]']);
    expect(isCutOff(frames[0]!)).toBe(true);
  });
});

describe('any stream', () => {
  const body = fc.oneof(fc.json(), fc.string({ unit: 'binary' }), fc.constantFrom('', '{\n}', 'é', '\r\n\r\n'));
  const unit = fc.oneof(
    { weight: 5, arbitrary: body.map((text) => bytes(framed(text))) },
    fc.constantFrom('x\n', '\n', '}}', 'Content-Length: 3\r\n', 'Content-Length: 1\r\n\r\n', 'C', '\r').map(bytes),
    fc.uint8Array({ maxLength: 8 }),
  );

  it('is the same bytes, and the same frames however it was cut into chunks and whatever is held', ({ place }) => {
    const cuts = fc.array(fc.nat(400), { maxLength: 20 });
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 8 }), cuts, fc.constantFrom(1, 10, 5000), (units, at, mostHeld) => {
        const stream = Buffer.concat([bytes(framed('{}')), ...units]);
        const places = [0, ...at.filter((n) => n < stream.length).sort((a, b) => a - b), stream.length];
        const chunks = places.slice(1).map((end, i) => stream.subarray(places[i], end));
        const frames = through(place, chunks, 'agent', { mostHeld });
        expect(rawOf(frames)).toEqual(stream);
        const plain = ({ form, head, raw, eol, detail }: Frame) => ({ form, head, raw, eol, reason: detail.reason });
        const known = through(place, [stream]).map(plain);
        expect(frames.map(plain)).toEqual(known);
      }),
      { numRuns: cases(300) },
    );
  });
});

describe('a long body', () => {
  it.for([
    ['message', '{"a":"', '"}'],
    ['text', '{"a":\n"', '"}'],
    ['bytes', '\xff', ''],
  ] as const)('is not held, as %s', ([form, open, close], { place }) => {
    const whole = Buffer.from(`${open}${'x'.repeat(5000)}${close}`, 'latin1');
    const stream = Buffer.concat([Buffer.from(`Content-Length: ${whole.length}\r\n\r\n`), whole, bytes(framed('{}'))]);
    const chunks: Uint8Array[] = [];
    for (let i = 0; i < stream.length; i += 700) chunks.push(stream.subarray(i, i + 700));
    const frames = through(place, chunks, 'agent', { mostHeld: 100 });
    expect(frames[0]).toMatchObject({ form, head: `Content-Length: ${whole.length}\r\n\r\n` });
    expect(rawOf(frames)).toEqual(stream);
  });
});

describe('a recorder that is killed', () => {
  it.for([
    ['in a header', 'Content-Length: 1', ['unframed: header cut off', 'Content-Length: 1|']],
    ['before a body', 'Content-Length: 12\r\n\r\n', ['<12>']],
    ['in a body', 'Content-Length: 12\r\n\r\n{"a":', ['<12>{"a":']],
    ['in an absurd body', `Content-Length: ${'9'.repeat(15)}\r\n\r\n{"a":\n1`, [`<${'9'.repeat(15)}>{"a":\n1`]],
  ] as const)('leaves what there is, %s', ([, rest, expected], { place }) => {
    const path = join(place.dir, 'x');
    new TestJournal(path).data('agent', 1, framed('{}')).data('agent', 2, rest);
    const frames = framesOf(path, undefined, 'recovered');
    expect(inShort(frames)).toEqual(['<2>{}', ...expected, 'lost: undefined']);
    expect(rawOf(frames)).toEqual(bytes(framed('{}') + rest));
    expect(isCutOff(frames.at(-2)!)).toBe(true);
  });
});

describe('what is not on the tape yet', () => {
  it.for([
    ['half a header', 'Content-Le', { bytes: 10, of: null, head: 'Content-Le' }],
    ['a header', 'Content-Length: 7\r\n\r\n', { bytes: 0, of: 7, head: 'Content-Length: 7' }],
    ['half a body', 'Content-Length: 7\r\n\r\n{"a"', { bytes: 4, of: 7, head: '{"a"' }],
    ['a line where a header was due', 'oops', { bytes: 4, of: null, head: 'oops' }],
  ] as const)('is %s', ([, rest, expected], { place }) => {
    const path = join(place.dir, 'x');
    new TestJournal(path).data('agent', 1e6, framed('{}')).data('agent', 2e6, rest);
    expect(unfinishedLines(path)).toEqual([{ from: 'agent', t: 2, ...expected }]);
  });

  it('is nothing after a body, which has no line feed', ({ place }) => {
    const path = join(place.dir, 'x');
    new TestJournal(path).data('agent', 1, framed('{}')).data('client', 1, framed('{\n}'));
    expect(unfinishedLines(path)).toEqual([]);
  });
});
