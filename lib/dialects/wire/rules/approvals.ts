/** Approvals are requested, answered and resolved once. */
import type { Ask } from '../../../model/ledger/records.ts';
import { toJson } from '../../../model/message.ts';
import type { ReadFrame } from '../../../model/read-frame.ts';
import { objectOf } from '../../common/fields.ts';
import { type Broken, error, NOTHING, warning } from '../../rules/rule.ts';
import { decisionOf } from '../words.ts';
import { CROSSING_SECONDS, judged, missed, openOf } from './answers.ts';
import { Questions } from './questions.ts';
import { type Answered, BYPASS, Scene, type Turn, type WireRule } from './scene.ts';

export const R14: WireRule = {
  ...error.client.needsClient(
    'the client answers an approval once, with its request_id and one of three words, and the agent resolves it once',
    'kimi-cli wire-mode.md, ApprovalRequest; wire/server.py',
  ),
  open(session) {
    const scene = session.share(Scene);
    const questions = session.share(Questions);
    const owed = new Set<Ask>();
    /** Their turn is over. The resolution may still be under way: it does not wait for the answer to the prompt. */
    const late = new Set<Ask>();
    return {
      take(read) {
        const { answer, resolved, asked } = questions;
        const { answered } = scene;
        if (asked?.kind === 'approval' && !scene.isLegacy) owed.add(asked);
        if (answered) move(owed, late, answered);
        if (answer?.ask?.kind === 'approval') return judged(read, questions, 'a reject');
        if (resolved) return resolution(read, questions, scene);
        return answered ? unresolved(late, ({ turn }) => turn !== answered.turn?.record) : NOTHING;
      },
      end: (ledger) => [
        ...missed(questions, openOf(ledger, 'approval'), ledger),
        ...unresolved(late, ({ settled }) => ledger.t - (settled?.t ?? 0) > CROSSING_SECONDS).map(
          (one): Broken => ({ ...one, timed: true }),
        ),
      ],
    };
  },
};

/** The agent reports the outcome: once, and not as approved if the client rejected it. */
function resolution({ frame, message }: ReadFrame, questions: Questions, scene: Scene): readonly Broken[] {
  const { f } = frame;
  const { ask, isFirst } = questions.resolved!;
  const told = (text: string, frames: number[]): Broken => ({ f, frames, fault: 'agent', message: text });
  if (!ask) return [told('ApprovalResponse for a request that the agent never sent', [])];
  if (!isFirst) return [told('a second ApprovalResponse for the same request', [ask.f, ask.resolved!.f])];
  const { response } = objectOf(objectOf(message.body).payload);
  const first = questions.firstTo(ask);
  if (!first) {
    const isGone = decisionOf(response) === 'deny' && isOpen(ask, scene);
    const text = 'the approval was not answered in time, and counts as a reject';
    return isGone ? [{ f: ask.f, frames: [f], severity: 'warning', message: text }] : NOTHING;
  }
  const { fault, isError, isRetried, result } = first;
  // Agents before 0.79 wait for a better answer.
  const isNo = !isRetried && (fault !== null || isError || decisionOf(result.response) === 'deny');
  // The id of the envelope counts, so a wrong request_id is no fault.
  if (!isNo || decisionOf(response) === 'deny' || decisionOf(response) === null) return NOTHING;
  return [told('the agent treats the answer as an approval, but it was none', [ask.f, first.f])];
}

/** Its turn goes on, and was not cancelled. */
function isOpen(ask: Ask, { turn }: Scene): boolean {
  return turn !== null && ask.turn === turn.record && turn.record.cancelled_f === null && turn.turnEnds === 0;
}

/** Those that were answered in a turn that is finished. A cancelled one may be forgotten. */
function move(owed: Set<Ask>, late: Set<Ask>, { turn, status }: Answered): void {
  for (const ask of owed) {
    if ((turn === null || ask.turn !== turn.record) && !ask.resolved) continue;
    owed.delete(ask);
    if (!ask.resolved && ask.first && status === 'finished') late.add(ask);
  }
}

/** Decisions that the agent never resolved, of those that are to be judged now. */
function unresolved(late: Set<Ask>, isDue: (ask: Ask) => boolean): readonly Broken[] {
  const found: Broken[] = [];
  for (const ask of late) {
    if (!ask.resolved && !isDue(ask)) continue;
    late.delete(ask);
    if (ask.resolved) continue;
    const text = 'the approval was answered, but the turn ended without its ApprovalResponse';
    found.push({ f: ask.f, frames: [ask.first!.f], fault: 'agent', message: text });
  }
  return found;
}

export const R15: WireRule = {
  ...error.agent.needsClient(
    'the agent does not ask again for what was approved for the session, and asks for nothing with --yolo',
    'kimi-cli wire-mode.md, ApprovalRequest; soul/approval.py',
  ),
  open(session) {
    const questions = session.share(Questions);
    const bypass = session.command.find((word) => BYPASS.has(word));
    /** The frame of each grant, by the action. */
    const granted = new Map<string, number>();
    return ({ frame }) => {
      const { asked, answer } = questions;
      if (answer?.role === 'first' && answer.ask?.kind === 'approval' && answer.fault === null) {
        const { action, settled } = answer.ask;
        if (action !== null && !settled && answer.result.response === 'approve_for_session')
          granted.set(action, frame.f);
      }
      if (asked?.kind !== 'approval') return NOTHING;
      if (bypass !== undefined)
        return [{ f: frame.f, message: `the agent asks for an approval, although it was started with ${bypass}` }];
      const { action } = asked;
      const grant = action === null ? undefined : granted.get(action);
      if (grant === undefined) return NOTHING;
      const message = `the agent asks again for ${toJson(action)}, which was approved for the session`;
      return [{ f: frame.f, frames: [grant], message }];
    };
  },
};

export const R35: WireRule = {
  dialects: ['wire-legacy'],
  ...warning.agent.needsClient(
    'agents up to 0.58 read nothing while a run is open: answers to approvals and `interrupt` come too late',
    'kimi-cli 0.58 ui/wire/__init__.py',
  ),
  open(session) {
    const scene = session.share(Scene);
    const questions = session.share(Questions);
    let stuck: { ask: Ask; turn: Turn } | null = null;
    return {
      take({ frame, message }) {
        const { asked } = questions;
        if (asked?.kind === 'approval' && scene.turn) stuck ??= { ask: asked, turn: scene.turn };
        if (stuck && scene.answered?.turn === stuck.turn) stuck = null;
        if (frame.from !== 'client' || message.method !== 'interrupt' || !scene.turn) return NOTHING;
        const text = 'interrupt while a run is open: this agent reads it only when the run is over';
        return [{ f: frame.f, frames: [scene.turn.record.f], message: text }];
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
