/** The known words that are most similar to a misspelled one: at most three, the nearest first. */
export function nearest(word: string, words: readonly string[]): string[] {
  const lowered = word.toLowerCase();
  if (lowered.length > 32) return [];
  const limit = Math.max(1, Math.floor(lowered.length / 3));
  return words
    .map((candidate) => ({ candidate, far: distance(lowered, candidate) }))
    .map(({ candidate, far }) => ({ candidate, far: lowered.length > 1 && candidate.startsWith(lowered) ? 1 : far }))
    .filter(({ candidate, far }) => far <= limit && far < Math.max(lowered.length, candidate.length))
    .sort((a, b) => a.far - b.far)
    .slice(0, 3)
    .map(({ candidate }) => candidate);
}

/** The number of letters to add, drop, change or swap with a neighbour. */
export function distance(a: string, b: string): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let best = Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) best = Math.min(best, before[j - 2]! + 1);
      row.push(best);
    }
    before = above;
    above = row;
  }
  return above[b.length]!;
}
