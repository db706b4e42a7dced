/**
 * What a query means for a session, by the words of the contract and nothing else: there is a frame of which all that is
 * not negated holds, and no frame of which a negated part does.
 */
import { joinExprs, type QueryExpr, scopeOf } from '../../lib/analysis/query/ast.ts';
import type { FrameFacts, SessionFacts } from '../../lib/analysis/query/facts.ts';
import { compileFrame, compileSession } from '../../lib/analysis/query/predicate.ts';

/** The same for the same expression: it is asked for each frame. */
function once<T>(answer: (part: QueryExpr) => T): (part: QueryExpr) => T {
  const known = new Map<QueryExpr, T>();
  return (part) => {
    if (!known.has(part)) known.set(part, answer(part));
    return known.get(part)!;
  };
}

export function fitsNaively(expr: QueryExpr | null, session: SessionFacts, frames: readonly FrameFacts[]): boolean {
  const test = once((part) => compileFrame(part));
  const none = once((part) => !frames.some(test(part)));
  const ofSession = once((part) => compileSession(part)!(session));
  const partsOf = once((part) => {
    if (part.is !== 'and' && part.is !== 'or') throw new Error(`${part.is} has no parts`);
    const together = joinExprs(
      part.is,
      part.of.filter((one) => scopeOf(one) === 'frame'),
    );
    return [...part.of.filter((one) => scopeOf(one) !== 'frame'), ...(together ? [together] : [])];
  });
  const holds = (part: QueryExpr, witness: FrameFacts | null): boolean => {
    if (scopeOf(part) === 'session') return ofSession(part);
    if (part.is === 'and') return part.of.every((one) => holds(one, witness));
    if (part.is === 'or') return part.of.some((one) => holds(one, witness));
    if (part.is === 'not') return denied(part.of, witness);
    return witness !== null && test(part)(witness);
  };
  const denied = (part: QueryExpr, witness: FrameFacts | null): boolean => {
    if (part.is === 'not') return holds(part.of, witness);
    const scope = scopeOf(part);
    if (scope === 'session') return !ofSession(part);
    if (scope === 'frame' || (part.is !== 'and' && part.is !== 'or')) return none(part);
    const all = partsOf(part).map((one) => denied(one, witness));
    return part.is === 'and' ? all.some(Boolean) : all.every(Boolean);
  };
  return expr === null || [null, ...frames].some((witness) => holds(expr, witness));
}
