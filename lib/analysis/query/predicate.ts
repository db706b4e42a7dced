/**
 * Compiles a query to a function of a frame, which has the final say after any narrowing. It runs on millions of frames,
 * so it prepares what it can, avoids allocation, and tests the cheap terms of a group first.
 */
import { type FieldTerm, type QueryExpr, type QueryGroup, type QueryTerm, scopeOf, termsOf } from './ast.ts';
import type { FrameFacts, SessionFacts } from './facts.ts';
import { somePathValue } from './path.ts';
import { type Qualifier, type QualifierValue, qualifierOf } from './qualifiers.ts';
import { marksIn, sessionTest, type ValueTest, valueTest, wordsOf } from './tests.ts';

export type FramePredicate = (frame: FrameFacts) => boolean;
export type SessionPredicate = (session: SessionFacts) => boolean;

/** Null is the empty query, which matches every frame. */
export function compileFrame(expr: QueryExpr | null): FramePredicate {
  return expr === null ? () => true : build(expr, frameTerm);
}

/** For a query with session terms only; null for any other. */
export function compileSession(expr: QueryExpr | null): SessionPredicate | null {
  if (expr === null) return () => true;
  return scopeOf(expr) === 'session' ? build(expr, sessionTerm) : null;
}

/**
 * Whether the query runs a regular expression on recorded text. That may take any time, so it must run where it can be
 * stopped. Regular expressions for fixed words were already evaluated by the parser.
 */
export function hasRegex(expr: QueryExpr | null): boolean {
  const runsOnText = (term: QueryTerm) => {
    if (term.is === 'text' || term.is === 'pattern') return term.is === 'pattern';
    const isRegex = term.tests.some(({ is }) => is === 'regex');
    return isRegex && (term.is === 'path' || qualifierOf(term.name)!.words === null);
  };
  return expr !== null && termsOf(expr).some(runsOnText);
}

function build<F>(expr: QueryExpr, term: (term: QueryTerm) => (facts: F) => boolean): (facts: F) => boolean {
  if (expr.is === 'and' || expr.is === 'or') return buildGroup(expr, term);
  if (expr.is !== 'not') return term(expr);
  const inner = build(expr.of, term);
  return (facts) => !inner(facts);
}

function buildGroup<F>(
  { is, of }: QueryGroup,
  term: (term: QueryTerm) => (facts: F) => boolean,
): (facts: F) => boolean {
  const parts = cheapestFirst(of).map((part) => build(part, term));
  const [a, b] = parts as [(facts: F) => boolean, (facts: F) => boolean];
  if (is === 'and')
    return parts.length === 2 ? (facts) => a(facts) && b(facts) : (facts) => parts.every((part) => part(facts));
  return parts.length === 2 ? (facts) => a(facts) || b(facts) : (facts) => parts.some((part) => part(facts));
}

export function cheapestFirst(parts: readonly QueryExpr[]): QueryExpr[] {
  return [...parts].sort((a, b) => costOf(a) - costOf(b));
}

/** The relative cost: columns, text, parsed messages, regular expressions. */
function costOf(expr: QueryExpr): number {
  if (expr.is === 'not') return costOf(expr.of);
  if (expr.is === 'and' || expr.is === 'or') return expr.of.reduce((sum, part) => sum + costOf(part), 0);
  if (expr.is === 'text') return 50;
  if (expr.is === 'pattern') return 1050;
  const regex = expr.tests.some(({ is }) => is === 'regex') ? 1000 : 0;
  return regex + (expr.is === 'path' ? 100 : expr.of === 'session' ? 1 : 2);
}

function frameTerm(term: QueryTerm): FramePredicate {
  if (term.is === 'text') {
    const { text } = term;
    return (frame) => frame.says(text);
  }
  if (term.is === 'pattern') {
    const { regex } = term;
    return (frame) => frame.says(regex);
  }
  if (term.is === 'path') {
    const { path } = term;
    const passes = anyTest(term.tests.map(valueTest));
    return (frame) => somePathValue(frame.message(), path, passes);
  }
  const qualifier = qualifierOf(term.name)!;
  if (qualifier.of === 'frame')
    return qualifier.type === 'mark' ? markPredicate(term) : fieldTerm(term, qualifier.get, qualifier);
  const holds = fieldTerm(term, qualifier.get, qualifier);
  return ({ session }) => holds(session);
}

/** Only for session terms. */
function sessionTerm(term: QueryTerm): SessionPredicate {
  const qualifier = qualifierOf((term as FieldTerm).name) as Qualifier & { of: 'session' };
  return fieldTerm(term as FieldTerm, qualifier.get, qualifier);
}

function markPredicate(term: FieldTerm): FramePredicate {
  const mask = marksIn(term);
  return ({ marks }) => (marks & mask) !== 0;
}

function fieldTerm<F>(term: FieldTerm, get: (facts: F) => QualifierValue, { type }: Qualifier): (facts: F) => boolean {
  const passes =
    type === 'word' ? wordTest(term) : cacheLast(anyTest(term.tests.map(type === 'session' ? sessionTest : valueTest)));
  return (facts) => {
    const value = get(facts);
    if (value === null || value === undefined) return false;
    return typeof value === 'object' ? value.some(passes) : passes(value);
  };
}

function wordTest(term: FieldTerm): ValueTest {
  const words = wordsOf(term);
  if (words === null) return () => true;
  const [only] = words;
  return words.length === 1 ? (value) => value === only : (value) => words.includes(value as string);
}

/** Caches the last result: consecutive frames often have the same value. */
function cacheLast(test: ValueTest): ValueTest {
  let last: unknown;
  let verdict = false;
  return (value) => {
    if (value !== last) {
      verdict = test(value);
      last = value;
    }
    return verdict;
  };
}

function anyTest(tests: ValueTest[]): ValueTest {
  return tests.length === 1 ? tests[0]! : (value) => tests.some((test) => test(value));
}
