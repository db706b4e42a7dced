/** Alignment of sequences: complete, in order, mirrored, and never quadratic. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { align } from '../../../../lib/analysis/diff/align.ts';

const keys = fc.array(fc.nat(6), { maxLength: 40 });

describe('align', () => {
  it('has every element once, in order, and pairs only equal keys', () => {
    fc.assert(
      fc.property(keys, keys, (a, b) => {
        const pairs = align(a, b);
        expect(pairs.flatMap(([i]) => (i < 0 ? [] : [i]))).toEqual([...a.keys()]);
        expect(pairs.flatMap(([, j]) => (j < 0 ? [] : [j]))).toEqual([...b.keys()]);
        for (const [i, j] of pairs) if (i >= 0 && j >= 0) expect(a[i]).toBe(b[j]);
      }),
    );
  });

  it('mirrors', () => {
    fc.assert(
      fc.property(keys, keys, (a, b) => {
        const both = (pairs: [number, number][]) => pairs.filter(([i, j]) => i >= 0 && j >= 0);
        expect(both(align(b, a).map(([j, i]) => [i, j]))).toEqual(both(align(a, b)));
      }),
    );
  });

  it('finds one insertion in the middle of many equal keys', () => {
    const many = Array.from({ length: 10_000 }, (_, i) => i % 7);
    const pairs = align(many, [...many.slice(0, 5000), 99, ...many.slice(5000)]);
    expect(pairs.filter(([i, j]) => i < 0 || j < 0)).toEqual([[-1, 5000]]);
  });

  it('gives up on what is long and different, but loses nothing', () => {
    const [a, b] = [3, 5].map((step) => Array.from({ length: 60_000 }, (_, i) => (i * step) % 11));
    const pairs = align(a!, b!);
    expect(pairs.filter(([i]) => i >= 0)).toHaveLength(a!.length);
    expect(pairs.filter(([, j]) => j >= 0)).toHaveLength(b!.length);
  });
});
