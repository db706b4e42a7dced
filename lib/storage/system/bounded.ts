/**
 * Runs an iterator that may take forever, such as one with a user's regular expression, so that it can be stopped. It runs
 * in slices: each item must come within the limit, and the first items are available at once.
 */
import { Script } from 'node:vm';

/** One item took longer than the limit. */
export class TookTooLong extends Error {}

const LIMIT_MS = 2000;
const SLICE_MS = 20;
const SLICE = Symbol.for('wiretape.slice');
const global = globalThis as unknown as Record<symbol, () => void>;
const script = new Script(`globalThis[Symbol.for(${JSON.stringify(SLICE.description)})]()`);

/** A caller that stops early ends the work too, so that it closes its files. */
export function* bounded<T>(items: Iterator<T>, limitMs = LIMIT_MS): Generator<T> {
  let stopped = false;
  try {
    for (const item of inSlices(items, limitMs)) yield item;
    stopped = true;
  } catch (error) {
    stopped = true;
    throw error;
  } finally {
    if (!stopped) items.return?.();
  }
}

function* inSlices<T>(items: Iterator<T>, limitMs: number): Generator<T> {
  for (let done = false; !done; ) {
    const slice: T[] = [];
    global[SLICE] = () => {
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
      throw new TookTooLong();
    } finally {
      delete global[SLICE];
    }
    yield* slice;
  }
}

/** The same for a single result. */
export function withinLimit<T>(work: () => T): T {
  function* once() {
    yield work();
  }
  return [...bounded(once())][0]!;
}
