/** Stops a query whose regular expression takes too long on one line. */

import type { QueryExpr } from '../../analysis/query/ast.ts';
import { hasRegex } from '../../analysis/query/predicate.ts';
import { REGEX_TOO_SLOW } from '../../analysis/query/too-slow.ts';
import { Failure } from '../../model/failure.ts';
import { TimeLimitExceeded, withinTimeLimit } from '../system/time-limit.ts';

/** Limits the time for each item if the query has a regular expression. */
export function* withTimeLimit<T>(expr: QueryExpr | null, items: Generator<T>): Generator<T> {
  if (!hasRegex(expr)) return yield* items;
  try {
    yield* withinTimeLimit(items);
  } catch (error) {
    if (!(error instanceof TimeLimitExceeded)) throw error;
    throw new Failure(REGEX_TOO_SLOW.message, REGEX_TOO_SLOW.hint);
  }
}

/** The same for a single result. */
export function resultInTime<T>(expr: QueryExpr | null, work: () => T): T {
  function* once() {
    yield work();
  }
  return [...withTimeLimit(expr, once())][0]!;
}
