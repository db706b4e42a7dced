/** How a turn begins and ends. */
import type { Ask } from '../../../model/ledger/records.ts';
import { type Broken, error, NOTHING, warning } from '../../rules/rule.ts';
import { type Answer, Questions } from './questions.ts';
import { Scene, type WireRule } from './scene.ts';

/** Events that an agent sends only within its turns. */
const INSIDE = new Set([
  ...['TurnBegin', 'TurnEnd', 'StepBegin', 'StepInterrupted', 'StepRetry', 'CompactionBegin', 'CompactionEnd'],
  ...['ContentPart', 'ToolCall', 'ToolCallPart', 'ToolResult', 'PlanDisplay', 'SteerInput'],
]);

export const R11: WireRule = {
  ...error.agent.needsClient(
    'content, steps and tools come between TurnBegin and TurnEnd, and these between a prompt and its answer',
    'kimi-cli wire-mode.md, TurnBegin and TurnEnd; wire/types.py',
  ),
  open(session) {
    const scene = session.share(Scene);
    /** Each series of such events is reported once. */
    let isTold = false;
    return ({ frame }) => {
      const { said, turn, answered } = scene;
      if (answered) isTold = false;
      if (answered?.status === 'finished' && !answered.turn && !scene.isLegacy)
        return [
          { f: frame.f, frames: [answered.f], message: 'the prompt was answered as finished, but no turn had begun' },
        ];
      if (!said || said.isReplayed || said.isRequest || !INSIDE.has(said.type)) return NOTHING;
      const isOpen = turn !== null && (scene.isLegacy || turn.depth > 0 || said.type === 'TurnEnd');
      if (isOpen) {
        isTold = false;
        return NOTHING;
      }
      if (isTold) return NOTHING;
      isTold = true;
      const frames = turn ? [turn.record.f] : [];
      const message = `${said.type} ${turn ? 'after the end of its turn' : 'outside any turn'}`;
      return [{ f: frame.f, frames, message }];
    };
  },
};

/** TurnEnd came with 1.6; since 1.30 it comes however a turn ends. */
const TURN_END = 106;
const TURN_END_ALWAYS = 131;

export const R12: WireRule = {
  dialects: ['wire'],
  ...error.agent.needsClient(
    'every turn that begins ends with TurnEnd: since 1.6 if it finishes, since 1.30 always',
    'kimi-cli wire-mode.md, TurnEnd',
  ),
  open(session) {
    const scene = session.share(Scene);
    let isAlways = false;
    return ({ frame }) => {
      const { answered } = scene;
      if (!answered?.turn) return NOTHING;
      const { turnEnds, takenF } = answered.turn;
      const isFinished = answered.status === 'finished';
      if (turnEnds > 0) {
        isAlways ||= !isFinished;
        return NOTHING;
      }
      const isDue = scene.release >= (isFinished ? TURN_END : TURN_END_ALWAYS) || (isAlways && !isFinished);
      if (!isDue) return NOTHING;
      return [{ f: frame.f, frames: [takenF], message: 'the prompt was answered, but its turn has no TurnEnd' }];
    };
  },
};

export const R13: WireRule = {
  dialects: ['wire'],
  ...error.agent('turns nest: each TurnEnd closes a TurnBegin', 'kimi-cli soul/kimisoul.py _flow_turn'),
  open(session) {
    const scene = session.share(Scene);
    const depths = new Map<string, number>();
    return ({ frame }) => {
      const { said } = scene;
      if (scene.answered?.turn) depths.delete('');
      if (!said || said.isReplayed || (said.type !== 'TurnBegin' && said.type !== 'TurnEnd')) return NOTHING;
      const depth = (depths.get(said.speaker) ?? 0) + (said.type === 'TurnBegin' ? 1 : -1);
      depths.set(said.speaker, Math.max(depth, 0));
      return depth < 0 ? [{ f: frame.f, message: 'TurnEnd without TurnBegin' }] : NOTHING;
    };
  },
};

export const R16: WireRule = {
  dialects: ['wire'],
  ...warning.agent.needsClient(
    'a reject without feedback ends the turn of the main agent',
    'kimi-cli soul/kimisoul.py',
  ),
  open(session) {
    const scene = session.share(Scene);
    const questions = session.share(Questions);
    let rejected: { f: number; ask: Ask } | null = null;
    return ({ frame }) => {
      const { answer } = questions;
      const { said, turn } = scene;
      if (answer?.role === 'first' && isRejected(answer) && turn && answer.ask!.turn === turn.record)
        rejected = { f: frame.f, ask: answer.ask! };
      if (!rejected || said?.type !== 'StepBegin' || said.isReplayed || said.speaker !== '') return NOTHING;
      const { f, ask } = rejected;
      rejected = null;
      // Numbers start again where a hook, a flow or a skill begins another round.
      if (turn?.record !== ask.turn || turn?.steerF !== null || said.payload.n === 1) return NOTHING;
      // A request of a subagent may come before its call is announced.
      if (!ask.call?.announced || ask.call.subagent !== null) return NOTHING;
      return [{ f: frame.f, frames: [f], message: 'the turn went on after a reject without feedback' }];
    };
  },
};

function isRejected({ ask, result, fault, isError }: Answer): boolean {
  if (ask?.kind !== 'approval' || ask.subagent !== null || isError) return false;
  return fault === null && result.response === 'reject' && !result.feedback;
}

export const R25: WireRule = {
  ...error.agent(
    'StepInterrupted means a fatal error, so its turn does not end as finished',
    'kimi-cli soul/kimisoul.py',
  ),
  open(session) {
    const scene = session.share(Scene);
    let interrupted: number | null = null;
    return ({ frame }) => {
      const { said, answered } = scene;
      if (said && !said.isReplayed && said.speaker === '') {
        if (said.type === 'StepInterrupted') interrupted = frame.f;
        // A Stop hook, a flow or the next turn.
        if (said.type === 'StepBegin') interrupted = null;
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

export const R32: WireRule = {
  ...error.agent('max_steps_reached reports how many steps there were', 'kimi-cli wire-mode.md, prompt'),
  open(session) {
    const scene = session.share(Scene);
    return ({ frame, message }) => {
      const { answered } = scene;
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

export const R33: WireRule = {
  dialects: ['wire'],
  ...warning.agent(
    'the agent reports an error of the model within a step by StepInterrupted, and then by the answer',
    'kimi-cli soul/kimisoul.py',
  ),
  open(session) {
    const scene = session.share(Scene);
    let isStep = false;
    return ({ frame }): readonly Broken[] => {
      const { said, answered } = scene;
      if (said && !said.isReplayed && said.speaker === '') {
        if (said.type === 'StepBegin') isStep = true;
        if (said.type === 'StepInterrupted' || said.type === 'TurnBegin') isStep = false;
      }
      if (!answered) return NOTHING;
      const wasStep = isStep;
      isStep = false;
      if (!wasStep || answered.code !== PROVIDER_ERROR) return NOTHING;
      return [
        { f: frame.f, frames: [answered.f], message: 'the model failed in a step, but no StepInterrupted said so' },
      ];
    };
  },
};
