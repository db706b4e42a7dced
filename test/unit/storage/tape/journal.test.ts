/** The journal: whole records only, what a dead recorder left, and what could not be written (section 3). */
import { appendFileSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { buildTape, TestJournal } from '../../../support/journal.ts';
import { it, type Place } from '../../../support/store.ts';

function tapeOf(place: Place): Record<string, unknown>[] {
  buildTape(join(place.dir, 'journal'), join(place.dir, 'tape'));
  return readFileSync(join(place.dir, 'tape'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

describe('a journal whose recorder was killed', () => {
  it('makes a tape that ends with `lost` and a recovered seal', ({ place }) => {
    new TestJournal(join(place.dir, 'journal')).data('agent', 10, '{"a":1}\n{"b"');
    expect(tapeOf(place).slice(1)).toMatchObject([
      { f: 1, message: { a: 1 } },
      { f: 2, eol: '', text: '{"b"' },
      { f: 3, from: 'proc', event: 'lost', at: '2026-11-16T02:29:11.000010Z' },
      { type: 'seal', f: 3, final: true, recovered: true },
    ]);
  });

  it('gives up what is there of a record that was cut off', ({ place }) => {
    const path = join(place.dir, 'journal');
    new TestJournal(path).data('agent', 10, 'one\n').data('agent', 20, 'two\nthree');
    truncateSync(path, readFileSync(path).length - 4);
    expect(
      tapeOf(place)
        .map(({ text }) => text)
        .filter(Boolean),
    ).toEqual(['one', 'two', 't']);
  });

  it('makes a readable tape wherever it was cut off', ({ place }) => {
    const path = join(place.dir, 'journal');
    new TestJournal(path).data('client', 1, '{"x":1}\n').clock(2).data('agent', 3, '{"y":2}\n').exit(4);
    const whole = readFileSync(path).length;
    for (let length = whole - 1; length > 4096 + 200; length--) {
      truncateSync(path, length);
      expect(tapeOf(place).at(-1)).toMatchObject({ type: 'seal', final: true, recovered: true });
    }
  });

  it('is not confused by garbage behind its last record', ({ place }) => {
    const path = join(place.dir, 'journal');
    new TestJournal(path).data('client', 1, '{"x":1}\n');
    appendFileSync(path, Buffer.alloc(100, 0x5a));
    expect(
      tapeOf(place)
        .map(({ event, message }) => event ?? message)
        .filter(Boolean),
    ).toEqual([{ x: 1 }, 'lost']);
  });
});

it('the same journal makes the same tape, byte for byte', ({ place }) => {
  new TestJournal(join(place.dir, 'journal')).data('agent', 10, '{"a":1}\nhalf').clock(20).data('client', 30, 'x');
  const build = () => {
    buildTape(join(place.dir, 'journal'), join(place.dir, 'tape'));
    return readFileSync(join(place.dir, 'tape'));
  };
  expect(build()).toEqual(build());
});
