import { describe, expect, it } from 'vitest';
import { parseDuration, parseSize } from '../../../../lib/model/text/quantity.ts';

describe('durations', () => {
  it.each([
    ['90s', 90],
    ['1.5h', 5400],
    ['30d', 2_592_000],
    ['2w', 1_209_600],
    ['250ms', 0.25],
    [' 3 M ', 180],
  ])('%s is %d seconds', (word, seconds) => expect(parseDuration(word)).toBeCloseTo(seconds, 9));

  it.each(['', '30', 'd', '-1d', '1e3s', '3 days', '1d2h', 'constructors', '1constructor'])('%j is none', (word) =>
    expect(parseDuration(word)).toBeNull(),
  );
});

describe('sizes', () => {
  it.each([
    ['0', 0],
    ['512', 512],
    ['500mb', 5e8],
    ['1.5GB', 1.5e9],
    ['2 kb', 2000],
  ])('%s is %d bytes', (word, bytes) => expect(parseSize(word)).toBe(bytes));

  it.each(['', 'mb', '-5mb', '5m', '1.2.3mb', '1_000'])('%j is none', (word) => expect(parseSize(word)).toBeNull());
});
