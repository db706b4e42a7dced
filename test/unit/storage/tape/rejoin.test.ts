/** Tapes from before streams were split by Content-Length headers: read as frames, whatever way they are read. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { blocksOf, type Frame, type Seal } from '../../../../lib/model/frame.ts';
import { lineLog } from '../../../../lib/storage/tape/import/line-log.ts';
import { ImportFindings } from '../../../../lib/storage/tape/import/source.ts';
import { wiretape } from '../../../../lib/storage/tape/import/wiretape.ts';
import { readTape } from '../../../../lib/storage/tape/read.ts';
import { Rejoiner } from '../../../../lib/storage/tape/rejoin.ts';
import { tapeLines } from '../../../../lib/storage/tape/tape-lines.ts';
import { TapeSource } from '../../../../lib/storage/tape/tape-source.ts';
import { metadataFor } from '../../../support/fixture-sessions.ts';
import { it, type Place } from '../../../support/store.ts';

const framed = (body: string) => `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

type Chunk = [t: number, from: 'client' | 'agent' | 'stderr', text: string];

/** The frames that a recorder made which split every stream into lines. */
function asLines(chunks: Chunk[]): Frame[] {
  const frames: Frame[] = [];
  const open = new Map<string, { t0: number; text: string }>();
  const add = (t: number, t0: number, from: Chunk[1], text: string) => {
    const eol = text.endsWith('\r\n') ? '\r\n' : text.endsWith('\n') ? '\n' : '';
    const raw = Buffer.from(text.slice(0, text.length - eol.length));
    const about = { f: frames.length + 1, t, t0: t0 < t ? t0 : null, from, eol } as const;
    frames.push({ ...about, form: 'text', raw, event: null, detail: {} });
  };
  for (const [t, from, text] of chunks) {
    const parts = text.split(/(?<=\n)/);
    for (const part of parts) {
      const begun = open.get(from) ?? { t0: t, text: '' };
      begun.text += part;
      open.set(from, begun);
      if (!part.endsWith('\n')) continue;
      add(t, begun.t0, from, begun.text);
      open.delete(from);
    }
  }
  const end = chunks.at(-1)![0] + 1;
  for (const [from, { t0, text }] of open) add(end, t0, from as Chunk[1], text);
  const detail = { code: 0, signal: null, at: '2026-11-16T02:29:12.000000Z' };
  frames.push({
    ...{ f: frames.length + 1, t: end, t0: null, from: 'proc', form: 'event', event: 'exit', detail, eol: '\n' },
    raw: Buffer.alloc(0),
  });
  return frames;
}

function tapeOf(place: Place, chunks: Chunk[]): string {
  const path = join(place.dir, 'x.jsonl');
  writeFileSync(path, Buffer.concat([...tapeLines(metadataFor('s'), asLines(chunks))].map((one) => Buffer.from(one))));
  return path;
}

const inShort = ({ f, t, t0, from, head, raw, event }: Frame) =>
  `f${f} ${t}${t0 === null ? '' : ` ${t0}`} ${from} ${event ?? `${head ? '<>' : ''}${Buffer.from(raw)}`}`;

const TALK: Chunk[] = [
  [1, 'client', 'Content-Length: 8\r\n\r\n'],
  [1, 'client', '{"id":1}'],
  [2, 'agent', framed('{"at":2}')],
  [3, 'agent', framed('{"at":3}')],
  [3.5, 'stderr', 'a word\n'],
  [4, 'client', framed('{"id":2,\n"b":"é"}')],
  [5, 'agent', framed('{"at":5}') + framed('{"at":6}')],
];
const JOINED = [
  ...['f1 1 client <>{"id":1}', 'f2 2 agent <>{"at":2}', 'f3 3 agent <>{"at":3}', 'f4 3.5 stderr a word'],
  ...['f5 4 client <>{"id":2,\n"b":"é"}', 'f6 5 agent <>{"at":5}', 'f7 5 agent <>{"at":6}', 'f8 6 proc exit'],
];

