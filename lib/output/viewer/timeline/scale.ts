/**
 * Where a moment is drawn. A scale shows a window of the session on so many pixels. Folded gaps take a few pixels however
 * long they are; everything else is drawn to scale. Every moment has one place and every place one moment.
 */
import type { RowTable } from '../../page/page.ts';

/** A gap in which nothing was open. */
export interface Fold {
  readonly from: number;
  readonly to: number;
}

export interface Scale {
  readonly from: number;
  readonly to: number;
  readonly width: number;
  /** Of what is not folded. */
  readonly perSecond: number;
  /** The folds in the window. */
  readonly folds: readonly Fold[];
  /** Places outside of the window are beyond 0 and `width`. */
  x(t: number): number;
  t(x: number): number;
}

/** Shorter gaps are drawn as they are. */
const MIN_FOLD_SECONDS = 30;
/** Room for the mark of a break, and the part of the width that all of them may take. */
const FOLD_WIDTH = 76;
const MAX_FOLDS_SHARE = 0.4;
/** Below this, a window cannot be told from a moment. */
const MIN_WINDOW_SECONDS = 0.0005;

export function makeScale(from: number, to: number, width: number, folds: readonly Fold[]): Scale {
  const end = Math.max(to, from + MIN_WINDOW_SECONDS);
  const inside = folds.filter((fold) => fold.to > from && fold.from < end && !(fold.from <= from && fold.to >= end));
  const foldWidth = inside.length === 0 ? 0 : Math.min(FOLD_WIDTH, (width * MAX_FOLDS_SHARE) / inside.length);
  let open = end - from;
  for (const fold of inside) open -= Math.min(end, fold.to) - Math.max(from, fold.from);
  const perSecond = open > 0 ? (width - inside.length * foldWidth) / open : 0;

  // Between two neighbours of these the scale is even.
  const times = new Float64Array(2 * inside.length + 2);
  const places = new Float64Array(times.length);
  times[0] = from;
  let n = 0;
  const upTo = (t: number, x: number): void => {
    if (t > times[n]!) n++;
    times[n] = t;
    places[n] = x;
  };
  for (const fold of inside) {
    const start = Math.max(from, fold.from);
    const x = places[n]! + (start - times[n]!) * perSecond;
    upTo(start, x);
    upTo(Math.min(end, fold.to), x + foldWidth);
  }
  upTo(end, width);
  const last = n;

  function between(keys: Float64Array, values: Float64Array, key: number): number {
    let low = 0;
    let high = last;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (keys[middle]! <= key) low = middle;
      else high = middle;
    }
    const length = keys[high]! - keys[low]!;
    return values[low]! + (length > 0 ? ((key - keys[low]!) / length) * (values[high]! - values[low]!) : 0);
  }
  const slope = perSecond || width / (end - from);
  return {
    from,
    to: end,
    width,
    perSecond: slope,
    folds: inside,
    x: (t) => (t < from ? (t - from) * slope : t > end ? width + (t - end) * slope : between(times, places, t)),
    t: (x) => (x < 0 ? from + x / slope : x > width ? end + (x - width) / slope : between(places, times, x)),
  };
}

/** The gaps of a session: no row is open in them, from the first frame to the end of the recording. */
export function foldsOf(rows: RowTable, duration: number): Fold[] {
  const starts: number[] = [];
  const ends: number[] = [];
  for (let row = 0; row < rows.count; row = rows.end[row]!) {
    let start = rows.t[row]!;
    let end = start;
    for (let inner = row; inner < rows.end[row]!; inner++) {
      start = Math.min(start, rows.t[inner]!);
      end = Math.max(end, rows.t_end[inner]!);
    }
    starts.push(start);
    ends.push(end);
  }
  const folds: Fold[] = [];
  let reached = 0;
  for (const index of Uint32Array.from(starts.keys()).sort((a, b) => starts[a]! - starts[b]!)) {
    if (starts[index]! - reached > MIN_FOLD_SECONDS) folds.push({ from: reached, to: starts[index]! });
    reached = Math.max(reached, ends[index]!);
  }
  if (duration - reached > MIN_FOLD_SECONDS) folds.push({ from: reached, to: duration });
  return folds;
}

/** A window of the session; null: all of it. */
export type Window = readonly [number, number] | null;

/** The window that is `factor` times as long, with the moment `at` where it was. `whole` shows the whole session. */
export function zoomed(whole: Scale, window: Window, factor: number, at: number): Window {
  const [from, to] = window ?? [whole.from, whole.to];
  const left = whole.x(from);
  const right = whole.x(to);
  const middle = Math.max(left, Math.min(whole.x(at), right));
  return kept(whole, middle - (middle - left) * factor, middle + (right - middle) * factor);
}

/** The window moved by a part of its length. */
export function moved(whole: Scale, window: Window, part: number): Window {
  if (!window) return null;
  const left = whole.x(window[0]);
  const length = whole.x(window[1]) - left;
  const start = Math.max(0, Math.min(left + length * part, whole.width - length));
  return kept(whole, start, start + length);
}

function kept(whole: Scale, left: number, right: number): Window {
  if (left <= 0 && right >= whole.width) return null;
  const from = whole.t(Math.max(0, left));
  const to = whole.t(Math.min(whole.width, right));
  if (to - from >= MIN_WINDOW_SECONDS) return [from, to];
  const start = Math.max(whole.from, Math.min((from + to - MIN_WINDOW_SECONDS) / 2, whole.to - MIN_WINDOW_SECONDS));
  return [start, start + MIN_WINDOW_SECONDS];
}

/** The window between two moments, in either order; null if that is the whole session. */
export function windowOf(whole: Scale, a: number, b: number): Window {
  return kept(whole, whole.x(Math.min(a, b)), whole.x(Math.max(a, b)));
}
