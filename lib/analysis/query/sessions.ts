/**
 * Applies a query to sessions. The frame terms of an AND group must match the same frame. A negated frame term or group
 * of frame terms means that the session has no such frame. A negated group with both kinds of terms is expanded by
 * De Morgan's laws, which keeps its frame terms together.
 */
import { type Expr, join, type Scope, scopeOf, termsOf } from './ast.ts';
import { QueryError } from './error.ts';

/** A session matches if all three hold. A query is a list of these, and one must match. */
export interface SessionQuery {
  /** A condition on the session; null for any session. */
  session: Expr | null;
  /** At least one frame matches; null if none is needed. */
  some: Expr | null;
  /** No frame matches any of these. */
  none: Expr[];
}

interface Alternative {
  session: Expr[];
  some: Expr[];
  none: Expr[];
}

const MAX_ALTERNATIVES = 64;

export function sessionQueries(expr: Expr | null): SessionQuery[] {
  const alternatives = expr === null ? [only({})] : spread(expr);
  return alternatives.map(({ session, some, none }) => ({
    session: join('and', session),
    some: join('and', some),
    none,
  }));
}

function only(part: Partial<Alternative>): Alternative {
  return { session: [], some: [], none: [], ...part };
}

function spread(expr: Expr): Alternative[] {
  const scope = scopeOf(expr);
  if (scope === 'session') return [only({ session: [expr] })];
  if (expr.is === 'not') return negated(expr.of);
  if (expr.is === 'and') return expr.of.map(spread).reduce(both(expr));
  if (expr.is === 'or' && !(scope === 'frame' && isPositive(expr))) return either(expr, expr.of.map(spread));
  return [only({ some: [expr] })];
}

/** Without negation, "a frame matches a or b" equals "a frame matches a, or a frame matches b". */
function isPositive(expr: Expr): boolean {
  return expr.is === 'and' || expr.is === 'or' ? expr.of.every(isPositive) : expr.is !== 'not';
}

/** The meaning of `not expr` for an expression with frame terms. */
function negated(expr: Expr): Alternative[] {
  if (expr.is === 'not') return spread(expr.of);
  if (scopeOf(expr) === 'frame') return [only({ none: [expr] })];
  if (scopeOf(expr) === 'session' || (expr.is !== 'and' && expr.is !== 'or'))
    return [only({ session: [{ is: 'not', of: expr }] })];
  const inScope = (scope: Scope) => expr.of.filter((part) => scopeOf(part) === scope);
  const parts = (['session', 'frame'] as const).map((scope) => join(expr.is, inScope(scope)));
  const alternatives = [...parts.filter((part) => part !== null), ...inScope('both')].map(negated);
  return expr.is === 'and' ? either(expr, alternatives) : alternatives.reduce(both(expr));
}

function either(expr: Expr, alternatives: Alternative[][]): Alternative[] {
  const all = alternatives.flat();
  return limited(expr, all.length) && all;
}

function both(expr: Expr): (a: Alternative[], b: Alternative[]) => Alternative[] {
  return (a, b) =>
    limited(expr, a.length * b.length) &&
    a.flatMap((one) =>
      b.map((other) => ({
        session: [...one.session, ...other.session],
        some: [...one.some, ...other.some],
        none: [...one.none, ...other.none],
      })),
    );
}

function limited(expr: Expr, count: number): true {
  if (count <= MAX_ALTERNATIVES) return true;
  const places = termsOf(expr).map(({ at }) => at);
  const from = Math.min(...places);
  throw new QueryError(
    `the query expands to more than ${MAX_ALTERNATIVES} alternatives`,
    'use fewer OR groups that contain negated frame terms or mix frame and session terms',
    from,
    Math.max(...places) + 1 - from,
  );
}
