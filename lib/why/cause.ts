/** The answer of a rule to why something is unanswered: the likely cause, and a hint if there is one. */
import type { Place } from '../core/ledger/records.ts';
import type { Moment } from '../core/moment.ts';
import { humanSeconds } from '../core/text.ts';
import type { Open, Watch } from './watch.ts';

export interface Cause {
  /** The id of the rule, for programs. */
  rule: string;
  cause: string;
  hint: string | null;
  /** It only waits for another obligation, which is the one to look at. */
  follows?: boolean;
}

export type Rule = (open: Open, watch: Watch, moment: Moment) => Cause | null;

export function because(rule: string, cause: string, hint: string | null = null): Cause {
  return { rule, cause, hint };
}

/** `40 s ago`, or `40 s before the end` if the session no longer runs. */
export function ago({ t }: Place, moment: Moment): string {
  const seconds = humanSeconds(Math.max(0, moment.t - t));
  return moment.running ? `${seconds} ago` : `${seconds} before the end`;
}
