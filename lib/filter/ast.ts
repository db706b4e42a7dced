/**
 * A query as plain data, which both back ends read: the predicate that decides, and the SQL that narrows. Numbers are in
 * base units: seconds, bytes, microseconds since the epoch. `at` is where a term stands in the query's text.
 */
import type { QualifierName } from './qualifiers.ts';

export type Expr = Group | { is: 'not'; of: Expr } | Term;

/** Of two or more; a group directly in another is of the other kind. */
export type Group = { is: 'and'; of: Expr[] } | { is: 'or'; of: Expr[] };

export type Term = FieldTerm | PathTerm | TextTerm | PatternTerm;

/** A qualifier with a value: true if any of the tests holds for any of its values. */
export interface FieldTerm {
  is: 'field';
  name: QualifierName;
  of: 'frame' | 'session';
  tests: Test[];
  at: number;
}

/** A place in the message: true if any of the tests holds for any value that the path leads to. */
export interface PathTerm {
  is: 'path';
  path: Step[];
  tests: Test[];
  at: number;
}

/** Decoded text of the frame contains this; in lower case. */
export interface TextTerm {
  is: 'text';
  text: string;
  at: number;
}

/** Decoded text of the frame, in lower case, has a match; flags `iu` or `i`. */
export interface PatternTerm {
  is: 'pattern';
  regex: RegExp;
  at: number;
}

/** `key` is of an object and exact, `index` of an array, `any` every value of either. */
export type Step = { key: string } | { index: number } | { any: true };

export type Test =
  | { is: 'exists' }
  /** `text` in lower case. `number` where the value is compared as a number too: of numeric qualifiers and paths. */
  | { is: 'equals'; text: string; number: number | null }
  /** Lower case, `*` and `?`; see `globMatches`. */
  | { is: 'glob'; pattern: string }
  /** Searches; flags `iu` or `i`. */
  | { is: 'regex'; regex: RegExp }
  /** Never open at both ends, never null at both. */
  | Range;

export interface Range {
  is: 'range';
  from: number | null;
  fromOpen: boolean;
  to: number | null;
  toOpen: boolean;
}

/** What a query speaks of. */
export type Scope = 'frame' | 'session' | 'both';

export function scopeOf(expr: Expr): Scope {
  if (expr.is === 'field') return expr.of;
  if (expr.is === 'path' || expr.is === 'text' || expr.is === 'pattern') return 'frame';
  if (expr.is === 'not') return scopeOf(expr.of);
  const first = scopeOf(expr.of[0]!);
  return expr.of.every((part) => scopeOf(part) === first) ? first : 'both';
}

/** All terms, from left to right. */
export function termsOf(expr: Expr): Term[] {
  if (expr.is === 'not') return termsOf(expr.of);
  return expr.is === 'and' || expr.is === 'or' ? expr.of.flatMap(termsOf) : [expr];
}

/** One expression of several; none gives null. Groups of the same kind inside become part of it. */
export function join(is: 'and' | 'or', parts: readonly Expr[]): Expr | null {
  const of = parts.flatMap((part) => (part.is === is ? part.of : [part]));
  return of.length > 1 ? { is, of } : (of[0] ?? null);
}
