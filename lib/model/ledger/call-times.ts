/** How long a call was queued, waited and ran: waiting is not running (rules W1-W4). */
import type { Interval } from '../interval.ts';
import { REFUSED_PHRASE, STARTED_PHRASE } from '../text/outcome-phrases.ts';
import { type Ask, type Call, type FramePosition, hadBegun, isAllowed, isStopped } from './records.ts';
import { unionSeconds } from './waiting-time.ts';

/** How many characters of a result are read. */
const MAX_RESULT_CHARS_READ = 500;

/** `isBlocked`: the agent's own hook blocked the call. */
export function measureCall(call: Call, isBlocked: boolean): void {
  const { asks, result, ready } = call;
  const before = asks.filter((ask) => !isPostToolHook(ask));
  const waited = waitsOf(asks);
  call.queue = before.length > 0 && ready !== null ? Math.max(0, before[0]!.t - ready) : null;
  call.wait = asks.length === 0 ? 0 : waited.length > 0 ? unionSeconds(waited) : null;
  if (!result || (!result.ok && (isBlocked || isRefused(before, result)))) return;
  if (!result.ok && !mayHaveRun(call, before, result)) return;
  const since = runStartOf(call);
  const over = asks.find((ask) => isPostToolHook(ask) && ask.f < result.f) ?? result;
  call.run = since === null ? null : Math.max(0, over.t - since);
}

/**
 * A call that failed. One that was stopped ran if something shows that it had begun, and one that nobody was asked about
 * unless its result says that it did not.
 */
function mayHaveRun(call: Call, before: readonly Ask[], { ruling, text }: NonNullable<Call['result']>): boolean {
  const decided = before.reduce((latest, ask) => Math.max(latest, ask.decided?.f ?? -1), call.f);
  if (isStopped(call, decided)) return hadBegun(call, decided);
  if (call.turn === null || before.some(({ kind }) => kind !== 'hook')) return true;
  const resultText = text.slice(0, MAX_RESULT_CHARS_READ);
  return ruling?.decision !== 'deny' && (STARTED_PHRASE.test(resultText) || !REFUSED_PHRASE.test(resultText));
}

/** When it began to run, if it ran: when the last request before it was answered, or else its arguments were complete. */
function runStartOf({ asks, result, ready }: Call): number | null {
  const waits = waitsOf(asks.filter((ask) => !isPostToolHook(ask)));
  // A request after the result does not delay this call.
  const decided = waits.reduce((latest, [t, to]) => (!result || t < result.t ? Math.max(latest, to) : latest), -1);
  return decided >= 0 ? decided : ready;
}

/**
 * The same as times: from when to when it waited, and when it began to run. A call that waits, or that was refused, does
 * not run.
 */
export function measuredTimes(call: Call): { waited: Interval | null; ran: number | null } {
  const { asks, result, run, state } = call;
  const waits = waitsOf(asks);
  const waited = waits.reduce<Interval | null>(
    (all, [from, to]) => (all ? [Math.min(all[0], from), Math.max(all[1], to)] : [from, to]),
    null,
  );
  const isWaiting = asks.some((ask) => !isPostToolHook(ask) && ask.wait === null);
  const runs = result ? run !== null : state === 'running' && !isWaiting;
  return { waited, ran: runs ? runStartOf(call) : null };
}

const waitsOf = (asks: readonly Ask[]): Interval[] =>
  asks.filter(({ wait }) => wait !== null).map(({ t, wait }): Interval => [t, t + wait!]);

/** A hook that the agent asks when the call has run. It holds up the result only. */
const isPostToolHook = ({ kind, action }: Ask): boolean => kind === 'hook' && (action ?? '').startsWith('PostToolUse');

/** It was asked about and not allowed, so a failed call never ran (rule A6). An unanswered hook does not count. */
function isRefused(asks: readonly Ask[], result: FramePosition): boolean {
  const isNo = ({ f, kind, resolved, decision }: Ask) =>
    f < result.f &&
    (kind === 'approval' ? !isAllowed(resolved?.decision ?? decision) : kind === 'hook' && decision === 'deny');
  return asks.some(isNo);
}
