/**
 * A query as plain data for both back ends: the predicate, which decides, and the SQL, which narrows. Numbers are in base
 * units: seconds, bytes, microseconds since the epoch. `at` is the position of a term in the query text.
 */
import type { QualifierName } from './qualifiers.ts';

export type QueryExpr = QueryGroup | { is: 'not'; of: QueryExpr } | QueryTerm;

/** Two or more parts. A group directly inside another has the other kind. */
export type QueryGroup = { is: 'and'; of: QueryExpr[] } | { is: 'or'; of: QueryExpr[] };

export type QueryTerm = FieldTerm | PathTerm | TextTerm | PatternTerm;

/** A qualifier with a value: true if any of the tests holds for any of its values. */
export interface FieldTerm {
  is: 'field';
  name: QualifierName;
  of: 'frame' | 'session';
  tests: TermTest[];
  at: number;
}

/** A path in the message: true if any of the tests holds for any value at the path. */
export interface PathTerm {
  is: 'path';
  path: PathStep[];
  tests: TermTest[];
  at: number;
}

/** The decoded text of the frame contains `text`, which is in lower case. */
export interface TextTerm {
  is: 'text';
  text: string;
  at: number;
}

/** The decoded text of the frame, in lower case, matches; flags `iu` or `i`. */
export interface PatternTerm {
  is: 'pattern';
  regex: RegExp;
  at: number;
}

/** `key` is an exact key of an object, `index` an element of an array, `any` every value of either. */
export type PathStep = { key: string } | { index: number } | { any: true };

export type TermTest =
  | { is: 'exists' }
  /** `text` is in lower case. `number` is set if the value may also be compared as a number. */
  | { is: 'equals'; text: string; number: number | null }
  /** Lower case, `*` and `?`; see `globMatches`. */
  | { is: 'glob'; pattern: string }
  /** Searches; flags `iu` or `i`. */
  | { is: 'regex'; regex: RegExp }
  /** At least one end is given. */
  | NumberRange;

export interface NumberRange {
  is: 'range';
  from: number | null;
  fromOpen: boolean;
  to: number | null;
  toOpen: boolean;
}

/** What the terms of a query are about. */
export type QueryScope = 'frame' | 'session' | 'both';

export function scopeOf(expr: QueryExpr): QueryScope {
  if (expr.is === 'field') return expr.of;
  if (expr.is === 'path' || expr.is === 'text' || expr.is === 'pattern') return 'frame';
  if (expr.is === 'not') return scopeOf(expr.of);
  const first = scopeOf(expr.of[0]!);
  return expr.of.every((part) => scopeOf(part) === first) ? first : 'both';
}

/** All terms, from left to right. */
export function termsOf(expr: QueryExpr): QueryTerm[] {
  if (expr.is === 'not') return termsOf(expr.of);
  return expr.is === 'and' || expr.is === 'or' ? expr.of.flatMap(termsOf) : [expr];
}

/** Joins expressions into one; null for none. Flattens groups of the same kind. */
export function joinExprs(is: 'and' | 'or', parts: readonly QueryExpr[]): QueryExpr | null {
  const of = parts.flatMap((part) => (part.is === is ? part.of : [part]));
  return of.length > 1 ? { is, of } : (of[0] ?? null);
}
