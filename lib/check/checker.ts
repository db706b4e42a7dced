/**
 * Runs the rules of a session's dialect over its frames, in one pass. Of an import whose client is never heard, rules
 * that need the client's side are not applied: their findings are held back until the client says something.
 */
import type { Ledger } from '../core/ledger/ledger.ts';
import { isUnread } from '../core/too-large.ts';
import type { ReadFrame } from '../session/read.ts';
import { RULES } from './index.ts';
import {
  type Broken,
  type CheckedSession,
  type Finding,
  type Rule,
  type RuleReader,
  refOf,
  type SessionToCheck,
  type Severity,
  type Watcher,
} from './rule.ts';

export class Checker {
  readonly #open: { rule: Rule; reader: RuleReader }[];
  readonly #watchers = new Map<unknown, Watcher>();
  #isClientHeard: boolean;
  readonly #held: Finding[] = [];
  /** A line was too large to be read: what breaks a rule behind it may follow from what it said, so no error is certain. */
  #isUnsure = false;
  #ledger: Ledger | null = null;

  constructor(session: SessionToCheck, rules: readonly Rule[] = RULES) {
    this.#isClientHeard = session.source !== 'import';
    const share = <W extends Watcher>(kind: new (session: CheckedSession) => W): W => {
      const known = this.#watchers.get(kind) as W | undefined;
      // One that asks for others comes behind them.
      const watcher = known ?? new kind(checked);
      this.#watchers.set(kind, watcher);
      return watcher;
    };
    const checked = { ...session, share };
    this.#open = rules
      .filter(({ dialects }) => dialects === null || dialects.includes(session.dialect))
      .map((rule) => {
        const reader = rule.open(checked);
        return { rule, reader: typeof reader === 'function' ? { take: reader } : reader };
      });
  }

  take(read: ReadFrame): Finding[] {
    this.#ledger = read.ledger;
    for (const watcher of this.#watchers.values()) watcher.take(read);
    if (read.frame.from === 'client' && read.frame.form !== 'event') this.#isClientHeard = true;
    const found: Finding[] = [];
    for (const { rule, reader } of this.#open) this.#add(found, rule, reader.take(read));
    if (isUnread(read.events) && read.frame.from !== 'stderr') this.#isUnsure = true;
    return found;
  }

  #certain(severity: Severity): Severity {
    return this.#isUnsure && severity === 'error' ? 'warning' : severity;
  }

  /** What never came, when the session has ended. */
  end(): Finding[] {
    const found: Finding[] = [];
    const ledger = this.#ledger;
    if (ledger) for (const { rule, reader } of this.#open) this.#add(found, rule, reader.end?.(ledger) ?? []);
    return found;
  }

  /** Rules that could not be judged so far, because the client's side is not there. */
  get notApplied(): Rule[] {
    return this.#isClientHeard ? [] : this.#open.map(({ rule }) => rule).filter(({ needsClient }) => needsClient);
  }

  /** Almost always there is nothing: a long session has a million frames, and each meets dozens of rules. */
  #add(found: Finding[], rule: Rule, broken: Broken[]): void {
    if (this.#held.length > 0 && this.#isClientHeard) found.push(...this.#held.splice(0));
    if (broken.length === 0) return;
    const { id, severity, fault, needsClient } = rule;
    const ref = refOf(id);
    const findings = broken.map((one) => ({
      ...{ rule: id, fault, ref, frames: [], ...one },
      severity: this.#certain(one.severity ?? severity),
      message: shortened(one.message),
    }));
    (needsClient && !this.#isClientHeard ? this.#held : found).push(...findings);
  }
}

/** What is quoted may be as long as a line, and a line of any length. */
const LONGEST = 1000;

function shortened(message: string): string {
  return message.length > LONGEST ? `${message.slice(0, LONGEST)}…` : message;
}
