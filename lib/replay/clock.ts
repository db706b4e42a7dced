/** The clock of a replay. */

/** Seconds on a clock that never goes back. */
export function now(): number {
  return performance.now() / 1000;
}

/** The shortest wait in seconds: what has come is read in it. */
export const SHORTEST_WAIT = 0.001;
