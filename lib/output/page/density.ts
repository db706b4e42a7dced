/** How many frames a session has at what time, for the overview of a page. */
const BUCKETS = 2048;

/** `end`: when the session ended. */
export function densityOf(times: Float64Array, end: number): number[] {
  const buckets = new Array<number>(BUCKETS).fill(0);
  for (let i = 0; i < times.length; i++) {
    const at = end > 0 ? Math.floor((times[i]! / end) * BUCKETS) : 0;
    buckets[at < 0 ? 0 : at < BUCKETS ? at : BUCKETS - 1]!++;
  }
  return buckets;
}
