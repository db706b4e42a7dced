/** Approvals are requested, answered and resolved once. */
import type { Ask } from '../../../model/ledger/records.ts';
import { toJson } from '../../../model/message.ts';
import type { ReadFrame } from '../../../model/read-frame.ts';
import { objectOf } from '../../common/fields.ts';
import { error, NOTHING, type Violation, warning } from '../../rules/rule.ts';
import { decisionOf } from '../decisions.ts';
import { CROSSING_SECONDS, findUnanswered, judgeAnswer, openAsks } from './answers.ts';
import { AskTracker } from './ask-tracker.ts';
import { type AnsweredPrompt, BYPASS, type WireRule, WireSessionState, type WireTurnState } from './session-state.ts';

export const approvalAnswerRule: WireRule = {
  ...error.client.needsClient(
    'the client answers an approval once, with its request_id and one of three words, and the agent resolves it once',
    'kimi-cli wire-mode.md, ApprovalRequest; wire/server.py',
  ),
  open(session) {
    const state = session.share(WireSessionState);
    const tracker = session.share(AskTracker);
    const pending = new Set<Ask>();
    /** Their turn is over. The resolution may still be under way: it does not wait for the answer to the prompt. */
    const late = new Set<Ask>();
    return {
      take(read) {
        const { answer, resolved, newAsk } = tracker;
        const { answered } = state;
        if (newAsk?.kind === 'approval' && !state.isLegacy) pending.add(newAsk);
        if (answered) moveAnswered(pending, late, answered);
        if (answer?.ask?.kind === 'approval') return judgeAnswer(read, tracker, 'a reject');
        if (resolved) return checkResolution(read, tracker, state);
        return answered ? findUnresolved(late, ({ turn }) => turn !== answered.turn?.record) : NOTHING;
      },
      end: (ledger) => [
        ...findUnanswered(tracker, openAsks(ledger, 'approval'), ledger),
        ...findUnresolved(late, ({ settled }) => ledger.t - (settled?.t ?? 0) > CROSSING_SECONDS).map(
          (one): Violation => ({ ...one, timed: true }),
        ),
      ],
    };
  },
};

/** The agent reports the outcome: once, and not as approved if the client rejected it. */
function checkResolution(
  { frame, message }: ReadFrame,
  tracker: AskTracker,
  state: WireSessionState,
): readonly Violation[] {
  const { f } = frame;
  const { ask, isFirst } = tracker.resolved!;
  const makeViolation = (text: string, frames: number[]): Violation => ({ f, frames, fault: 'agent', message: text });
  if (!ask) return [makeViolation('ApprovalResponse for a request that the agent never sent', [])];
  if (!isFirst) return [makeViolation('a second ApprovalResponse for the same request', [ask.f, ask.resolved!.f])];
  const { response } = objectOf(objectOf(message.body).payload);
  const first = tracker.firstTo(ask);
  if (!first) {
    const isGone = decisionOf(response) === 'deny' && isOpen(ask, state);
    const text = 'the approval was not answered in time, and counts as a reject';
    return isGone ? [{ f: ask.f, frames: [f], severity: 'warning', message: text }] : NOTHING;
  }
  const { fault, isError, isRetried, result } = first;
  // Agents before 0.79 wait for a better answer.
  const isNo = !isRetried && (fault !== null || isError || decisionOf(result.response) === 'deny');
  // The id of the envelope counts, so a wrong request_id is no fault.
  if (!isNo || decisionOf(response) === 'deny' || decisionOf(response) === null) return NOTHING;
  return [makeViolation('the agent treats the answer as an approval, but it was none', [ask.f, first.f])];
}

/** Its turn goes on, and was not cancelled. */
function isOpen(ask: Ask, { turn }: WireSessionState): boolean {
  return turn !== null && ask.turn === turn.record && turn.record.cancelled_f === null && turn.turnEnds === 0;
}

/** Those that were answered in a turn that is finished. A cancelled one may be forgotten. */
function moveAnswered(pending: Set<Ask>, late: Set<Ask>, { turn, status }: AnsweredPrompt): void {
  for (const ask of pending) {
    if ((turn === null || ask.turn !== turn.record) && !ask.resolved) continue;
    pending.delete(ask);
    if (!ask.resolved && ask.first && status === 'finished') late.add(ask);
  }
}

/** Decisions that the agent never resolved, of those that are to be judged now. */
function findUnresolved(late: Set<Ask>, isDue: (ask: Ask) => boolean): readonly Violation[] {
  const found: Violation[] = [];
  for (const ask of late) {
    if (!ask.resolved && !isDue(ask)) continue;
    late.delete(ask);
    if (ask.resolved) continue;
    const text = 'the approval was answered, but the turn ended without its ApprovalResponse';
    found.push({ f: ask.f, frames: [ask.first!.f], fault: 'agent', message: text });
  }
  return found;
}

export const approvalAgainRule: WireRule = {
  ...error.agent.needsClient(
    'the agent does not ask again for what was approved for the session, and asks for nothing with --yolo',
    'kimi-cli wire-mode.md, ApprovalRequest; soul/approval.py',
  ),
  open(session) {
    const tracker = session.share(AskTracker);
    const bypass = session.command.find((word) => BYPASS.has(word));
    /** The frame of each grant, by the action. */
    const granted = new Map<string, number>();
    return ({ frame }) => {
      const { newAsk, answer } = tracker;
      if (answer?.role === 'first' && answer.ask?.kind === 'approval' && answer.fault === null) {
        const { action, settled } = answer.ask;
        if (action !== null && !settled && answer.result.response === 'approve_for_session')
          granted.set(action, frame.f);
      }
      if (newAsk?.kind !== 'approval') return NOTHING;
      if (bypass !== undefined)
        return [{ f: frame.f, message: `the agent asks for an approval, although it was started with ${bypass}` }];
      const { action } = newAsk;
      const grant = action === null ? undefined : granted.get(action);
      if (grant === undefined) return NOTHING;
      const message = `the agent asks again for ${toJson(action)}, which was approved for the session`;
      return [{ f: frame.f, frames: [grant], message }];
    };
  },
};

export const deafRule: WireRule = {
  dialects: ['wire-legacy'],
  ...warning.agent.needsClient(
    'agents up to 0.58 read nothing while a run is open: answers to approvals and `interrupt` come too late',
    'kimi-cli 0.58 ui/wire/__init__.py',
  ),
  open(session) {
    const state = session.share(WireSessionState);
    const tracker = session.share(AskTracker);
    let stuck: { ask: Ask; turn: WireTurnState } | null = null;
    return {
      take({ frame, message }) {
        const { newAsk } = tracker;
        if (newAsk?.kind === 'approval' && state.turn) stuck ??= { ask: newAsk, turn: state.turn };
        if (stuck && state.answered?.turn === stuck.turn) stuck = null;
        if (frame.from !== 'client' || message.method !== 'interrupt' || !state.turn) return NOTHING;
        const text = 'interrupt while a run is open: this agent reads it only when the run is over';
        return [{ f: frame.f, frames: [state.turn.record.f], message: text }];
      },
      end() {
        if (!stuck) return NOTHING;
        const { f, first } = stuck.ask;
        const frames = first ? [first.f] : [];
        return [{ f, frames, message: 'the run stops at an approval: this agent cannot read the answer' }];
      },
    };
  },
};
