/**
 * What a query means for a session, by the words of the contract and nothing else: there is a frame of which all that is
 * not negated holds, and no frame of which a negated part does.
 */
import { type Expr, join, scopeOf } from '../../lib/filter/ast.ts';
import type { FrameFacts, SessionFacts } from '../../lib/filter/facts.ts';
import { compile, compileSession } from '../../lib/filter/predicate.ts';

export function fitsNaively(expr: Expr | null, session: SessionFacts, frames: readonly FrameFacts[]): boolean {
  const compiled = new Map<Expr, (frame: FrameFacts) => boolean>();
  const test = (part: Expr) => {
    const known = compiled.get(part) ?? compile(part);
    compiled.set(part, known);
    return known;
  };
  const none = (part: Expr) => !frames.some(test(part));
  const holds = (part: Expr, witness: FrameFacts | null): boolean => {
    if (scopeOf(part) === 'session') return compileSession(part)!(session);
    if (part.is === 'and') return part.of.every((one) => holds(one, witness));
    if (part.is === 'or') return part.of.some((one) => holds(one, witness));
    if (part.is === 'not') return denied(part.of, witness);
    return witness !== null && test(part)(witness);
  };
  const denied = (part: Expr, witness: FrameFacts | null): boolean => {
    if (part.is === 'not') return holds(part.of, witness);
    const scope = scopeOf(part);
    if (scope === 'session') return !compileSession(part)!(session);
    if (scope === 'frame' || (part.is !== 'and' && part.is !== 'or')) return none(part);
    const together = join(
      part.is,
      part.of.filter((one) => scopeOf(one) === 'frame'),
    );
    const rest = part.of.filter((one) => scopeOf(one) !== 'frame').map((one) => denied(one, witness));
    const all = together ? [...rest, denied(together, witness)] : rest;
    return part.is === 'and' ? all.some(Boolean) : all.every(Boolean);
  };
  return expr === null || [null, ...frames].some((witness) => holds(expr, witness));
}
