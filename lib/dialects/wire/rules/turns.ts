/** How a turn begins and ends. */
import type { Ask } from '../../../model/ledger/records.ts';
import { error, NOTHING, type Violation, warning } from '../../rules/rule.ts';
import { AskTracker, type JudgedAnswer } from './ask-tracker.ts';
import { type WireRule, WireSessionState } from './session-state.ts';

/** Events that an agent sends only within its turns. */
const TURN_EVENTS = new Set([
  ...['TurnBegin', 'TurnEnd', 'StepBegin', 'StepInterrupted', 'StepRetry', 'CompactionBegin', 'CompactionEnd'],
  ...['ContentPart', 'ToolCall', 'ToolCallPart', 'ToolResult', 'PlanDisplay', 'SteerInput'],
]);

export const outsideTurnRule: WireRule = {
  ...error.agent.needsClient(
    'content, steps and tools come between TurnBegin and TurnEnd, and these between a prompt and its answer',
    'kimi-cli wire-mode.md, TurnBegin and TurnEnd; wire/types.py',
  ),
  open(session) {
    const state = session.share(WireSessionState);
    /** Each series of such events is reported once. */
    let isReported = false;
    return ({ frame }) => {
      const { agentMessage, turn, answered } = state;
      if (answered) isReported = false;
      if (answered?.status === 'finished' && !answered.turn && !state.isLegacy)
        return [
          { f: frame.f, frames: [answered.f], message: 'the prompt was answered as finished, but no turn had begun' },
        ];
      if (!agentMessage || agentMessage.isReplayed || agentMessage.isRequest || !TURN_EVENTS.has(agentMessage.type))
        return NOTHING;
      const isOpen = turn !== null && (state.isLegacy || turn.depth > 0 || agentMessage.type === 'TurnEnd');
      if (isOpen) {
        isReported = false;
        return NOTHING;
      }
      if (isReported) return NOTHING;
      isReported = true;
      const frames = turn ? [turn.record.f] : [];
      const message = `${agentMessage.type} ${turn ? 'after the end of its turn' : 'outside any turn'}`;
      return [{ f: frame.f, frames, message }];
    };
  },
};

/** TurnEnd came with 1.6; since 1.30 it comes however a turn ends. */
const TURN_END_RELEASE = 106;
const ALWAYS_TURN_END_RELEASE = 131;

export const turnEndRule: WireRule = {
  dialects: ['wire'],
  ...error.agent.needsClient(
    'every turn that begins ends with TurnEnd: since 1.6 if it finishes, since 1.30 always',
    'kimi-cli wire-mode.md, TurnEnd',
  ),
  open(session) {
    const state = session.share(WireSessionState);
    let isAlways = false;
    return ({ frame }) => {
      const { answered } = state;
      if (!answered?.turn) return NOTHING;
      const { turnEnds, takenF } = answered.turn;
      const isFinished = answered.status === 'finished';
      if (turnEnds > 0) {
        isAlways ||= !isFinished;
        return NOTHING;
      }
      const isDue =
        state.release >= (isFinished ? TURN_END_RELEASE : ALWAYS_TURN_END_RELEASE) || (isAlways && !isFinished);
      if (!isDue) return NOTHING;
      return [{ f: frame.f, frames: [takenF], message: 'the prompt was answered, but its turn has no TurnEnd' }];
    };
  },
};

export const turnNestingRule: WireRule = {
  dialects: ['wire'],
  ...error.agent('turns nest: each TurnEnd closes a TurnBegin', 'kimi-cli soul/kimisoul.py _flow_turn'),
  open(session) {
    const state = session.share(WireSessionState);
    const depths = new Map<string, number>();
    return ({ frame }) => {
      const { agentMessage } = state;
      if (state.answered?.turn) depths.delete('');
      if (
        !agentMessage ||
        agentMessage.isReplayed ||
        (agentMessage.type !== 'TurnBegin' && agentMessage.type !== 'TurnEnd')
      )
        return NOTHING;
      const depth = (depths.get(agentMessage.speaker) ?? 0) + (agentMessage.type === 'TurnBegin' ? 1 : -1);
      depths.set(agentMessage.speaker, Math.max(depth, 0));
      return depth < 0 ? [{ f: frame.f, message: 'TurnEnd without TurnBegin' }] : NOTHING;
    };
  },
};

