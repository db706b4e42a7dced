/** What a row of the tree says about its entry: lane, state, and when it waited and ran. */
import type { EventKind } from '../../model/event.ts';
import { measuredTimes } from '../../model/ledger/call-times.ts';
import { isAllowed, isStopped } from '../../model/ledger/records.ts';
import type { Entry, Item, Turn } from '../../model/timeline/entries.ts';
import { KIND, LANES, type Lane, ROW_MARK, type RowState, STATE } from './page.ts';

/** Seconds; NaN: does not apply. */
export interface RowTimes {
  ready: number;
  wait: number;
  wait_end: number;
  run: number;
}

const NO_TIMES: RowTimes = { ready: Number.NaN, wait: Number.NaN, wait_end: Number.NaN, run: Number.NaN };

/** `end`: when the session ended. What is open lasts until then. */
export function timesOf(entry: Entry, end: number): RowTimes {
  if (entry.is !== 'item') return NO_TIMES;
  const { call, ask } = entry;
  if (call) {
    const { waited, ran } = measuredTimes(call);
    const open = call.asks.some((one) => one.wait === null && one.settled === null);
    const [from, to] = waited ?? (open ? [call.asks[0]!.t, end] : [Number.NaN, Number.NaN]);
    return { ready: call.ready ?? Number.NaN, wait: from, wait_end: open ? end : to, run: ran ?? Number.NaN };
  }
  if (!ask) return NO_TIMES;
  const over = ask.wait === null ? (ask.settled?.t ?? ask.decided?.t ?? end) : ask.t + ask.wait;
  return { ...NO_TIMES, wait: ask.t, wait_end: over };
}

export const kindOf = (entry: Entry): number => KIND[entry.is === 'item' ? entry.kind : entry.is];

const LANE_OF: Partial<Record<EventKind, Lane>> = {
  ...{ prompt: 'client', steer: 'client', cancel: 'client', mode: 'client', control: 'client', handshake: 'client' },
  ...{ 'tool-call': 'tools', 'tool-args': 'tools', 'tool-result': 'tools', progress: 'tools', 'client-call': 'tools' },
  ...{ approval: 'approvals', 'approval-answer': 'approvals', 'approval-resolved': 'approvals' },
  ...{ question: 'approvals', 'question-answer': 'approvals' },
  ...{ hook: 'approvals', 'hook-answer': 'approvals', 'hook-resolved': 'approvals' },
  ...{ noise: 'noise' },
};

export function laneOf(entry: Entry): number {
  return LANES.indexOf(laneNamed(entry));
}

function laneNamed(entry: Entry): Lane {
  if (entry.is === 'turn') return 'agent';
  if (entry.is === 'step') {
    const first = entry.entries.find((one) => one.is === 'item');
    return first && first.subagent !== null ? 'subagents' : 'agent';
  }
  const { kind, name, subagent } = entry;
  if (kind === 'log' && name === 'stderr') return 'stderr';
  const lane = LANE_OF[kind] ?? 'agent';
  // Requests to the client are in the same lane, whichever agent asks.
  return subagent !== null && lane !== 'approvals' ? 'subagents' : lane;
}

/** `isPending`: the item asks for something that was never answered. */
export function stateOf(entry: Entry, isPending: boolean): number {
  return STATE[stateNamed(entry, isPending)];
}

function stateNamed(entry: Entry, isPending: boolean): RowState {
  if (entry.is === 'turn') return turnState(entry);
  if (entry.is === 'step') return STEP_STATES[entry.state];
  if (entry.call) return callState(entry);
  if (entry.ask) return askState(entry);
  const { answer, kind, flags } = entry;
  if (flags.includes('discarded')) return 'interrupted';
  if (answer) return answer.status === 'deny' ? 'denied' : answer.ok ? 'done' : 'error';
  if (kind === 'error') return 'error';
  return isPending ? 'open' : 'done';
}

const STEP_STATES = { running: 'open', interrupted: 'interrupted', done: 'done' } as const;

function askState({ ask, answer }: Item): RowState {
  const { decision, resolved, settled, decided, first, gone, cancel } = ask!;
  const outcome = decision ?? resolved?.decision ?? null;
  if (outcome === 'deny') return 'denied';
  if (outcome === 'cancelled' || settled?.how === 'withdrawn') return 'cancelled';
  const isOpen = outcome === null && settled === null && decided === null && first === null;
  if (isOpen) return gone === null && cancel === null ? 'open' : 'interrupted';
  return answer?.ok === false ? 'error' : 'done';
}

function turnState({ status, code, cancelled_f }: Turn): RowState {
  if (status === null) return 'open';
  if (code !== null || /error|fail/.test(status)) return 'error';
  if (cancelled_f !== null || status === 'cancelled') return 'cancelled';
  return status === 'unanswered' ? 'interrupted' : 'done';
}

function callState({ call }: Item): RowState {
  const { result, state, asks, withdrawn } = call!;
  if (result) {
    if (result.ok) return 'done';
    const isRefused = asks.some(
      ({ kind, decision, resolved, f }) =>
        kind === 'approval' &&
        f < result.f &&
        (decision ?? resolved?.decision) != null &&
        !isAllowed(resolved?.decision ?? decision),
    );
    if (isRefused) return 'denied';
    return isStopped(call!) ? 'interrupted' : 'error';
  }
  if (withdrawn) return 'cancelled';
  return state === 'running' ? 'open' : 'interrupted';
}

/** Those that the entry itself has. Findings are added where their frames are. */
export function marksOf(entry: Entry): number {
  if (entry.is !== 'item') return 0;
  const { flags } = entry;
  const again = flags.includes('replayed') || flags.includes('resent') ? ROW_MARK.again : 0;
  return again | (flags.includes('background') ? ROW_MARK.background : 0);
}
