/** Parses a query. The error points at the character that is wrong. */

import { type Expr, termsOf } from '../../analysis/query/ast.ts';
import { pointAt, QueryError } from '../../analysis/query/error.ts';
import { parseQuery } from '../../analysis/query/parser.ts';
import { Exit, Failure } from '../../model/failure.ts';

export function readQuery(text: string): Expr | null {
  try {
    return parseQuery(text, Date.now() * 1000);
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    throw new Failure(error.message, error.hint, Exit.failed, pointAt(text, error));
  }
}

/** The texts in a query. */
export function textsOf(expr: Expr | null): string[] {
  return expr === null ? [] : termsOf(expr).flatMap((term) => (term.is === 'text' ? [term.text] : []));
}
