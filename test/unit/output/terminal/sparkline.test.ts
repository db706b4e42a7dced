import { describe, expect, it } from 'vitest';
import { bar, sparkline } from '../../../../lib/output/terminal/sparkline.ts';

const points = (...values: number[]) => values.map((value, t) => ({ t, value }));

describe('a sparkline', () => {
  it('has a bar a value where there is room', () => {
    expect(sparkline(points(0, 1, 2, 3, 4, 5, 6, 7, 8), 20, 8)).toBe('▁▂▃▄▅▆▇██');
    expect(sparkline([], 20, 1)).toBe('');
    expect(sparkline(points(0, 0), 20, 0)).toBe('▁▁');
  });

  it('shows the highest of each part of the time, and what holds on where nothing is said', () => {
    expect(sparkline(points(0, 8, 0, 0, 0, 0, 0, 0), 4, 8)).toBe('█▁▁▁');
    const late = [
      { t: 0, value: 8 },
      { t: 1, value: 4 },
      { t: 100, value: 8 },
    ];
    expect(sparkline(late, 2, 8)).toBe('██');
    expect(sparkline([...late, { t: 0.5, value: 8 }, { t: 0.6, value: 8 }], 4, 8)).toHaveLength(4);
  });
});

describe('a bar of parts', () => {
  it('is as wide as it should be, and leaves out no part that is there', () => {
    const made = bar(
      [
        { share: 0.6, cell: 'a' },
        { share: 0.399, cell: 'b' },
        { share: 0.001, cell: 'c' },
      ],
      20,
    );
    expect(made).toMatch(/^a+b{7}c$/);
    expect(made).toHaveLength(20);
    expect(
      bar(
        [
          { share: 0, cell: 'a' },
          { share: 1, cell: 'b' },
        ],
        5,
      ),
    ).toBe('bbbbb');
  });
});
