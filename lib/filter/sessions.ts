/**
 * What a query means for a list of sessions. Frame terms of one AND group must hold on one and the same frame; a negated
 * frame term, or a negated group of them, means that the session has no such frame. A negated group that speaks of both
 * is spread by De Morgan, its frame terms staying together.
 */
import { type Expr, join, scopeOf, termsOf } from './ast.ts';
import { QueryError } from './error.ts';
import type { FrameFacts, SessionFacts } from './facts.ts';
import { compile, compileSession } from './predicate.ts';

/** A session fits if all three hold; a query is a list of these, of which one must. */
export interface SessionQuery {
  /** Of the session alone; null: any. */
  session: Expr | null;
  /** Some frame is like this; null: none is needed. */
  some: Expr | null;
  /** No frame is like any of these. */
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

/** Which sessions fit, where there is no index: give it all frames of one session, then ask. */
export class SessionMatcher {
  readonly #open: { some: ((frame: FrameFacts) => boolean) | null; none: ((frame: FrameFacts) => boolean)[] }[];

  constructor(queries: readonly SessionQuery[], session: SessionFacts) {
    this.#open = queries
      .filter(({ session: own }) => compileSession(own)!(session))
      .map(({ some, none }) => ({ some: some && compile(some), none: none.map(compile) }));
  }

  /** True and false are final; null depends on frames to come. */
  get verdict(): boolean | null {
    if (this.#open.some(({ some, none }) => some === null && none.length === 0)) return true;
    return this.#open.length === 0 ? false : null;
  }

  take(frame: FrameFacts): void {
    for (let i = this.#open.length - 1; i >= 0; i--) {
      const one = this.#open[i]!;
      if (one.none.some((matches) => matches(frame))) this.#open.splice(i, 1);
      else if (one.some?.(frame)) one.some = null;
    }
  }

  /** The answer when there are no more frames. */
  get fits(): boolean {
    return this.#open.some(({ some }) => some === null);
  }
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

/** Some frame fits one of several, or one of several is fit by some frame: the same, if nothing in it is negated. */
function isPositive(expr: Expr): boolean {
  return expr.is === 'and' || expr.is === 'or' ? expr.of.every(isPositive) : expr.is !== 'not';
}

/** What `not expr` means, where expr speaks of frames. */
function negated(expr: Expr): Alternative[] {
  if (expr.is === 'not') return spread(expr.of);
  if (scopeOf(expr) === 'frame') return [only({ none: [expr] })];
  if (scopeOf(expr) === 'session' || (expr.is !== 'and' && expr.is !== 'or'))
    return [only({ session: [{ is: 'not', of: expr }] })];
  const parts = (['session', 'frame'] as const)
    .map((scope) =>
      join(
        expr.is,
        expr.of.filter((part) => scopeOf(part) === scope),
      ),
    )
    .filter((part) => part !== null);
  const mixed = expr.of.filter((part) => scopeOf(part) === 'both');
  const alternatives = [...parts, ...mixed].map(negated);
  return expr.is === 'and' ? either(expr, alternatives) : alternatives.reduce(both(expr));
}

function either(expr: Expr, alternatives: Alternative[][]): Alternative[] {
  return (
    limited(
      expr,
      alternatives.reduce((sum, { length }) => sum + length, 0),
    ) && alternatives.flat()
  );
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
    `the query has more than ${MAX_ALTERNATIVES} alternatives for a session`,
    'use fewer groups with OR in which terms of frames are negated or stand beside terms of sessions',
    from,
    Math.max(...places) + 1 - from,
  );
}
