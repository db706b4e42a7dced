/** How long a call was queued, waited and ran: waiting is not running (rules W1-W4). */
import type { Interval } from '../interval.ts';
import { type Ask, type Call, isYes } from './records.ts';
import { union } from './waiting.ts';

/** `isBlocked`: the agent's own hook blocked the call. */
export function measureCall(call: Call, isBlocked: boolean): void {
  const { asks, result } = call;
  if (asks.length === 0) {
    call.queue = null;
    call.wait = 0;
    if (!result || (!result.ok && isBlocked)) return;
    call.run = call.ready === null ? null : Math.max(0, result.t - call.ready);
    return;
  }
  call.queue = call.ready !== null ? Math.max(0, asks[0]!.t - call.ready) : null;
  const waited = asks.filter(({ wait }) => wait !== null).map(({ t, wait }): Interval => [t, t + wait!]);
  call.wait = waited.length > 0 ? union(waited) : null;
  if (!result || (!result.ok && (isBlocked || isRefused(call)))) return;
  // A request after the result does not delay this call.
  const decided = waited.reduce((latest, [from, to]) => (from < result.t ? Math.max(latest, to) : latest), -1);
  const since = decided >= 0 ? decided : call.ready;
  call.run = since === null ? null : Math.max(0, result.t - since);
}

/** It was asked about and not allowed, so a failed call never ran (rule A6). An unanswered hook does not count. */
function isRefused({ asks, result }: Call): boolean {
  const isNo = ({ f, kind, resolved, decision }: Ask) =>
    f < result!.f &&
    (kind === 'approval' ? !isYes(resolved?.decision ?? decision) : kind === 'hook' && decision === 'deny');
  return asks.some(isNo);
}