describe('Content-Length frames that are lines on an older tape', () => {
  it('are joined, in the order of their times', ({ place }) => {
    const path = tapeOf(place, TALK);
    const frames = [...new TapeSource(path).frames()];
    expect(frames.map(inShort)).toEqual(JOINED);
    const sent = (who: string) => TALK.flatMap(([, from, text]) => (from === who ? [text] : [])).join('');
    for (const who of ['client', 'agent', 'stderr']) {
      const bytes = frames.filter(({ from, event }) => from === who && !event).flatMap((frame) => [...blocksOf(frame)]);
      expect(Buffer.concat(bytes).toString()).toBe(sent(who));
    }
    const read = [...readTape(path)].flatMap((entry) => (entry.is === 'frame' ? [entry.frame] : []));
    expect(read.map(inShort)).toEqual(JOINED);
  });

  it('leave the last seal behind the last frame', ({ place }) => {
    const seals: Seal[] = [];
    const others = { seal: (one: Seal) => void seals.push(one), damaged: () => {} };
    for (const _ of new TapeSource(tapeOf(place, TALK)).frames(others)) seals.length = 0;
    expect(seals).toMatchObject([{ final: true }]);
    expect([...readTape(tapeOf(place, TALK))].at(-1)).toMatchObject({ is: 'seal', seal: { final: true } });
  });

  it('are imported as a recorder makes them now, with a note', ({ place }) => {
    const findings = new ImportFindings();
    const entries = [...wiretape.open(tapeOf(place, TALK)).read(findings)];
    expect(entries[0]).toMatchObject({ is: 'line', head: 'Content-Length: 8\r\n\r\n', raw: Buffer.from('{"id":1}') });
    expect([...findings.notes].join()).toMatch(/had been recorded as lines/);
  });

  it('are joined in logs of other recorders too', ({ place }) => {
    const path = join(place.dir, 'log.jsonl');
    const lines = ['Content-Length: 2\r', '\r', '{}Content-Length: 2\r', '\r', '[]'];
    const log = lines.map((line, i) => JSON.stringify({ t: 1e9 + i, dir: 'a2c', line, partial: i === 4 }));
    writeFileSync(path, `${log.join('\n')}\n`);
    const entries = [...lineLog.open(path).read(new ImportFindings())];
    expect(entries.map((entry) => entry.is === 'line' && [entry.head, String(entry.raw)])).toEqual([
      ['Content-Length: 2\r\n\r\n', '{}'],
      ['Content-Length: 2\r\n\r\n', '[]'],
    ]);
  });

  it('stay what they are if no header follows', ({ place }) => {
    const path = tapeOf(place, [
      [1, 'agent', 'Content-Length: 5\nis what it said\n'],
      [2, 'client', 'x\n'],
    ]);
    expect([...new TapeSource(path).frames()].map(inShort)).toEqual([
      'f1 1 agent Content-Length: 5',
      'f2 1 agent is what it said',
      'f3 2 client x',
      'f4 3 proc exit',
    ]);
  });

  it('are let go in the order of the tape when too much would have to be held', () => {
    const rejoiner = new Rejoiner(20);
    const early = asLines(TALK).flatMap((frame) => [...(rejoiner.wants(frame) ? rejoiner.take(frame) : [frame])]);
    const all = [...early, ...rejoiner.end()];
    expect(all.map(({ f }) => f)).toEqual(all.map((_, i) => i + 1));
    expect(all.map(({ t }) => t)).toEqual([...all.map(({ t }) => t)].sort((a, b) => a - b));
    expect(all.filter(({ head }) => head)).toHaveLength(6);
  });
});

describe('other tapes', () => {
  it('are not touched', () => {
    const rejoiner = new Rejoiner();
    const frames = asLines([[1, 'agent', '{}\nContent-Length: 2\r\n\r\n{}\n']]);
    expect(frames.flatMap((frame) => (rejoiner.wants(frame) ? rejoiner.take(frame) : [frame]))).toEqual(frames);
    expect(rejoiner.wants(frames[1]!)).toBe(false);
  });
});
