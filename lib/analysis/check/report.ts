/** The findings of one session. A tape may break one rule a million times, so only some are kept. */

import { type Finding, type Rule, refOf, type Severity } from '../../dialects/rules/rule.ts';
import type { ReadShare } from '../../session/understanding.ts';
import { INCOMPLETE } from './incomplete.ts';

export const SEVERITIES: readonly Severity[] = ['error', 'warning', 'info'];

/** Whether the severity is `least` or above. */
export function isAtLeast(severity: Severity, least: Severity): boolean {
  return SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(least);
}

/** What makes `check` fail: a finding of this severity or above, and an incomplete tape if that was requested. */
export interface FailOn {
  least: Severity | 'never';
  incomplete: boolean;
}

export function isFailure({ rule, severity }: Pick<Finding, 'rule' | 'severity'>, failOn: FailOn): boolean {
  if (rule === INCOMPLETE.id) return failOn.incomplete;
  return failOn.least !== 'never' && isAtLeast(severity, failOn.least);
}

export interface CheckReport {
  session: string;
  command: readonly string[];
  dialect: string;
  started: string;
  /** Rules that the session was held to. */
  applied: readonly Rule[];
  /** Rules that need the client's side, which is not there. */
  notApplied: readonly Rule[];
  /** How much of what the agent said was understood: if not enough, only rules of any protocol apply. */
  read: ReadShare;
  /** The session is still running, so missing messages are not reported. */
  isRunning: boolean;
  /** By frame, a limited number for each rule and severity. */
  findings: readonly Finding[];
  /** All of them, by rule and by severity. */
  counts: ReadonlyMap<string, number>;
  severities: Readonly<Record<Severity, number>>;
  /** Whether any of them is a failure. */
  failed: boolean;
}

/** As `check --json` has it. Keys are added, never renamed. */
export function findingJson(session: string, { rule, severity, fault, f, frames, message, ref }: Finding) {
  return { session, rule, severity, fault, f, frames, message, ref };
}

/** As `check --list --json` prints it. */
export function ruleJson({ id, aliases = [], dialects, severity, fault, title, source, needsClient }: Rule) {
  const about = { rule: id, aliases, dialects, severity, fault, title, source };
  return { ...about, ref: refOf(id), needs_client: needsClient ?? false };
}

export class FindingList {
  readonly #kept: Finding[] = [];
  readonly #max: number;
  readonly #keptCounts = new Map<string, number>();
  readonly counts = new Map<string, number>();
  readonly severities: Record<Severity, number> = { error: 0, warning: 0, info: 0 };

  readonly #failOn: FailOn;
  failed = false;

  /** `max`: how many of each rule and severity are kept. */
  constructor(max: number, failOn: FailOn) {
    this.#max = max;
    this.#failOn = failOn;
  }

  add(finding: Finding): void {
    const { rule, severity } = finding;
    this.counts.set(rule, (this.counts.get(rule) ?? 0) + 1);
    this.severities[severity] += 1;
    if (isFailure(finding, this.#failOn)) this.failed = true;
    const like = `${severity} ${rule}`;
    const count = (this.#keptCounts.get(like) ?? 0) + 1;
    this.#keptCounts.set(like, count);
    if (count <= this.#max) this.#kept.push(finding);
  }

  /** In the order of the frames; of one frame, in the order of the rules. */
  get inOrder(): Finding[] {
    return this.#kept.toSorted((a, b) => a.f - b.f);
  }
}
