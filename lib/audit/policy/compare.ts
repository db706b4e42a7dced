/** A dry run: what a policy would have decided about each recorded call, and where that differs from what happened. */
import type { ApprovalRow } from '../row.ts';
import { callOf, type Ruled, ruleOn } from './apply.ts';
import type { Policy, Verdict } from './rule.ts';

/**
 * `asked`: the client was asked and allowed it, or has not decided. `unasked`: it ran without a request. `cancelled`: the
 * client withdrew the request or its turn, and nobody decided.
 */
export type Happened = 'asked' | 'unasked' | 'denied' | 'cancelled' | 'unknown';

export interface Compared extends Ruled {
  happened: Happened;
  /** Why the policy would have led to something else; null if it would not, or nobody can tell. */
  differs: string | null;
}

export interface Differences {
  calls: number;
  would: Record<Verdict, number>;
  differ: number;
}

export function noDifferences(): Differences {
  return { calls: 0, would: { allow: 0, ask: 0, deny: 0 }, differ: 0 };
}

export function compare(policy: Policy, row: ApprovalRow, cwd: string): Compared {
  const ruled = ruleOn(policy, callOf(row, cwd));
  const happened = happenedIn(row);
  return { ...ruled, happened, differs: difference(ruled.verdict, happened, row) };
}

export function count(sum: Differences, { verdict, differs }: Compared): void {
  sum.calls++;
  sum.would[verdict]++;
  if (differs !== null) sum.differ++;
}

function happenedIn({ decision, executed }: ApprovalRow): Happened {
  if (decision === 'unknown') return 'unknown';
  if (decision === 'unasked') return executed === 'no' ? 'denied' : 'unasked';
  if (decision === 'cancelled') return 'cancelled';
  return decision === 'deny' ? 'denied' : 'asked';
}

function difference(would: Verdict, happened: Happened, { executed }: ApprovalRow): string | null {
  if (would === 'allow') return happened === 'denied' && executed !== 'yes' ? 'was denied, would be allowed' : null;
  if (would === 'ask') return happened === 'unasked' ? 'ran unasked, would be asked about' : null;
  if (executed === 'yes') return 'ran, would be denied';
  return executed === 'unknown' && happened !== 'denied' && happened !== 'cancelled'
    ? 'may have run, would be denied'
    : null;
}
