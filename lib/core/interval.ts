/** Times from when to when, and what they cover together. */
export type Interval = [from: number, to: number];

/** The same times, in order, none touching another. */
export function merged(intervals: Interval[]): Interval[] {
  const out: Interval[] = [];
  for (const [from, to] of [...intervals].sort((a, b) => a[0] - b[0])) {
    const last = out.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else out.push([from, to]);
  }
  return out;
}

/** What is in the first and not in the second; both merged. */
export function without(intervals: Interval[], others: Interval[]): Interval[] {
  return intervals.flatMap(([from, to]) => {
    const out: Interval[] = [];
    let at = from;
    for (const [start, end] of others) {
      if (end <= at || start >= to) continue;
      if (start > at) out.push([at, start]);
      at = Math.max(at, end);
    }
    if (at < to) out.push([at, to]);
    return out;
  });
}

/** Seconds covered by merged intervals. */
export function lengthOf(intervals: Interval[]): number {
  return intervals.reduce((sum, [from, to]) => sum + to - from, 0);
}
