/**
 * The regular expressions that a user writes for a redaction. They meet hostile text, so they have as much time as those of
 * queries: one that takes longer is an error, and nothing is written.
 */

import { SIMPLER_REGEX_HINT } from '../../analysis/query/too-slow.ts';
import { parseAlso, parseKeep, parseRule, type UserRegex, type UserRule } from '../../analysis/redact/options.ts';
import { Failure } from '../../model/failure.ts';
import { maxSteps } from '../../model/text/regex-steps.ts';
import { resultWithinLimit, TimeLimitExceeded } from '../../storage/system/time-limit.ts';

/** This many steps take a fraction of a second, even on a busy machine. */
const MAX_UNTIMED_STEPS = 1e8;

export function parseUserRule(word: string): UserRule | null {
  return parseRule(word, runFor('--rule'));
}

export function parseUserAlso(word: string): UserRule {
  return parseAlso(word, runFor('--also'));
}

export function parseUserKeep(word: string): (value: string) => boolean {
  return parseKeep(word, runFor('--keep'));
}

function runFor(option: string): UserRegex {
  return (regex, text, work) => {
    if (maxSteps(regex, text.length) <= MAX_UNTIMED_STEPS) return work();
    try {
      return resultWithinLimit(work);
    } catch (error) {
      if (!(error instanceof TimeLimitExceeded)) throw error;
      throw new Failure(`the regular expression of ${option} took too long on one line`, SIMPLER_REGEX_HINT);
    }
  };
}
