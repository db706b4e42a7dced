/** Parses a query. The error points at the character that is wrong. */

import { type QueryExpr, termsOf } from '../../analysis/query/ast.ts';
import { markError, QueryError } from '../../analysis/query/error.ts';
import { parseQuery } from '../../analysis/query/parser.ts';
import { Exit, Failure } from '../../model/failure.ts';

export function readQuery(text: string): QueryExpr | null {
  try {
    return parseQuery(text, Date.now() * 1000);
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    throw new Failure(error.message, error.hint, Exit.failed, markError(text, error));
  }
}

/** The texts in a query. */
export function textsOf(expr: QueryExpr | null): string[] {
  return expr === null ? [] : termsOf(expr).flatMap((term) => (term.is === 'text' ? [term.text] : []));
}
