/** A dry run: what a policy would have decided about each recorded call, and where that differs from what happened. */
import { type ApprovalRow, hasRun } from '../row.ts';
import { CANNOT_JUDGE, callOf, type PolicyCall, type Ruled, ruleOn } from './apply.ts';
import type { Policy, Verdict } from './rule.ts';
import { isExpanded, splitCommand } from './shell.ts';
import type { Unknown } from './unknown.ts';

/**
 * `asked`: the client was asked and allowed it, or has not decided. `unasked`: it ran without a request. `cancelled`: the
 * client withdrew the request or its turn, and nobody decided.
 */
export type Happened = 'asked' | 'unasked' | 'denied' | 'cancelled' | 'unknown';

export interface Compared extends Ruled {
  happened: Happened;
  /**
   * What the policy would have to know to judge it; `quoting`: what a shell makes of the command; `tool`: its name. Null if it
   * can.
   */
  unknown: Unknown | 'quoting' | 'tool' | null;
  /** Why the policy would have led to something else; null if it would not, or nobody can tell. */
  differs: string | null;
}

export interface Differences {
  calls: number;
  would: Record<Verdict, number>;
  /** Calls that the policy cannot judge. */
  unjudged: number;
  differ: number;
}

export function noDifferences(): Differences {
  return { calls: 0, would: { allow: 0, ask: 0, deny: 0 }, unjudged: 0, differ: 0 };
}

export function compare(policy: Policy, row: ApprovalRow, cwd: string): Compared {
  const call = callOf(row, cwd);
  const ruled = ruleOn(policy, call);
  const happened = happenedIn(row);
  return { ...ruled, happened, unknown: unknownIn(ruled, call), differs: difference(ruled.verdict, happened, row) };
}

function unknownIn({ verdict }: Ruled, { unknown, command }: PolicyCall): Compared['unknown'] {
  if (verdict !== CANNOT_JUDGE) return null;
  if (unknown !== null || command === null) return unknown ?? 'tool';
  const { commands, unclear } = splitCommand(command);
  const isFollowed = commands.every(({ isNamed, writes }) => isNamed && !writes.some(isExpanded));
  return unclear || commands.length === 0 || !isFollowed ? 'quoting' : 'tool';
}

export function count(sum: Differences, { verdict, differs }: Compared): void {
  sum.calls++;
  if (verdict === CANNOT_JUDGE) sum.unjudged++;
  else sum.would[verdict]++;
  if (differs !== null) sum.differ++;
}

function happenedIn({ decision, executed }: ApprovalRow): Happened {
  if (decision === 'unknown') return 'unknown';
  if (decision === 'unasked') return executed === 'no' ? 'denied' : 'unasked';
  if (decision === 'cancelled') return 'cancelled';
  return decision === 'deny' ? 'denied' : 'asked';
}

function difference(would: Ruled['verdict'], happened: Happened, row: ApprovalRow): string | null {
  if (would === CANNOT_JUDGE) return null;
  if (would === 'allow') return happened === 'denied' && !hasRun(row) ? 'was denied, would be allowed' : null;
  if (would === 'ask' && happened === 'unasked')
    return `${hasRun(row) ? 'ran' : 'may have run'} unasked, would be asked about`;
  if (would === 'ask') return null;
  if (hasRun(row)) return `${row.executed === 'yes' ? 'ran' : 'ran in part'}, would be denied`;
  return row.executed === 'unknown' && happened !== 'denied' && happened !== 'cancelled'
    ? 'may have run, would be denied'
    : null;
}
