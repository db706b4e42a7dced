/** What the tables of a page show: the rows of the audit and their sums, and what the rules say that were broken. */
import type { Bypassed } from '../audit/bypass.ts';
import type { Summed } from '../audit/listed.ts';
import type { ApprovalRow } from '../audit/row.ts';
import { rowJson } from '../audit/row-json.ts';
import { grantsIn, sumOf, unknowns } from '../audit/sum.ts';
import { whatOf } from '../audit/what.ts';
import { entryOf } from '../check/entries/index.ts';
import { RULES } from '../check/index.ts';
import { ruleJson } from '../check/report.ts';
import type { Finding } from '../check/rule.ts';
import { microsOf } from '../core/frame.ts';
import type { Summary } from '../session/summary.ts';

/** What only the audit itself knows. */
interface Audited {
  heard: boolean;
  bypass: readonly Bypassed[];
  unread: number;
}

export interface AuditTables {
  /** As `approvals --all --json`, each with `what` it is about in one line. */
  approvals: Record<string, unknown>[];
  /** As `approvals --all --summary --json`. */
  audit: Summed;
}

export function auditTables(rows: readonly ApprovalRow[], summary: Summary, audited: Audited): AuditTables {
  const { session, started } = summary;
  const startedAt = microsOf(started);
  const caveats = unknowns({ ...summary, ...audited }, rows);
  const audit = { session, sum: sumOf(rows), grants: grantsIn(rows), bypass: audited.bypass, unknowns: caveats };
  const approvals = rows.map((row) => Object.assign(rowJson(session, startedAt, row), { caveats, what: whatOf(row) }));
  return { approvals, audit };
}

/** As `check --explain RULES --json`, of the rules that were broken. */
export function brokenRules(findings: readonly Finding[]): Record<string, unknown>[] {
  const broken = new Set(findings.map(({ rule }) => rule));
  return RULES.filter(({ id }) => broken.has(id)).map((rule) => ({ ...ruleJson(rule), ...entryOf(rule.id) }));
}
