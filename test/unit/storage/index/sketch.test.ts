/** A sketch may say yes too often, never no too often. */
import { describe, expect, it } from 'vitest';
import { bitsOf, mayContain, sketchOf } from '../../../../lib/storage/index/sketch.ts';
import { randomOf } from '../../../support/random-query.ts';

const says = (text: Buffer, term: string) => mayContain(sketchOf(text), bitsOf(Buffer.from(term)));

describe('a sketch', () => {
  it('has every term that is in the text, wherever it stands', () => {
    const text = Buffer.from('connection reset by peer 连接错误 🙂 naïve');
    for (let from = 0; from < text.length; from++)
      for (let to = from; to <= text.length; to++)
        expect(mayContain(sketchOf(text), bitsOf(text.subarray(from, to)))).toBe(true);
  });

  it('lacks most terms that are not', () => {
    const random = randomOf(7);
    const words = Array.from({ length: 10_000 }, () => Math.floor(random() * 2 ** 40).toString(36));
    const text = Buffer.from(words.slice(0, 2000).join(' '));
    expect(words.slice(0, 2000).every((word) => says(text, word))).toBe(true);
    expect(words.slice(2000).filter((word) => says(text, word)).length).toBeLessThan(800);
  });

  it('of nothing has nothing, and a term of two bytes is in all', () => {
    expect(says(Buffer.alloc(0), 'abc')).toBe(false);
    expect(says(Buffer.from('ab'), 'abc')).toBe(false);
    expect(says(Buffer.alloc(0), 'ab')).toBe(true);
  });
});
