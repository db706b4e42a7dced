/** What the rules about approvals, questions, tools and hooks have in common: how a client answers. */
import type { Ledger } from '../../../model/ledger/ledger.ts';
import type { Ask, AskKind } from '../../../model/ledger/records.ts';
import type { ReadFrame } from '../../../model/read-frame.ts';
import { stringOf } from '../../common/fields.ts';
import { NOTHING, quoted, type Violation } from '../../rules/rule.ts';
import { exitOf, wasStopped } from '../../rules/session-end.ts';
import type { AskTracker } from './ask-tracker.ts';

/** Messages may cross: each may be under way for so many seconds. */
export const CROSSING_SECONDS = 1;

/** What is wrong with the current answer. `taken`: what an invalid answer counts as. */
export function judgeAnswer({ frame }: ReadFrame, tracker: AskTracker, taken: string): readonly Violation[] {
  const { f, t } = frame;
  const { ask, role, fault, isError, result } = tracker.answer!;
  const { f: askedF, settled, request } = ask!;
  const type = tracker.typeOf(ask!);
  const warning = (message: string, ...frames: number[]): readonly Violation[] => {
    return [{ f, frames: [askedF, ...frames], severity: 'warning', message }];
  };
  const first = tracker.firstTo(ask!)?.f ?? f;
  if (role === 'again') return warning(`${type} was answered again`, first);
  if (settled) {
    if (t - settled.t < CROSSING_SECONDS) return NOTHING;
    const late = warning(`${type} was answered after it was already settled`, settled.f);
    return late.map((one) => ({ ...one, timed: true }));
  }
  if (fault !== null) return [{ f, frames: [askedF], message: `${type}: ${fault}, so the answer counts as ${taken}` }];
  if (isError) return warning(`${type} was answered with an error, which counts as ${taken}`);
  const named = stringOf(result.request_id) ?? stringOf(result.tool_call_id);
  return named === null || named === request
    ? NOTHING
    : warning(`${type} was answered with the id ${quoted(named)} instead of ${quoted(request)}`);
}

/** The requests of that kind that are not settled. */
export function openAsks({ asks }: Ledger, kind: AskKind): Ask[] {
  return [...asks.open].filter((ask) => ask.kind === kind);
}

/**
 * At the end of the session: which of these the client never answered. It cannot answer after it has closed stdin; where
 * part is not recorded, the answer may be missing from the tape; an agent that ends by itself did not wait for it.
 */
export function findUnanswered(tracker: AskTracker, asks: readonly Ask[], { process }: Ledger): readonly Violation[] {
  const { hasHoles: isTorn, clientEof } = process;
  const exit = exitOf(process);
  const leftByAgent = exit !== null && exit.signal === null && !wasStopped(process);
  if (isTorn || leftByAgent) return NOTHING;
  const eof = clientEof?.f ?? null;
  const isMissed = (ask: Ask) => !ask.first && !ask.cancel && ask.f < (eof ?? Infinity);
  return asks.filter(isMissed).map((ask) => ({
    f: ask.f,
    frames: eof === null ? [] : [eof],
    severity: 'warning',
    message: `${tracker.typeOf(ask)} was never answered`,
  }));
}
