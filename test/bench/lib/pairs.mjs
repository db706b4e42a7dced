// Side by side: every variant once, then every variant again, so that a machine that slows down slows all of them.
import { untilQuiet } from './machine.mjs';

/**
 * Runs the variants in turn, `count` times each, each after `prepare`. A round that others disturbed is repeated while
 * there is patience. Returns all samples of each variant.
 * @param {{ count?: number, prepare?: () => void }} [how]
 */
export async function interleave(bench, name, variants, { count = bench.pairs, prepare = () => {} } = {}) {
  const rounds = [];
  while (rounds.length < count) {
    await untilQuiet(bench.patience);
    const start = performance.now();
    const round = {};
    for (const [variant, sample] of Object.entries(variants)) {
      bench.progress(`${name} ${rounds.length + 1}/${count} ${variant}`);
      prepare();
      round[variant] = await sample();
    }
    const disturbed = Object.values(round).some((sample) => sample.disturbed);
    if (disturbed && bench.patience.ms > 0) {
      bench.patience.ms -= performance.now() - start;
      continue;
    }
    bench.rounds++;
    if (disturbed) bench.disturbed++;
    rounds.push(round);
  }
  return Object.fromEntries(Object.keys(variants).map((variant) => [variant, rounds.map((round) => round[variant])]));
}

export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
