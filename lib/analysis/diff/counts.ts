/** Numbers that differ from run to run, by their names: they are moved to what is volatile. */
import type { Fields } from './face.ts';

/** They count tokens, name a process, or say when something was or how long it took. */
const COUNTED = /tokens?$|(?:_|^)p?pid$|(?:_|^)(?:ms|at|seconds)$|(?:Ms|At|Seconds)$|timestamp|duration|cost/i;

/** `at`: where the value is. */
export function withoutCounts(value: unknown, volatile: Fields, at: string): unknown {
  return without(value, (key) => COUNTED.test(key), volatile, at, 0);
}

/** They say when something was. */
const TIMED = /(?:_|^)(?:ms|at|time|timestamp)$|(?:Ms|At|Time|Timestamp)$/;
/** In milliseconds or in seconds, this century. */
const isMoment = (n: number): boolean => (n >= 1e12 && n < 4.2e12) || (n >= 1e9 && n < 4.2e9);

/** What a call is given may have other counts: how long to wait, how much to read. */
export function withoutMoments(value: unknown, volatile: Fields, at: string): unknown {
  return without(value, (key, n) => isMoment(n) && TIMED.test(key), volatile, at, 0);
}

type Counts = (key: string, n: number) => boolean;

function without(value: unknown, counts: Counts, volatile: Fields, at: string, depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return value;
  if (Array.isArray(value)) return value.map((one, i) => without(one, counts, volatile, `${at}/${i}`, depth + 1));
  const out: Fields = {};
  for (const [key, inner] of Object.entries(value)) {
    if (typeof inner === 'number' && counts(key, inner)) volatile[`${at}/${key}`] = inner;
    else out[key] = without(inner, counts, volatile, `${at}/${key}`, depth + 1);
  }
  return out;
}

/** Deeper values are kept as they are. */
const DEEPEST = 64;
