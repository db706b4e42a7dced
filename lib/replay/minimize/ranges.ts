/** Numbers of frames in a short form: `1-3,9`. */
export function rangesOf(frames: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const f of frames) {
    const last = ranges.at(-1);
    if (last && f === last[1] + 1) last[1] = f;
    else ranges.push([f, f]);
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join();
}
