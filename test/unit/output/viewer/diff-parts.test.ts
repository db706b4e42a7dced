import { describe, expect, it } from 'vitest';
import { numberedLines } from '../../../../lib/analysis/diff/line-diff.ts';
import { partsOf, patchText, sidesOf, wordMarks } from '../../../../lib/output/viewer/blocks/diff-parts.ts';

const HOW = { patience: 10_000, ignoreSpace: false };
const text = (...lines: (string | number)[]) => `${lines.join('\n')}\n`;
const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);

describe('a diff', () => {
  const before = text(...numbers(1, 30));
  const after = text(...numbers(1, 10), 'ten', ...numbers(11, 30));

  it('has the line numbers of both files', () => {
    const lines = numberedLines(before, after, [5, 7], HOW)!;
    expect(lines[0]).toEqual({ sign: ' ', a: 5, b: 7, text: '1' });
    expect(lines.filter(({ sign }) => sign !== ' ')).toEqual([
      { sign: '-', a: 14, b: null, text: '10' },
      { sign: '+', a: null, b: 16, text: 'ten' },
    ]);
    expect(lines.at(-1)).toEqual({ sign: ' ', a: 33, b: 35, text: '29' });
  });

  it('leaves out what is far from a change, but not a single line', () => {
    const lines = numberedLines(before, after, [1, 1], HOW)!;
    expect(partsOf(lines)).toEqual([
      { is: 'gap', from: 0, to: 6 },
      { is: 'shown', from: 6, to: 14 },
      { is: 'gap', from: 14, to: 30 },
    ]);
    const near = numberedLines(text('a', 1, 2, 3, 4, 5, 6, 7, 'b'), text('A', 1, 2, 3, 4, 5, 6, 7, 'B'), [1, 1], HOW)!;
    expect(partsOf(near)).toEqual([{ is: 'shown', from: 0, to: near.length }]);
  });

  it('of equal texts is one gap, and of a new file all lines', () => {
    const same = numberedLines(before, before, [1, 1], HOW)!;
    expect(partsOf(same)).toEqual([{ is: 'gap', from: 0, to: 29 }]);
    const fresh = numberedLines('', 'a\nb', [1, 1], HOW)!;
    expect(fresh.map(({ sign }) => sign).join('')).toBe('++~');
  });

  it('can ignore white space', () => {
    const lines = numberedLines('a\n  b\n', 'a\n    b\n', [1, 1], { ...HOW, ignoreSpace: true })!;
    expect(lines.every(({ sign }) => sign === ' ')).toBe(true);
  });

  it('marks the words that changed', () => {
    const lines = numberedLines('return hour + minute;\n', 'return hour % 24 + minute;\n', [1, 1], HOW)!;
    const marks = wordMarks(lines, () => 0, 1);
    expect(marks.get(1)!.filter(({ changed }) => changed)).toEqual([{ changed: true, text: '% 24 ' }]);
    expect(
      marks
        .get(1)!
        .map((word) => word.text)
        .join(''),
    ).toBe(lines[1]!.text);
    expect(wordMarks(lines, () => 2, 1).size).toBe(0);
  });

  it('stands side by side', () => {
    const lines = numberedLines(text('a', 'b', 'c'), text('a', 'x', 'y', 'c'), [1, 1], HOW)!;
    expect(sidesOf(lines, 0, lines.length)).toEqual([
      [0, 0],
      [1, 2],
      [-1, 3],
      [4, 4],
    ]);
  });

  it('is a patch that says where', () => {
    const lines = numberedLines(before, after, [1, 1], HOW)!;
    expect(patchText('x.js', lines).split('\n').slice(0, 8)).toEqual([
      ...['--- a/x.js', '+++ b/x.js', '@@ -7,7 +7,7 @@', ' 7', ' 8', ' 9', '-10', '+ten'],
    ]);
  });
});
