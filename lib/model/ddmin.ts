/**
 * Delta debugging (Zeller and Hildebrandt's ddmin): of many parts, few that are still needed. No single one of the result
 * can be left out. Which parts are tried, and in which order, depends on nothing but the answers.
 */

/** Says which of the `count` candidates is the first that is enough, or -1. They are made when they are asked for. */
export type FirstEnough<T> = (count: number, candidate: (n: number) => T) => Promise<number>;

export async function ddmin<T>(all: readonly T[], firstEnough: FirstEnough<readonly T[]>): Promise<readonly T[]> {
  if (all.length === 0 || (await firstEnough(1, () => [])) === 0) return [];
  let kept = all;
  for (let pieces = 2; kept.length > 1; ) {
    const parts = kept;
    const chunks = Math.min(pieces, parts.length);
    /** Each chunk, then what is left without each of them; of two chunks, one is what is left without the other. */
    const candidate = (n: number) => (n < chunks ? chunk(parts, n, chunks) : without(parts, n - chunks, chunks));
    const found = await firstEnough(chunks > 2 ? 2 * chunks : chunks, candidate);
    if (found < 0 && chunks === parts.length) return parts;
    if (found >= 0) kept = candidate(found);
    pieces = found < 0 ? 2 * chunks : found < chunks ? 2 : chunks - 1;
  }
  return kept;
}

/** The n-th of so many chunks: in order, of almost the same length, none empty. */
function chunk<T>(parts: readonly T[], n: number, chunks: number): readonly T[] {
  return parts.slice(start(parts, n, chunks), start(parts, n + 1, chunks));
}

function without<T>(parts: readonly T[], n: number, chunks: number): readonly T[] {
  return [...parts.slice(0, start(parts, n, chunks)), ...parts.slice(start(parts, n + 1, chunks))];
}

const start = ({ length }: { length: number }, n: number, chunks: number): number => Math.floor((n * length) / chunks);
