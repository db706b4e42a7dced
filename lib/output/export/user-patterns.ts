/**
 * The regular expressions that a user writes for a redaction. They meet hostile text, so they have as much time as those of
 * queries: one that takes longer is an error, and nothing is written.
 */

import { SIMPLER } from '../../analysis/query/too-slow.ts';
import { parseAlso, parseKeep, parseRule, type UserRegex, type UserRule } from '../../analysis/redact/options.ts';
import { Failure } from '../../model/failure.ts';
import { mostSteps } from '../../model/text/regex-steps.ts';
import { TookTooLong, withinLimit } from '../../storage/system/bounded.ts';

/** This many steps take a fraction of a second, even on a busy machine. */
const QUICK = 1e8;

export function ruleOf(word: string): UserRule | null {
  return parseRule(word, runFor('--rule'));
}

export function alsoOf(word: string): UserRule {
  return parseAlso(word, runFor('--also'));
}

export function keepOf(word: string): (value: string) => boolean {
  return parseKeep(word, runFor('--keep'));
}

function runFor(option: string): UserRegex {
  return (regex, text, work) => {
    if (mostSteps(regex, text.length) <= QUICK) return work();
    try {
      return withinLimit(work);
    } catch (error) {
      if (!(error instanceof TookTooLong)) throw error;
      throw new Failure(`the regular expression of ${option} took too long on one line`, SIMPLER);
    }
  };
}
