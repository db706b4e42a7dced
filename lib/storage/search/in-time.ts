/** Stops a query whose regular expression takes too long on one line. */

import type { Expr } from '../../analysis/query/ast.ts';
import { hasRegex } from '../../analysis/query/predicate.ts';
import { TOOK_TOO_LONG } from '../../analysis/query/too-slow.ts';
import { Failure } from '../../model/failure.ts';
import { bounded, TookTooLong } from '../system/bounded.ts';

/** Limits the time for each item if the query has a regular expression. */
export function* limited<T>(expr: Expr | null, items: Generator<T>): Generator<T> {
  if (!hasRegex(expr)) return yield* items;
  try {
    yield* bounded(items);
  } catch (error) {
    if (!(error instanceof TookTooLong)) throw error;
    throw new Failure(TOOK_TOO_LONG.message, TOOK_TOO_LONG.hint);
  }
}

/** The same for a single result. */
export function inTime<T>(expr: Expr | null, work: () => T): T {
  function* once() {
    yield work();
  }
  return [...limited(expr, once())][0]!;
}
