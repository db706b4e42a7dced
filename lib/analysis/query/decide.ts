/** Evaluates the session terms of a query for one session and keeps its frame terms. */
import { joinExprs, type QueryExpr, type QueryGroup } from './ast.ts';
import type { SessionFacts } from './facts.ts';
import { compileSession } from './predicate.ts';

/** True: every frame of the session matches; false: none does. */
export function decideForSession(expr: QueryExpr, session: SessionFacts): QueryExpr | boolean {
  if (expr.is === 'not') {
    const inner = decideForSession(expr.of, session);
    if (typeof inner === 'boolean') return !inner;
    return inner === expr.of ? expr : { is: 'not', of: inner };
  }
  if (expr.is === 'and' || expr.is === 'or') return decideGroup(expr, session);
  return expr.is === 'field' && expr.of === 'session' ? compileSession(expr)!(session) : expr;
}

function decideGroup(group: QueryGroup, session: SessionFacts): QueryExpr | boolean {
  const decisive = group.is === 'or';
  const undecided: QueryExpr[] = [];
  for (const part of group.of) {
    const one = decideForSession(part, session);
    if (one === decisive) return decisive;
    if (typeof one !== 'boolean') undecided.push(one);
  }
  const isWhole = undecided.length === group.of.length && undecided.every((part, i) => part === group.of[i]);
  return isWhole ? group : (joinExprs(group.is, undecided) ?? !decisive);
}
