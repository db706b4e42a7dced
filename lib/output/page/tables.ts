/** What the tables of a page show: the rows of the audit and their sums, and what the rules say that were broken. */
import type { BypassPeriod } from '../../analysis/audit/bypass.ts';
import type { SessionTotals } from '../../analysis/audit/listed-approval.ts';
import type { ApprovalRow } from '../../analysis/audit/row.ts';
import { grantsIn, listUnknowns, sumOf } from '../../analysis/audit/sum.ts';
import { entryOf } from '../../analysis/check/entries.ts';
import { ruleJson } from '../../analysis/check/report.ts';
import { RULES } from '../../analysis/check/rules.ts';
import type { Finding } from '../../dialects/rules/rule.ts';
import type { Summary } from '../../session/summary.ts';
import { type LeanApproval, leanApproval } from './lean-approval.ts';

/** What only the audit itself knows. */
interface Audited {
  heard: boolean;
  bypass: readonly BypassPeriod[];
  unread: number;
}

export interface AuditTables {
  approvals: LeanApproval[];
  /** As `approvals --all --summary --json`. */
  audit: SessionTotals;
}

export function auditTables(rows: readonly ApprovalRow[], summary: Summary, audited: Audited): AuditTables {
  const { session, read } = summary;
  const caveats = listUnknowns({ ...summary, ...audited }, rows);
  const audit = { session, sum: sumOf(rows), grants: grantsIn(rows), bypass: audited.bypass, unknowns: caveats, read };
  return { approvals: rows.map(leanApproval), audit };
}

/** As `check --explain RULES --json`, of the rules that were broken. */
export function brokenRules(findings: readonly Finding[]): Record<string, unknown>[] {
  const broken = new Set(findings.map(({ rule }) => rule));
  return RULES.filter(({ id }) => broken.has(id)).map((rule) => ({ ...ruleJson(rule), ...entryOf(rule.id) }));
}
