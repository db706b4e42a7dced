/**
 * Runs an iterator that may take forever, such as one with a user's regular expression, so that it can be stopped. It runs
 * in slices: each item must come within the limit, and the first items are available at once.
 */
import { Script } from 'node:vm';

/** One item took longer than the limit. */
export class TimeLimitExceeded extends Error {}

const DEFAULT_LIMIT_MS = 2000;
const SLICE_MS = 20;
const SLICE_KEY = Symbol.for('wiretape.slice');
const global = globalThis as unknown as Record<symbol, () => void>;
const script = new Script(`globalThis[Symbol.for(${JSON.stringify(SLICE_KEY.description)})]()`);

/** A caller that stops early ends the work too, so that it closes its files. */
export function* withinTimeLimit<T>(items: Iterator<T>, limitMs = DEFAULT_LIMIT_MS): Generator<T> {
  let stopped = false;
  try {
    for (const item of runInSlices(items, limitMs)) yield item;
    stopped = true;
  } catch (error) {
    stopped = true;
    throw error;
  } finally {
    if (!stopped) items.return?.();
  }
}

function* runInSlices<T>(items: Iterator<T>, limitMs: number): Generator<T> {
  for (let done = false; !done; ) {
    const slice: T[] = [];
    global[SLICE_KEY] = () => {
      const until = performance.now() + SLICE_MS;
      do {
        const next = items.next();
        done = next.done ?? false;
        if (!done) slice.push(next.value);
      } while (!done && performance.now() < until);
    };
    try {
      script.runInThisContext({ timeout: limitMs });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      throw new TimeLimitExceeded();
    } finally {
      delete global[SLICE_KEY];
    }
    yield* slice;
  }
}

/** The same for a single result. */
export function resultWithinLimit<T>(work: () => T): T {
  function* once() {
    yield work();
  }
  return [...withinTimeLimit(once())][0]!;
}
