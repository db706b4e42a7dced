/** Work that may never end is stopped; work that ends is the same as without. */
import { describe, expect, it } from 'vitest';
import { TimeLimitExceeded, withinTimeLimit } from '../../../../lib/storage/system/time-limit.ts';

const BOMB = /^(a+)+$/;

describe('bounded work', () => {
  it('gives every item, in order, also where there are many', () => {
    function* numbers() {
      for (let i = 0; i < 300_000; i++) yield i;
    }
    let sum = 0;
    for (const n of withinTimeLimit(numbers())) sum += n;
    expect(sum).toBe((300_000 * 299_999) / 2);
    expect([...withinTimeLimit([][Symbol.iterator]())]).toEqual([]);
  });

  it('is stopped where one item takes too long, after those before it', () => {
    function* items() {
      yield 1;
      yield BOMB.test(`${'a'.repeat(40)}!`) ? 2 : 3;
    }
    const seen: number[] = [];
    expect(() => {
      for (const item of withinTimeLimit(items(), 300)) seen.push(item);
    }).toThrow(TimeLimitExceeded);
    expect(seen.length).toBeLessThanOrEqual(1);
  });

  it('passes on what the work throws', () => {
    function* items(): Generator<number> {
      yield 1;
      throw new RangeError('mine');
    }
    expect(() => [...withinTimeLimit(items())]).toThrow(RangeError);
  });

  it('ends the work of whoever stops early', () => {
    let closed = false;
    function* items() {
      try {
        for (let i = 0; ; i++) yield i;
      } finally {
        closed = true;
      }
    }
    for (const item of withinTimeLimit(items())) if (item > 3) break;
    expect(closed).toBe(true);
  });

  it('may hold other bounded work', () => {
    function* inner() {
      yield* [1, 2, 3];
    }
    function* outer() {
      for (const item of withinTimeLimit(inner())) yield item * 2;
    }
    expect([...withinTimeLimit(outer())]).toEqual([2, 4, 6]);
  });
});
