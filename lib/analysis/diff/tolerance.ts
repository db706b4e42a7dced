/**
 * Times are measurements: two runs of the same thing never take the same time. So they are compared only if that is asked
 * for, and only what is beyond a tolerance differs.
 */
import { humanSeconds } from '../../model/text/text.ts';

/** Times differ if they are apart by more than both of these. */
export interface Tolerance {
  factor: number;
  seconds: number;
}

export const USUAL_TOLERANCE: Tolerance = { factor: 2, seconds: 0.1 };

export function isBeyond({ factor, seconds }: Tolerance, a: number, b: number): boolean {
  return Math.abs(a - b) > seconds && Math.max(a, b) > factor * Math.min(a, b);
}

/** `2x and 100 ms`. */
export function formatTolerance({ factor, seconds }: Tolerance): string {
  return `${factor}x and ${humanSeconds(seconds)}`;
}
