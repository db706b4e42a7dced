/** Applies a policy to recorded calls. Its regular expressions meet hostile text, so they run in slices with a time limit. */
import type { Listed } from '../audit/listed.ts';
import { type Compared, compare } from '../audit/policy/compare.ts';
import { readPolicy } from '../audit/policy/read.ts';
import { type Policy, PolicyError } from '../audit/policy/rule.ts';
import { bounded, TookTooLong } from '../bounded.ts';
import { Failure } from '../failure.ts';
import { SIMPLER } from '../filter/too-slow.ts';

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
export function* dryRun(policy: Policy, rows: readonly Listed[]): Generator<[Listed, Compared]> {
  function* each(): Generator<[Listed, Compared]> {
    for (const listed of rows)
      if (listed.row.kind === 'approval') yield [listed, compare(policy, listed.row, listed.cwd)];
  }
  const hasRegex = policy.rules.some(({ command }) => command?.some(({ regex }) => regex !== null));
  try {
    yield* hasRegex ? bounded(each()) : each();
  } catch (error) {
    if (!(error instanceof TookTooLong)) throw error;
    throw new Failure('a regular expression in the policy took too long on one command', SIMPLER);
  }
}
