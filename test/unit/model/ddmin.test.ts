import { describe, expect, it } from 'vitest';
import { ddmin } from '../../../lib/model/ddmin.ts';

/** Asks one by one, and counts. */
function asking(isEnough: (kept: readonly number[]) => boolean) {
  const asked: string[] = [];
  const first = async (count: number, candidate: (n: number) => readonly number[]) => {
    for (let n = 0; n < count; n++) {
      asked.push(candidate(n).join(' '));
      if (isEnough(candidate(n))) return n;
    }
    return -1;
  };
  return { first, asked };
}

const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1);
const has =
  (...needed: number[]) =>
  (kept: readonly number[]) =>
    needed.every((one) => kept.includes(one));

describe('ddmin', () => {
  it.each([[[1]], [[8]], [[3, 4]], [[1, 8]], [[2, 5, 7]], [upTo(8)]])('finds %j among eight', async (needed) => {
    expect(await ddmin(upTo(8), asking(has(...needed)).first)).toEqual(needed);
  });

  it('finds nothing if nothing is needed, and asks once', async () => {
    const { first, asked } = asking(() => true);
    expect(await ddmin(upTo(100), first)).toEqual([]);
    expect(asked).toEqual(['']);
    expect(await ddmin([], first)).toEqual([]);
  });

  it('finds one of many in few questions', async () => {
    const { first, asked } = asking(has(777));
    expect(await ddmin(upTo(1000), first)).toEqual([777]);
    expect(asked.length).toBeLessThan(30);
  });

  it('leaves nothing that could be left out alone, whatever the answers', async () => {
    for (let seed = 1; seed <= 200; seed++) {
      // Some number is enough if it is at least so many, or has some of them: not monotonic.
      const isEnough = (kept: readonly number[]) =>
        kept.length > 0 && (kept.reduce((sum, one) => (sum * 31 + one * seed) % 7, seed) === 0 || kept.length > 12);
      const result = await ddmin(upTo(20), asking((kept) => kept.length === 20 || isEnough(kept)).first);
      for (const one of result) expect(isEnough(result.filter((other) => other !== one))).toBe(false);
    }
  });

  it('asks the same questions each time', async () => {
    const [one, other] = [asking(has(2, 9, 13)), asking(has(2, 9, 13))];
    await ddmin(upTo(16), one.first);
    await ddmin(upTo(16), other.first);
    expect(one.asked).toEqual(other.asked);
  });
});
