/** Logs of other recorders: every line and event of theirs is a frame, and nothing else is. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { readLineLog } from '../../../../../lib/storage/tape/import/line-log.ts';
import { IMPORTS, importOne, textOfFrame, writeIn } from '../../../../support/imports.ts';
import { cases } from '../../../../support/scale.ts';
import { it, makePlace, removePlace } from '../../../../support/store.ts';

const LOG = join(IMPORTS, 'line-logs/wire-1.49.0-subagent_parallel.jsonl');

interface Logged {
  t: number;
  dir: string;
  line: string;
}

const logged = (path: string): Logged[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Logged);

describe('a line log', () => {
  it('becomes its lines, and the events of its meta file in order of time', ({ place }) => {
    const { metadata, frames, verdict, skipped, notes } = importOne(place, LOG);
    const lines = logged(LOG);
    expect(frames.filter(({ form }) => form !== 'event').map(textOfFrame)).toEqual(lines.map(({ line }) => line));
    expect(frames.filter(({ form }) => form === 'event').map(({ event }) => event)).toEqual(['spawn', 'eof', 'exit']);
    expect([verdict, skipped, metadata.source, metadata.rebuilt]).toEqual(['intact', 0, 'import', false]);
    expect(metadata).toMatchObject({ cwd: '/home/dev/project', source_path: LOG, source_format: 'line-log' });
    expect(metadata.command.slice(0, 2)).toEqual(['/opt/agents/kimi-cli-1.49.0/bin/kimi', '--wire']);
    expect(frames[0]).toMatchObject({ f: 1, t: 0, from: 'proc', event: 'spawn' });
    expect(frames.at(-1)).toMatchObject({ event: 'exit', detail: { code: 0, signal: null } });
    // f of the session = line of the log + events before it.
    const eof = frames.findIndex(({ event }) => event === 'eof');
    lines.forEach((one, i) => {
      if (i + 1 >= eof) return;
      expect(frames[i + 1]!.t).toBeCloseTo(one.t - lines[0]!.t + frames[1]!.t, 5);
    });
    expect(notes).toEqual([expect.stringContaining('subagent')]);
  });

  it('is read into memory the same way', ({ place }) => {
    const { frames } = importOne(place, LOG);
    const log = readLineLog(LOG);
    const shown = (all: typeof frames) =>
      all.map(({ f, t, from, event, eol, raw }) => [f, t, from, event, eol, `${raw}`]);
    expect(shown(log.frames)).toEqual(shown(frames));
    expect(log.notes).toHaveLength(1);
  });

  it('keeps torn and odd lines where they stood, as events', ({ place }) => {
    const path = writeIn(
      place,
      'x.jsonl',
      [
        '{"t":1790000000.5,"dir":"c2a","line":"one"}',
        '{"t":1790000000.6,"dir":"sideways","line":"two"}',
        '[1]',
        '',
        '{"t":1790000000.7,"dir":"a2c","line":"three","partial":true}',
        '{"t":1790000000.8,"dir":"a2c","li',
      ].join('\n'),
    );
    const { frames, skipped, verdict, notes } = importOne(place, path);
    const unread = (line: number, why: string, held: string) => ({ line, why, size: held.length, held });
    expect(frames.map(({ event, detail, raw, eol }) => (event ? detail : [`${raw}`, eol]))).toEqual([
      ['one', '\n'],
      unread(2, 'no known record', '{"t":1790000000.6,"dir":"sideways","line":"two"}'),
      unread(3, 'not a JSON object', '[1]'),
      ['three', ''],
      unread(6, 'torn', '{"t":1790000000.8,"dir":"a2c","li'),
    ]);
    expect([skipped, verdict]).toEqual([3, 'intact']);
    expect(notes).toContain('3 lines could not be read, kept as events');
    expect(notes.some((note) => note.includes('the exit are not known'))).toBe(true);
  });

  it('keeps the order of its lines where times go back, and says so', ({ place }) => {
    const line = (t: number, text: string) => JSON.stringify({ t, dir: 'a2c', line: text });
    const path = writeIn(place, 'x.jsonl', `${line(1790000002, 'a')}\n${line(1790000001, 'b')}\n`);
    const { frames, notes } = importOne(place, path);
    expect(frames.map((frame) => [frame.t, textOfFrame(frame)])).toEqual([
      [0, 'a'],
      [0, 'b'],
    ]);
    expect(notes).toContain('1 frame out of order in time, kept in the order of the file');
  });

  it('gives back any line exactly', async () => {
    const place = makePlace();
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('{"a":\n1}', 'a\nb', '\r', '\u2028', '', 'x\r'),
    );
    const line = fc.record({ dir: fc.constantFrom('c2a', 'a2c', 'err'), line: text, partial: fc.boolean() });
    try {
      fc.assert(
        fc.property(fc.array(line, { minLength: 1, maxLength: 10 }), (lines) => {
          const log = lines.map((one, i) => JSON.stringify({ t: 1790000000 + i, ...one })).join('\n');
          const { frames, verdict } = importOne(place, writeIn(place, 'x.jsonl', log));
          const back = frames.map(({ raw, eol }) => Buffer.concat([raw, Buffer.from(eol)]).toString());
          expect(back).toEqual(lines.map((one) => `${Buffer.from(one.line)}${one.partial ? '' : '\n'}`));
          expect(verdict).toBe('intact');
        }),
        { numRuns: cases(30) },
      );
    } finally {
      await removePlace(place);
    }
  });
});
