/** Charts made of characters. */
const BAR_CHARACTERS = '▁▂▃▄▅▆▇█';

export interface SparklinePoint {
  t: number;
  value: number;
}

/** One cell per value if they fit, else each cell shows the maximum of its time span. `top` is a full bar. */
export function sparkline(points: readonly SparklinePoint[], width: number, top: number): string {
  const values = points.length <= width ? points.map(({ value }) => value) : byTime(points, Math.max(1, width));
  return values
    .map((value) => {
      const share = top > 0 ? Math.min(1, Math.max(0, value / top)) : 0;
      return BAR_CHARACTERS[Math.min(BAR_CHARACTERS.length - 1, Math.floor(share * BAR_CHARACTERS.length))];
    })
    .join('');
}

/** A span without a value keeps the last one. */
function byTime(points: readonly SparklinePoint[], count: number): number[] {
  const from = points[0]!.t;
  const span = points.at(-1)!.t - from;
  const out: (number | undefined)[] = Array.from({ length: count });
  for (const { t, value } of points) {
    const i = span > 0 ? Math.min(count - 1, Math.floor(((t - from) / span) * count)) : count - 1;
    out[i] = Math.max(out[i] ?? value, value);
  }
  let last = points[0]!.value;
  return out.map((value) => {
    last = value ?? last;
    return last;
  });
}

/** A bar of `width` cells with a character for each part. Every part greater than 0 has at least one cell. */
export function bar(parts: readonly { share: number; cell: string }[], width: number): string {
  const cells = parts.map(({ share }) => (share > 0 ? Math.max(1, Math.floor(share * width)) : 0));
  const used = cells.reduce((sum, n) => sum + n, 0);
  const largest = cells.indexOf(Math.max(...cells));
  if (used > 0) cells[largest] = Math.max(1, cells[largest]! + width - used);
  return parts.map(({ cell }, i) => cell.repeat(cells[i]!)).join('');
}
