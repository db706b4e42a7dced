/** A set of frames is a set of numbers, in order. */
import { describe, expect, it } from 'vitest';
import { FrameSet } from '../../../../lib/storage/index/frame-set.ts';
import { randomOf } from '../../../support/random-query.ts';

describe('a set of frames', () => {
  it('has what was added, in order, once', () => {
    const random = randomOf(6);
    const set = new FrameSet();
    const plain = new Set<number>();
    for (let i = 0; i < 5000; i++) {
      const f = Math.floor(random() ** 4 * 2 ** (10 + (i % 40)));
      set.add(f);
      plain.add(f);
    }
    expect(set.size).toBe(plain.size);
    expect([...set.groups(1000)].flat()).toEqual([...plain].sort((a, b) => a - b));
    for (let i = 0; i < 2000; i++) expect(set.has(i)).toBe(plain.has(i));
  });

  it('has numbers at the edges of its pages', () => {
    const set = new FrameSet();
    const edges = [0, 7, 8, 65_535, 65_536, 131_071, 131_072, 2 ** 31, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER];
    for (const f of [...edges].reverse()) set.add(f);
    expect([...set.groups(1000)].flat()).toEqual(edges);
    expect(edges.every((f) => set.has(f))).toBe(true);
    expect([1, 9, 65_534, 65_537, 2 ** 31 + 1].some((f) => set.has(f))).toBe(false);
  });

  it('is empty at first', () => {
    expect([...new FrameSet().groups(1000)].flat()).toEqual([]);
    expect(new FrameSet().has(1)).toBe(false);
  });
});
