/** Numbers that differ from run to run, by their names: they are moved to what is volatile. */
import type { ContentFields } from './entry-content.ts';

/** They count tokens, name a process, or say when something was or how long it took. */
const COUNTED_KEYS = /tokens?$|(?:_|^)p?pid$|(?:_|^)(?:ms|at|seconds)$|(?:Ms|At|Seconds)$|timestamp|duration|cost/i;

/** `at`: where the value is. */
export function withoutCounts(value: unknown, volatile: ContentFields, at: string): unknown {
  return moveCounts(value, (key) => COUNTED_KEYS.test(key), volatile, at, 0);
}

/** They say when something was. */
const TIME_KEYS = /(?:_|^)(?:ms|at|time|timestamp)$|(?:Ms|At|Time|Timestamp)$/;
/** In milliseconds or in seconds, this century. */
const isTimestamp = (n: number): boolean => (n >= 1e12 && n < 4.2e12) || (n >= 1e9 && n < 4.2e9);

/** What a call is given may have other counts: how long to wait, how much to read. */
export function withoutTimestamps(value: unknown, volatile: ContentFields, at: string): unknown {
  return moveCounts(value, (key, n) => isTimestamp(n) && TIME_KEYS.test(key), volatile, at, 0);
}

type CountedKey = (key: string, n: number) => boolean;

function moveCounts(
  value: unknown,
  isCounted: CountedKey,
  volatile: ContentFields,
  at: string,
  depth: number,
): unknown {
  if (typeof value !== 'object' || value === null || depth > MAX_COUNT_DEPTH) return value;
  if (Array.isArray(value)) return value.map((one, i) => moveCounts(one, isCounted, volatile, `${at}/${i}`, depth + 1));
  const out: ContentFields = {};
  for (const [key, inner] of Object.entries(value)) {
    if (typeof inner === 'number' && isCounted(key, inner)) volatile[`${at}/${key}`] = inner;
    else out[key] = moveCounts(inner, isCounted, volatile, `${at}/${key}`, depth + 1);
  }
  return out;
}

/** Deeper values are kept as they are. */
const MAX_COUNT_DEPTH = 64;
