/** Evaluates the session terms of a query for one session and keeps its frame terms. */
import { type Expr, type Group, join } from './ast.ts';
import type { SessionFacts } from './facts.ts';
import { compileSession } from './predicate.ts';

/** True: every frame of the session matches; false: none does. */
export function decide(expr: Expr, session: SessionFacts): Expr | boolean {
  if (expr.is === 'not') {
    const inner = decide(expr.of, session);
    if (typeof inner === 'boolean') return !inner;
    return inner === expr.of ? expr : { is: 'not', of: inner };
  }
  if (expr.is === 'and' || expr.is === 'or') return decideGroup(expr, session);
  return expr.is === 'field' && expr.of === 'session' ? compileSession(expr)!(session) : expr;
}

function decideGroup(group: Group, session: SessionFacts): Expr | boolean {
  const settles = group.is === 'or';
  const left: Expr[] = [];
  for (const part of group.of) {
    const one = decide(part, session);
    if (one === settles) return settles;
    if (typeof one !== 'boolean') left.push(one);
  }
  const isWhole = left.length === group.of.length && left.every((part, i) => part === group.of[i]);
  return isWhole ? group : (join(group.is, left) ?? !settles);
}
