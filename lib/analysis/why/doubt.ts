/**
 * Whether these lines can show at all that a request is open. In an unknown protocol, or one that most lines do not follow,
 * silence may be a hang or the end of the work: then nothing is claimed, and the last lines are quoted.
 */
import { isoMicros } from '../../model/frame.ts';
import { describeShare } from '../../session/understanding.ts';
import type { Obligation } from './explain.ts';
import type { SessionWatch } from './session-watch.ts';

/** Why `why` cannot tell, in words; null if it can. */
export function doubtOf({
  traits,
  dialect,
  read,
  lines: { all, understood },
  hasReplied,
  process: { ending },
}: SessionWatch): string | null {
  if (all === 0 || ending?.event === 'spawn-failed') return null;
  if (traits.isGeneric && hasReplied)
    return 'wiretape does not know this protocol: each request has an answer, but an answer may only say that work has begun';
  if (traits.isGeneric) return 'wiretape does not know this protocol, and sees no request in it';
  // Envelopes show who waits for whom, whatever else they say.
  return read.enough || understood * 2 >= all ? null : `${describeShare(read)} as ${dialect}`;
}

/** So little of what the agent said was understood that what seems to be open, or a mistake, may not be. */
export function isInDoubt(watch: SessionWatch): boolean {
  return !watch.traits.isGeneric && doubtOf(watch) !== null;
}

export const CANNOT_TELL = 'cannot tell whether anybody is waiting';

/** As `why --json` prints it. It is about both sides, so neither owes an answer. */
export function doubtRow(session: string, startedAt: number, watch: SessionWatch) {
  const cause = doubtOf(watch);
  if (cause === null) return null;
  const { client, agent } = watch.lines.last;
  const { f, t } = (client?.f ?? 0) > (agent?.f ?? 0) ? client! : agent!;
  return {
    ...{ session, owes: null, to: null, since: isoMicros(startedAt + t * 1e6), f, what: 'unknown', cause, hint: null },
    ...{ head: null, send: null, sender: null, or: [], open: false, waited: 0, rule: 'cannot-tell' },
    ...{ id: null, method: null, kind: null, follows: false },
  } satisfies Record<keyof Obligation, unknown>;
}
