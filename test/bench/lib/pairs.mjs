// Side by side: every variant once, then every variant again, so that a machine that slows down slows all of them.
import { untilQuiet } from './machine.mjs';

/** Runs the variants in turn, `count` times each. Returns all samples of each variant. */
export async function interleave(bench, name, variants, count = bench.pairs) {
  const samples = Object.fromEntries(Object.keys(variants).map((variant) => [variant, []]));
  for (let i = 0; i < count; i++) {
    if (!(await untilQuiet(bench.patience))) bench.disturbed++;
    bench.rounds++;
    for (const [variant, sample] of Object.entries(variants)) {
      bench.progress(`${name} ${i + 1}/${count} ${variant}`);
      samples[variant].push(await sample());
    }
  }
  return samples;
}

export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
