import { describe, expect, it } from 'vitest';
import type { UsagePoint } from '../../../../../lib/output/page/page.ts';
import { contextLine, contextShare, stepsOf, tokensIn } from '../../../../../lib/output/viewer/timeline/context.ts';
import { makeScale } from '../../../../../lib/output/viewer/timeline/scale.ts';

const NOTHING = { f: 1, turn: null, step: null, input: null, cache_read: null, cache_write: null, output: null };
const point = (t: number, share: number | null): UsagePoint => ({
  ...NOTHING,
  ...{ t, used: null, size: null, share, compaction: false },
});

it('knows how full the context was from either report', () => {
  expect(contextShare(point(0, 0.5))).toBe(0.5);
  expect(contextShare({ ...point(0, null), used: 50, size: 200 })).toBe(0.25);
  expect(contextShare({ ...point(0, null), used: 50 })).toBeNull();
  expect(tokensIn({ ...point(0, null), input: 5, output: 2 })).toBe(7);
});

describe('contextLine', () => {
  const scale = makeScale(0, 100, 100, []);

  it('has the fullest report of each pixel', () => {
    const line = contextLine([point(1, 0.1), point(1.2, 0.3), point(0.9, 0.2), point(50, null), point(60, 0.4)], scale);
    expect(line).toEqual([
      { x: 1, share: 0.3 },
      { x: 60, share: 0.4 },
    ]);
  });

  it('begins with what was last told before the window, and ends with it', () => {
    const window = makeScale(10, 20, 100, []);
    const line = contextLine([point(1, 0.1), point(5, 0.2), point(15, 0.3), point(30, 0.9)], window);
    expect(line.map(({ share }) => share)).toEqual([0.2, 0.3]);
    expect(stepsOf(line, 100)).toEqual([
      { x: 0, share: 0.2 },
      { x: 50, share: 0.2 },
      { x: 50, share: 0.3 },
      { x: 100, share: 0.3 },
    ]);
  });

  it('has nothing to draw where nothing was told', () => {
    expect(stepsOf(contextLine([point(1, null)], scale), 100)).toEqual([]);
  });
});
