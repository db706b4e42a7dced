/** Time intervals and what they cover together. */
export type Interval = [from: number, to: number];

/** The same times as sorted intervals that do not touch. */
export function mergeIntervals(intervals: Interval[]): Interval[] {
  const out: Interval[] = [];
  for (const [from, to] of [...intervals].sort((a, b) => a[0] - b[0])) {
    const last = out.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else out.push([from, to]);
  }
  return out;
}

/** The times in the first that are not in the second. Both must be merged. */
export function subtractIntervals(intervals: Interval[], others: Interval[]): Interval[] {
  const out: Interval[] = [];
  // Those before it end before everything that follows too.
  let first = 0;
  for (const [from, to] of intervals) {
    let at = from;
    while (first < others.length && others[first]![1] <= from) first++;
    for (let i = first; i < others.length && others[i]![0] < to; i++) {
      const [start, end] = others[i]!;
      if (start > at) out.push([at, start]);
      at = Math.max(at, end);
    }
    if (at < to) out.push([at, to]);
  }
  return out;
}

/** The seconds that merged intervals cover. */
export function totalLength(intervals: Interval[]): number {
  return intervals.reduce((sum, [from, to]) => sum + to - from, 0);
}

/** Seconds to the microsecond, the precision of a tape. The rest is floating-point noise. */
export function micros(seconds: number): number {
  return Math.round(seconds * 1e6) / 1e6;
}
