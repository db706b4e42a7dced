/** How long a call was queued, waited and ran: waiting is not running (rules W1-W4). */
import type { Interval } from '../interval.ts';
import { type Ask, type Call, isYes, type Place } from './records.ts';
import { union } from './waiting.ts';

/** `isBlocked`: the agent's own hook blocked the call. */
export function measureCall(call: Call, isBlocked: boolean): void {
  const { asks, result, ready } = call;
  const before = asks.filter((ask) => !isAfter(ask));
  const waited = waitsOf(asks);
  call.queue = before.length > 0 && ready !== null ? Math.max(0, before[0]!.t - ready) : null;
  call.wait = asks.length === 0 ? 0 : waited.length > 0 ? union(waited) : null;
  if (!result || (!result.ok && (isBlocked || isRefused(before, result)))) return;
  // A request after the result does not delay this call.
  const decided = waitsOf(before).reduce((latest, [t, to]) => (t < result.t ? Math.max(latest, to) : latest), -1);
  const since = decided >= 0 ? decided : ready;
  const over = asks.find((ask) => isAfter(ask) && ask.f < result.f) ?? result;
  call.run = since === null ? null : Math.max(0, over.t - since);
}

const waitsOf = (asks: readonly Ask[]): Interval[] =>
  asks.filter(({ wait }) => wait !== null).map(({ t, wait }): Interval => [t, t + wait!]);

/** A hook that the agent asks when the call has run. It holds up the result only. */
const isAfter = ({ kind, action }: Ask): boolean => kind === 'hook' && (action ?? '').startsWith('PostToolUse');

/** It was asked about and not allowed, so a failed call never ran (rule A6). An unanswered hook does not count. */
function isRefused(asks: readonly Ask[], result: Place): boolean {
  const isNo = ({ f, kind, resolved, decision }: Ask) =>
    f < result.f &&
    (kind === 'approval' ? !isYes(resolved?.decision ?? decision) : kind === 'hook' && decision === 'deny');
  return asks.some(isNo);
}
