/** Runs the rules of a session's dialect over its frames, in one pass. */
import type { ReadFrame } from '../dialects/read.ts';
import { RULES } from './index.ts';
import type { Broken, CheckedSession, Finding, Rule, RuleReader } from './rule.ts';

export class Checker {
  readonly #open: { rule: Rule; reader: RuleReader }[];

  constructor(session: CheckedSession, rules: readonly Rule[] = RULES) {
    this.#open = rules
      .filter(({ dialects }) => dialects === null || dialects.includes(session.dialect))
      .map((rule) => ({ rule, reader: rule.open(session) }));
  }

  take(read: ReadFrame): Finding[] {
    return this.#open.flatMap(({ rule, reader }) => reader.take(read).map((broken) => findingOf(rule, broken)));
  }

  /** What never came, when the session has ended. */
  end(): Finding[] {
    return this.#open.flatMap(({ rule, reader }) => (reader.end?.() ?? []).map((broken) => findingOf(rule, broken)));
  }
}

function findingOf({ id, severity, fault, ref }: Rule, broken: Broken): Finding {
  return { rule: id, severity, fault, ref, frames: [], ...broken };
}
