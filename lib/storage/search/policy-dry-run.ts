/** Applies a policy to recorded calls. Its regular expressions meet hostile text, so they run in slices with a time limit. */
import type { ListedApproval } from '../../analysis/audit/listed-approval.ts';
import { comparePolicy, type PolicyComparison } from '../../analysis/audit/policy/compare.ts';
import { readPolicy } from '../../analysis/audit/policy/read.ts';
import { type Policy, PolicyError } from '../../analysis/audit/policy/rule.ts';
import { SIMPLER_REGEX_HINT } from '../../analysis/query/too-slow.ts';
import { Failure } from '../../model/failure.ts';
import { TimeLimitExceeded, withinTimeLimit } from '../system/time-limit.ts';

/** `file`: for the message, as the user named it. */
export function parsePolicy(text: string, file: string): Policy {
  try {
    return readPolicy(text);
  } catch (error) {
    if (!(error instanceof PolicyError)) throw error;
    throw new Failure(`${file}:${error.line}: ${error.message}`, error.hint);
  }
}

/** Each row with what the policy says about it. */
export function* dryRun(
  policy: Policy,
  rows: readonly ListedApproval[],
): Generator<[ListedApproval, PolicyComparison]> {
  function* each(): Generator<[ListedApproval, PolicyComparison]> {
    for (const listed of rows)
      if (listed.row.kind === 'approval') yield [listed, comparePolicy(policy, listed.row, listed.cwd)];
  }
  const hasRegex = policy.rules.some(({ command }) => command?.some(({ regex }) => regex !== null));
  try {
    yield* hasRegex ? withinTimeLimit(each()) : each();
  } catch (error) {
    if (!(error instanceof TimeLimitExceeded)) throw error;
    throw new Failure('a regular expression in the policy took too long on one command', SIMPLER_REGEX_HINT);
  }
}
