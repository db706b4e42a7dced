/**
 * Applies a query to sessions. The frame terms of an AND group must match the same frame. A negated frame term or group
 * of frame terms means that the session has no such frame. A negated group with both kinds of terms is expanded by
 * De Morgan's laws, which keeps its frame terms together.
 */
import { joinExprs, type QueryExpr, type QueryScope, scopeOf, termsOf } from './ast.ts';
import { QueryError } from './error.ts';

/** A session matches if all three hold. A query is a list of these, and one must match. */
export interface SessionQuery {
  /** A condition on the session; null for any session. */
  session: QueryExpr | null;
  /** At least one frame matches; null if none is needed. */
  some: QueryExpr | null;
  /** No frame matches any of these. */
  none: QueryExpr[];
}

interface Alternative {
  session: QueryExpr[];
  some: QueryExpr[];
  none: QueryExpr[];
}

const MAX_ALTERNATIVES = 64;

export function sessionQueries(expr: QueryExpr | null): SessionQuery[] {
  const alternatives = expr === null ? [makeAlternative({})] : expand(expr);
  return alternatives.map(({ session, some, none }) => ({
    session: joinExprs('and', session),
    some: joinExprs('and', some),
    none,
  }));
}

function makeAlternative(part: Partial<Alternative>): Alternative {
  return { session: [], some: [], none: [], ...part };
}

function expand(expr: QueryExpr): Alternative[] {
  const scope = scopeOf(expr);
  if (scope === 'session') return [makeAlternative({ session: [expr] })];
  if (expr.is === 'not') return expandNegated(expr.of);
  if (expr.is === 'and') return expr.of.map(expand).reduce(allOf(expr));
  if (expr.is === 'or' && !(scope === 'frame' && isPositive(expr))) return anyOf(expr, expr.of.map(expand));
  return [makeAlternative({ some: [expr] })];
}

/** Without negation, "a frame matches a or b" equals "a frame matches a, or a frame matches b". */
function isPositive(expr: QueryExpr): boolean {
  return expr.is === 'and' || expr.is === 'or' ? expr.of.every(isPositive) : expr.is !== 'not';
}

/** The meaning of `not expr` for an expression with frame terms. */
function expandNegated(expr: QueryExpr): Alternative[] {
  if (expr.is === 'not') return expand(expr.of);
  if (scopeOf(expr) === 'frame') return [makeAlternative({ none: [expr] })];
  if (scopeOf(expr) === 'session' || (expr.is !== 'and' && expr.is !== 'or'))
    return [makeAlternative({ session: [{ is: 'not', of: expr }] })];
  const inScope = (scope: QueryScope) => expr.of.filter((part) => scopeOf(part) === scope);
  const parts = (['session', 'frame'] as const).map((scope) => joinExprs(expr.is, inScope(scope)));
  const alternatives = [...parts.filter((part) => part !== null), ...inScope('both')].map(expandNegated);
  return expr.is === 'and' ? anyOf(expr, alternatives) : alternatives.reduce(allOf(expr));
}

function anyOf(expr: QueryExpr, alternatives: Alternative[][]): Alternative[] {
  const all = alternatives.flat();
  return isWithinLimit(expr, all.length) && all;
}

function allOf(expr: QueryExpr): (a: Alternative[], b: Alternative[]) => Alternative[] {
  return (a, b) =>
    isWithinLimit(expr, a.length * b.length) &&
    a.flatMap((one) =>
      b.map((other) => ({
        session: [...one.session, ...other.session],
        some: [...one.some, ...other.some],
        none: [...one.none, ...other.none],
      })),
    );
}

function isWithinLimit(expr: QueryExpr, count: number): true {
  if (count <= MAX_ALTERNATIVES) return true;
  const positions = termsOf(expr).map(({ at }) => at);
  const from = Math.min(...positions);
  throw new QueryError(
    `the query expands to more than ${MAX_ALTERNATIVES} alternatives`,
    'use fewer OR groups that contain negated frame terms or mix frame and session terms',
    from,
    Math.max(...positions) + 1 - from,
  );
}
