/** A line of bars as tall as the values are, by time. */
const BARS = '▁▂▃▄▅▆▇█';

export interface Point {
  t: number;
  value: number;
}

/** Each cell shows the last value known by then; `top` is a full bar. Cells before the first value are left out. */
export function sparkline(points: readonly Point[], width: number, top: number): string {
  if (points.length === 0) return '';
  const from = points[0]!.t;
  const span = points.at(-1)!.t - from;
  const count = Math.min(width, points.length);
  let at = 0;
  let out = '';
  for (let i = 0; i < count; i++) {
    // Rounding must not keep the last value out of the last cell.
    const until = i === count - 1 ? Number.POSITIVE_INFINITY : from + (span * (i + 1)) / count;
    while (at + 1 < points.length && points[at + 1]!.t <= until) at++;
    const share = top > 0 ? Math.min(1, Math.max(0, points[at]!.value / top)) : 0;
    out += BARS[Math.min(BARS.length - 1, Math.floor(share * BARS.length))];
  }
  return out;
}

/** Parts of a whole as one bar of that many cells, each with its own letter; no part that is there is left out. */
export function bar(parts: readonly { share: number; cell: string }[], width: number): string {
  const cells = parts.map(({ share }) => (share > 0 ? Math.max(1, Math.floor(share * width)) : 0));
  const used = cells.reduce((sum, n) => sum + n, 0);
  const largest = cells.indexOf(Math.max(...cells));
  if (used > 0) cells[largest] = Math.max(1, cells[largest]! + width - used);
  return parts.map(({ cell }, i) => cell.repeat(cells[i]!)).join('');
}
