/** A dry run: what a policy would have decided about each recorded call, and where that differs from what happened. */
import { type ApprovalRow, hasRun, wasRefusedUnasked } from '../row.ts';
import { applyPolicy, CANNOT_JUDGE, isKnownPath, type PolicyCall, type PolicyRuling, policyCallOf } from './apply.ts';
import type { Policy, PolicyVerdict } from './rule.ts';
import { splitCommand } from './shell.ts';
import type { UnknownPart } from './unknown.ts';

/**
 * `asked`: the client was asked and allowed it, or has not decided. `unasked`: it ran without a request. `cancelled`: the
 * client withdrew the request or its turn, and nobody decided.
 */
export type RecordedOutcome = 'asked' | 'unasked' | 'denied' | 'cancelled' | 'unknown';

export interface PolicyComparison extends PolicyRuling {
  happened: RecordedOutcome;
  /**
   * What the policy would have to know to judge it; `quoting`: what a shell makes of the command; `tool`: its name; `folder`: one
   * on which its paths depend. Null if it can.
   */
  unknown: UnknownPart | 'quoting' | 'tool' | 'folder' | null;
  /** Why the policy would have led to something else; null if it would not, or nobody can tell. */
  differs: string | null;
}

export interface PolicyDifferences {
  calls: number;
  would: Record<PolicyVerdict, number>;
  /** Calls that the policy cannot judge. */
  unjudged: number;
  differ: number;
}

export function noDifferences(): PolicyDifferences {
  return { calls: 0, would: { allow: 0, ask: 0, deny: 0 }, unjudged: 0, differ: 0 };
}

export function comparePolicy(policy: Policy, row: ApprovalRow, cwd: string): PolicyComparison {
  const call = policyCallOf(row, cwd);
  const ruled = applyPolicy(policy, call);
  const happened = recordedOutcome(row);
  return { ...ruled, happened, unknown: unknownReason(ruled, call), differs: difference(ruled.verdict, happened, row) };
}

function unknownReason(
  { verdict }: PolicyRuling,
  { unknown, command, isNamed }: PolicyCall,
): PolicyComparison['unknown'] {
  if (verdict !== CANNOT_JUDGE) return null;
  const other = isNamed ? 'folder' : 'tool';
  if (unknown !== null || command === null) return unknown ?? other;
  const { commands, unclear } = splitCommand(command);
  const isFollowed = commands.every((one) => one.isNamed && one.writes.every(isKnownPath));
  return unclear || commands.length === 0 || !isFollowed ? 'quoting' : other;
}

export function addComparison(sum: PolicyDifferences, { verdict, differs }: PolicyComparison): void {
  sum.calls++;
  if (verdict === CANNOT_JUDGE) sum.unjudged++;
  else sum.would[verdict]++;
  if (differs !== null) sum.differ++;
}

function recordedOutcome(row: ApprovalRow): RecordedOutcome {
  const { decision } = row;
  if (wasRefusedUnasked(row)) return 'denied';
  if (decision === 'unknown' || decision === 'unasked') return decision;
  if (decision === 'cancelled') return 'cancelled';
  return decision === 'deny' ? 'denied' : 'asked';
}

function difference(would: PolicyRuling['verdict'], happened: RecordedOutcome, row: ApprovalRow): string | null {
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
