/** tape -> export -> import -> tape is the identity on frames: bytes, line ends, times, order and events. */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { STREAMS } from '../../../../../lib/model/frame.ts';
import { jsonl } from '../../../../../lib/output/export/jsonl.ts';
import { verifyTape } from '../../../../../lib/storage/tape/verify.ts';
import { importOne, readWhole, writeIn } from '../../../../support/imports.ts';
import { buildTape, TestJournal } from '../../../../support/journal.ts';
import { cases } from '../../../../support/scale.ts';
import { sessionOn } from '../../../../support/session.ts';
import { it, makePlace, type Place, removePlace } from '../../../../support/store.ts';

const piece = fc.oneof(
  fc.constantFrom('{"a":1}\n', '{"b":"\\ud800"}\n', 'x\r\n', '\r', '\n', '{"a":', '1}', '\ufeff{}\n', '[1.0]\n'),
  fc.string({ unit: 'binary' }),
  fc.uint8Array({ maxLength: 8 }),
);
const step = fc.record({
  from: fc.constantFrom(...STREAMS),
  bytes: piece,
  pause: fc.integer({ min: 0, max: 700_000 }),
});
const ending = fc.constantFrom('exit', 'killed', 'spawn-failed');

/** A tape as a recorder makes it, with pauses, partial lines, a gap, and one of the endings. */
function record(
  place: Place,
  steps: { from: (typeof STREAMS)[number]; bytes: string | Uint8Array; pause: number }[],
  how: string,
): string {
  const path = join(place.dir, `journal-${Math.random()}`);
  const journal = new TestJournal(path, { user: 'me', dialect: 'lines' });
  let t = 0;
  journal.event(t, { from: 'proc', event: 'spawn', pid: 7 });
  for (const { from, bytes, pause } of steps) {
    t += pause;
    journal.data(from, t, bytes);
    if (pause % 5 === 0) journal.clock(t);
    if (pause % 7 === 0) journal.event(t, { from: 'proc', event: 'gap', stream: from, missing: 3 });
  }
  if (how === 'exit') journal.event(t, { from: 'client', event: 'eof', by: 'agent' }).exit(t + 1);
  if (how === 'spawn-failed') journal.exit(t + 1, { event: 'spawn-failed', errno: 'ENOENT' });
  journal.journal.close();
  buildTape(path, `${path}.tape`);
  return `${path}.tape`;
}

function exported(tape: string, to: string): string {
  writeFileSync(to, '');
  for (const part of jsonl.write(sessionOn(tape), { note: () => {} })) appendFileSync(to, part);
  return to;
}

describe('a tape of our own', () => {
  it('comes back with the same frames, however often', async () => {
    const place = makePlace();
    try {
      fc.assert(
        fc.property(fc.array(step, { maxLength: 12 }), ending, (steps, how) => {
          const tape = record(place, steps, how);
          const { frames, metadata } = readWhole(tape);
          const copy = exported(tape, join(place.dir, 'copy.jsonl'));
          expect(readFileSync(copy)).toEqual(readFileSync(tape));
          const once = importOne(place, copy);
          expect(once.frames).toEqual(frames);
          expect(once.verdict).toBe(verifyTape(tape).verdict);
          const twice = importOne(place, exported(once.tape, join(place.dir, 'again.jsonl')));
          expect(twice.frames).toEqual(frames);
          expect(twice.metadata.started_at).toBe(metadata.started_at);
        }),
        { numRuns: cases(30) },
      );
    } finally {
      await removePlace(place);
    }
  });

  it('keeps what it said of itself, and which session it was', ({ place }) => {
    const tape = record(place, [{ from: 'agent', bytes: '{}\n', pause: 1 }], 'exit');
    const { digest } = verifyTape(tape);
    const once = importOne(place, tape);
    expect(once.metadata).toMatchObject({ command: ['x'], cwd: '/', user: 'me', dialect: 'lines', source: 'import' });
    expect(once.metadata.original).toEqual({ session: 's', source: 'record', verdict: 'intact', digest });
    const twice = importOne(place, once.tape);
    expect(twice.metadata.original).toMatchObject({ source: 'import', source_path: tape, original: { session: 's' } });
  });

  it('that was changed or cut off comes in as far as it goes, and says so', ({ place }) => {
    const tape = record(place, [{ from: 'agent', bytes: 'one\ntwo\n', pause: 1 }], 'exit');
    const text = readFileSync(tape, 'utf8');
    const changed = join(place.dir, 'changed.jsonl');
    writeFileSync(changed, text.replace('two', 'Two'));
    expect(importOne(place, changed)).toMatchObject({
      verdict: 'intact',
      notes: ['the tape had been altered before it was imported'],
      metadata: { original: { verdict: 'altered' } },
    });
    const cut = join(place.dir, 'cut.jsonl');
    writeFileSync(cut, `${text.slice(0, text.indexOf('{"f":3'))}garbage\n{"f":3,"t":`);
    const { frames, notes, skipped } = importOne(place, cut);
    expect(frames.map(({ event, raw, detail }) => (event ? [event, detail.why] : `${raw}`))).toEqual([
      ['spawn', undefined],
      'one',
      ['unread', 'not a JSON object'],
      ['unread', 'torn'],
    ]);
    expect(skipped).toBe(2);
    expect(notes[0]).toMatch(/altered|not finished/);
  });

  it('made by other hands cannot hurt: odd speakers, keys, times and starts', ({ place }) => {
    const lines = [
      '{"type":"metadata","wiretape":1,"started_at":"2026-01-01T00:00:00.000000Z"}',
      '{"f":1,"t":5,"from":"proc","event":"eof","__proto__":{"a":1}}',
      '{"f":1,"t":1,"from":"proc","text":"a"}',
      '{"f":9,"t":6,"from":"agent","event":"exit"}',
      '',
    ];
    const odd = importOne(place, writeIn(place, 'odd.jsonl', lines.join('\n')));
    expect(odd.verdict).toBe('intact');
    expect(odd.frames.map(({ f, t, from, event }) => [f, t, from, event])).toEqual([
      [1, 5, 'proc', 'eof'],
      [2, 5, 'proc', null],
      [3, 6, 'agent', 'exit'],
    ]);
    expect(odd.notes).toContain('frames were missing or out of order: they have new numbers here');
    const late = writeIn(place, 'late.jsonl', lines.join('\n').replace('2026', '2500'));
    expect(() => importOne(place, late)).toThrow('start time of the session is out of range');
  });

  it('that is an import proves as much as any other', ({ place }) => {
    const { tape } = importOne(place, record(place, [{ from: 'agent', bytes: 'one\n', pause: 5 }], 'killed'));
    const text = readFileSync(tape, 'utf8');
    const changed = join(place.dir, 'changed.jsonl');
    const final = text.trimEnd().split('\n').at(-1)!;
    expect(verifyTape(tape).verdict).toBe('recovered');
    for (const other of [
      text.replace(/"at":"[^"]*"(?=[^\n]*final)/, '"at":"2020-01-01T00:00:00.000000Z"'),
      text.replace(',"recovered":true', ''),
      text.replace(final, final.replace('"t":0.00000', '"t":0.00001')),
    ]) {
      expect(other).not.toBe(text);
      writeFileSync(changed, other);
      expect(verifyTape(changed).verdict).toBe('altered');
    }
  });
});
