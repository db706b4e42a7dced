/** The marks of a time axis: round moments, as many as have room. */
import type { Scale } from './scale.ts';

const NEAREST = 64;
/** Of a minute and more; below, 1, 2 and 5 of a power of ten. */
const LONG_STEPS = [60, 120, 300, 600, 1200, 1800, 3600, 7200, 18_000, 43_200, 86_400, 172_800, 432_000, 864_000];

/** The shortest round time that takes at least as many pixels as a label needs. */
export function tickStep(perSecond: number): number {
  for (let power = -6; power < 2; power++)
    for (const digit of [1, 2, 5]) {
      const step = digit * 10 ** power;
      if (step <= 20 && step * perSecond >= NEAREST) return step;
    }
  if (30 * perSecond >= NEAREST) return 30;
  return LONG_STEPS.find((step) => step * perSecond >= NEAREST) ?? 864_000;
}

export interface Tick {
  t: number;
  x: number;
}

/** None in folds, and none nearer to another than a label needs. */
export function ticksOf(scale: Scale): Tick[] {
  const step = tickStep(scale.perSecond);
  const ticks: Tick[] = [];
  let free = Number.NEGATIVE_INFINITY;
  const along = (from: number, to: number): void => {
    for (let n = Math.ceil(from / step - 1e-9); n * step <= to + step * 1e-9; n++) {
      const x = scale.x(n * step);
      if (x < free) continue;
      ticks.push({ t: n * step, x });
      free = x + NEAREST - 0.5;
    }
  };
  let from = scale.from;
  for (const fold of scale.folds) {
    if (fold.from > from) along(from, fold.from);
    from = fold.to;
    // The mark of the break comes first.
    free = Math.max(free, scale.x(Math.min(fold.to, scale.to)));
  }
  if (from < scale.to) along(from, scale.to);
  return ticks;
}

/** A moment on the axis: `0`, `250 ms`, `1.5 s`, `1:05`, `1:05.25`, `2:01:00`. */
export function tickLabel(t: number, step: number): string {
  if (t === 0) return '0';
  const digits = step >= 1 ? 0 : Math.min(6, Math.ceil(-Math.log10(step) - 1e-9));
  if (t < 1 && digits <= 3) return `${Math.round(t * 1000)} ms`;
  if (t < 60 - 10 ** -digits / 2) return `${t.toFixed(digits)} s`;
  const whole = Math.floor(t + 10 ** -digits / 2);
  const rest =
    digits > 0
      ? Math.max(0, t - whole)
          .toFixed(digits)
          .slice(1)
      : '';
  const two = (n: number): string => String(n).padStart(2, '0');
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  return `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(whole % 60)}${rest}`;
}