export const rejectRule: WireRule = {
  dialects: ['wire'],
  ...warning.agent.needsClient(
    'a reject without feedback ends the turn of the main agent',
    'kimi-cli soul/kimisoul.py',
  ),
  open(session) {
    const state = session.share(WireSessionState);
    const tracker = session.share(AskTracker);
    let rejected: { f: number; ask: Ask } | null = null;
    return ({ frame }) => {
      const { answer } = tracker;
      const { agentMessage, turn } = state;
      if (answer?.role === 'first' && isRejected(answer) && turn && answer.ask!.turn === turn.record)
        rejected = { f: frame.f, ask: answer.ask! };
      if (!rejected || agentMessage?.type !== 'StepBegin' || agentMessage.isReplayed || agentMessage.speaker !== '')
        return NOTHING;
      const { f, ask } = rejected;
      rejected = null;
      // Numbers start again where a hook, a flow or a skill begins another round.
      if (turn?.record !== ask.turn || turn?.steerF !== null || agentMessage.payload.n === 1) return NOTHING;
      // A request of a subagent may come before its call is announced.
      if (!ask.call?.announced || ask.call.subagent !== null) return NOTHING;
      return [{ f: frame.f, frames: [f], message: 'the turn went on after a reject without feedback' }];
    };
  },
};

function isRejected({ ask, result, fault, isError }: JudgedAnswer): boolean {
  if (ask?.kind !== 'approval' || ask.subagent !== null || isError) return false;
  return fault === null && result.response === 'reject' && !result.feedback;
}

export const stepInterruptedRule: WireRule = {
  ...error.agent(
    'StepInterrupted means a fatal error, so its turn does not end as finished',
    'kimi-cli soul/kimisoul.py',
  ),
  open(session) {
    const state = session.share(WireSessionState);
    let interrupted: number | null = null;
    return ({ frame }) => {
      const { agentMessage, answered } = state;
      if (agentMessage && !agentMessage.isReplayed && agentMessage.speaker === '') {
        if (agentMessage.type === 'StepInterrupted') interrupted = frame.f;
        // A Stop hook, a flow or the next turn.
        if (agentMessage.type === 'StepBegin') interrupted = null;
      }
      if (!answered) return NOTHING;
      const f = interrupted;
      interrupted = null;
      if (f === null || answered.status !== 'finished') return NOTHING;
      return [
        { f: frame.f, frames: [f], message: 'the prompt was answered as finished, although its step was interrupted' },
      ];
    };
  },
};

export const maxStepsRule: WireRule = {
  ...error.agent('max_steps_reached reports how many steps there were', 'kimi-cli wire-mode.md, prompt'),
  open(session) {
    const state = session.share(WireSessionState);
    return ({ frame, message }) => {
      const { answered } = state;
      if (answered?.status !== 'max_steps_reached') return NOTHING;
      const { steps } = message.body as { steps?: unknown };
      const seen = answered.turn?.steps ?? 0;
      if (typeof steps !== 'number' || steps === seen) return NOTHING;
      const text = `the agent reports ${steps} steps, but there were ${seen}`;
      return [{ f: frame.f, frames: [answered.f], message: text }];
    };
  },
};

const PROVIDER_ERROR = -32003;

export const modelErrorRule: WireRule = {
  dialects: ['wire'],
  ...warning.agent(
    'when the model fails within a step, the agent sends StepInterrupted before the answer',
    'kimi-cli soul/kimisoul.py',
  ),
  open(session) {
    const state = session.share(WireSessionState);
    let isStep = false;
    return ({ frame }): readonly Violation[] => {
      const { agentMessage, answered } = state;
      if (agentMessage && !agentMessage.isReplayed && agentMessage.speaker === '') {
        if (agentMessage.type === 'StepBegin') isStep = true;
        if (agentMessage.type === 'StepInterrupted' || agentMessage.type === 'TurnBegin') isStep = false;
      }
      if (!answered) return NOTHING;
      const wasStep = isStep;
      isStep = false;
      if (!wasStep || answered.code !== PROVIDER_ERROR) return NOTHING;
      return [
        {
          f: frame.f,
          frames: [answered.f],
          message: 'the model failed in a step, but the agent did not send StepInterrupted',
        },
      ];
    };
  },
};
