/** What the tables of a page share: the order of rows, the columns that fit, and frames that a sentence names. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { framesIn } from '../../../../../lib/output/viewer/parts/frames-in.ts';
import { clicked, fitting, type SortValue, sortedBy } from '../../../../../lib/output/viewer/parts/sort.ts';

const sorted = (values: SortValue[], descending: boolean) =>
  [
    ...sortedBy(
      Uint32Array.from(values, (_, i) => i),
      (i) => values[i]!,
      descending,
    ),
  ].map((i) => values[i]);

describe('rows', () => {
  it('are sorted as numbers or words, without a value last in either direction', () => {
    expect(sorted([10, 9, null, 100], false)).toEqual([9, 10, 100, null]);
    expect(sorted([10, 9, null, 100], true)).toEqual([100, 10, 9, null]);
    expect(sorted(['b10', null, 'B9', 'a'], false)).toEqual(['a', 'B9', 'b10', null]);
    expect(sorted([Number.POSITIVE_INFINITY, 1, null], true)).toEqual([Number.POSITIVE_INFINITY, 1, null]);
  });

  it('that are equal keep their order, and no row is lost', () => {
    const value = fc.option(fc.oneof(fc.integer({ min: 0, max: 3 })), { nil: null });
    fc.assert(
      fc.property(fc.array(value), fc.boolean(), (values, descending) => {
        const order = [
          ...sortedBy(
            Uint32Array.from(values, (_, i) => i),
            (i) => values[i]!,
            descending,
          ),
        ];
        expect(order.toSorted((a, b) => a - b)).toEqual(values.map((_, i) => i));
        for (let at = 1; at < order.length; at++)
          if (values[order[at - 1]!] === values[order[at]!]) expect(order[at - 1]).toBeLessThan(order[at]!);
      }),
    );
  });

  it('are turned round by a second click on a head', () => {
    const first = clicked({ column: 'f', descending: false }, 'wait', true);
    expect(first).toEqual({ column: 'wait', descending: true });
    expect(clicked(first, 'wait', true)).toEqual({ column: 'wait', descending: false });
    expect(clicked(first, 'tool', false)).toEqual({ column: 'tool', descending: false });
  });
});

describe('columns', () => {
  const columns = [
    { id: 'f', least: 50, spare: null },
    { id: 'run', least: 60, spare: 1 },
    { id: 'tool', least: 100, spare: 3 },
    { id: 'flags', least: 100, spare: 2 },
  ];
  const left = (width: number) => fitting(columns, width, 10).map(({ id }) => id);

  it('are left out until the rest fits, the least needed first', () => {
    expect(left(350)).toEqual(['f', 'run', 'tool', 'flags']);
    expect(left(349)).toEqual(['f', 'tool', 'flags']);
    expect(left(200)).toEqual(['f', 'tool']);
    expect(left(0)).toEqual(['f']);
  });
});

describe('a sentence', () => {
  it('has the frames that it names', () => {
    expect(framesIn('asked in f12, and again (f7)')).toEqual([
      { text: 'asked in ', f: null },
      { text: 'f12', f: 12 },
      { text: ', and again (', f: null },
      { text: 'f7', f: 7 },
      { text: ')', f: null },
    ]);
    expect(framesIn('of5 f f5x')).toEqual([{ text: 'of5 f f5x', f: null }]);
    expect(framesIn('')).toEqual([]);
  });

  it('is complete in its parts', () => {
    const word = fc.constantFrom('f1', 'f23', ' ', 'of', '(', 'f', '9');
    fc.assert(
      fc.property(fc.array(word), (words) => {
        expect(
          framesIn(words.join(''))
            .map(({ text }) => text)
            .join(''),
        ).toBe(words.join(''));
      }),
    );
  });
});
