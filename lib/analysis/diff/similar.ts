/** How much two texts have in common, by their words; and the best pairs of a few entries. */

/** How many characters of a text are compared. */
export const MAX_CHARS_COMPARED = 4096;
/** Less alike than this, two things have nothing to do with each other. */
export const MIN_LIKENESS = 0.3;
/** More pairs are not tried. */
const MAX_SCORED_PAIRS = 2500;

export type WordCounts = Map<string, number>;

/** Marks count only where there are no words: quotes and braces of JSON say nothing. */
export function countWords(text: string): WordCounts {
  const words: WordCounts = new Map();
  const seen = text.slice(0, MAX_CHARS_COMPARED);
  const found = seen.match(/[\p{L}\p{N}_]+/gu) ?? seen.match(/\S/gu) ?? [];
  for (const word of found)
    for (const part of word.length > 1 && /\p{Script=Han}/u.test(word) ? word : [word])
      words.set(part, (words.get(part) ?? 0) + 1);
  return words;
}

/** From 0 to 1. Two empty texts are the same. */
export function likeness(a: WordCounts, b: WordCounts): number {
  let sizes = 0;
  let common = 0;
  for (const [word, count] of a) {
    sizes += count;
    common += Math.min(count, b.get(word) ?? 0);
  }
  for (const count of b.values()) sizes += count;
  return sizes === 0 ? 1 : (2 * common) / sizes;
}

/**
 * The pairs with the greatest sum of scores, in order on both sides; those that are not worth it (0) stay alone. Null if
 * there are too many to try.
 */
export function bestPairs(a: number, b: number, score: (i: number, j: number) => number): [number, number][] | null {
  if (a * b > MAX_SCORED_PAIRS) return null;
  const best: number[][] = Array.from({ length: a + 1 }, () => new Array<number>(b + 1).fill(0));
  const scores = Array.from({ length: a }, (_, i) => Array.from({ length: b }, (__, j) => score(i, j)));
  for (let i = a - 1; i >= 0; i--)
    for (let j = b - 1; j >= 0; j--)
      best[i]![j] = Math.max(best[i + 1]![j]!, best[i]![j + 1]!, best[i + 1]![j + 1]! + scores[i]![j]!);
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < a && j < b; ) {
    const one = scores[i]![j]!;
    if (one > 0 && best[i]![j] === best[i + 1]![j + 1]! + one) pairs.push([i++, j++]);
    else if (best[i + 1]![j]! >= best[i]![j + 1]!) i++;
    else j++;
  }
  return pairs;
}
