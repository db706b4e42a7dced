/** The findings of `check` by rule, the gravest first, and the open requests that `why` lists. */

import type { Obligation } from '../../../analysis/why/explain.ts';
import type { RuleExplanation } from '../../../dialects/rules/entry.ts';
import type { Fault, Finding, Severity } from '../../../dialects/rules/rule.ts';

/** As `check --explain RULE --json`. */
export interface RuleEntry extends RuleExplanation {
  rule: string;
  title: string;
  source: string;
  severity: Severity;
  fault: Fault;
}

/** As `why --json`. `owes` and `to` are null if `why` cannot tell. */
export interface ObligationJson extends Omit<Obligation, 'owes' | 'to'> {
  owes: 'client' | 'agent' | null;
  to: 'client' | 'agent' | null;
  stderr: string[];
}

export interface RuleGroup {
  rule: string;
  /** That of the gravest finding. */
  severity: Severity;
  findings: Finding[];
}

const GRAVEST: readonly Severity[] = ['error', 'warning', 'info'];

/** Rules with errors first, then those that were broken most often. */
export function groupByRule(findings: readonly Finding[]): RuleGroup[] {
  const groups = new Map<string, RuleGroup>();
  for (const finding of findings) {
    const known = groups.get(finding.rule);
    if (!known) groups.set(finding.rule, { rule: finding.rule, severity: finding.severity, findings: [finding] });
    else {
      known.findings.push(finding);
      if (rank(finding.severity) < rank(known.severity)) known.severity = finding.severity;
    }
  }
  for (const { findings: list } of groups.values()) list.sort((a, b) => a.f - b.f);
  return [...groups.values()].sort(
    (a, b) =>
      rank(a.severity) - rank(b.severity) || b.findings.length - a.findings.length || (a.rule < b.rule ? -1 : 1),
  );
}

const rank = (severity: Severity): number => GRAVEST.indexOf(severity);

/** Those of which a frame was found by the query. */
export function findingsFor(findings: readonly Finding[], has: ((f: number) => boolean) | null): Finding[] {
  return has === null ? [...findings] : findings.filter(({ f, frames }) => has(f) || frames.some(has));
}

/** How many of each severity. */
export function countSeverities(findings: readonly Finding[]): Record<Severity, number> {
  const counts = { error: 0, warning: 0, info: 0 };
  for (const { severity } of findings) counts[severity]++;
  return counts;
}
