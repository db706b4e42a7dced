/** R21, R22, R26, R28: what stands in a step, and in which order. */
import type { Json } from '../../dialects/dialect.ts';
import { type Broken, error, type Rule } from '../rule.ts';
import { BOTH, Scene } from './scene.ts';

export const R21: Rule = {
  ...{ id: 'R21', dialects: BOTH },
  ...error.agent(
    'steps count from 1 by 1, and may begin anew; a StepRetry is of the current one',
    'kimi-cli soul/kimisoul.py; wire/types.py StepRetry',
  ),
  open(session) {
    const scene = session.share(Scene);
    const counts = new Map<string, number>();
    return ({ frame: { f } }): Broken[] => {
      const { said } = scene;
      if (!said || said.isReplayed) return [];
      const { type, speaker, payload } = said;
      const current = counts.get(speaker) ?? 0;
      if (type === 'TurnBegin') counts.delete(speaker);
      const { n } = payload;
      if (typeof n !== 'number' || (type !== 'StepBegin' && type !== 'StepRetry')) return [];
      if (type === 'StepBegin') counts.set(speaker, n);
      const wrong = type === 'StepBegin' ? outOfOrder(n, current) : oddRetry(payload, n, current);
      return wrong === null ? [] : [{ f, message: wrong }];
    };
  },
};

function outOfOrder(n: number, current: number): string | null {
  if (n === current + 1 || n === 1) return null;
  return current ? `step ${n} after step ${current}` : `the first step of a turn is ${n}`;
}

function oddRetry({ next_attempt: next, max_attempts: most }: Json, n: number, current: number): string | null {
  if (n !== current) return `StepRetry of step ${n} in step ${current}`;
  return typeof next === 'number' && typeof most === 'number' && next > most
    ? `attempt ${next} of at most ${most}`
    : null;
}

export const R22: Rule = {
  ...{ id: 'R22', dialects: BOTH },
  ...error.agent('tools are called in a step, not before the first', 'kimi-cli wire/types.py; soul/kimisoul.py'),
  open(session) {
    const scene = session.share(Scene);
    const inStep = new Set<string>();
    return ({ frame: { f } }) => {
      const { said } = scene;
      if (!said || said.isReplayed) return [];
      if (said.type === 'StepBegin') inStep.add(said.speaker);
      if (said.type === 'TurnBegin') inStep.delete(said.speaker);
      if (said.type !== 'ToolCall' || said.isRequest || inStep.has(said.speaker)) return [];
      return [{ f, message: 'a tool is called before the first step' }];
    };
  },
};

export const R26: Rule = {
  ...{ id: 'R26', dialects: BOTH },
  ...error.agent('CompactionEnd follows its CompactionBegin', 'kimi-cli wire/types.py CompactionBegin'),
  open: bracket('CompactionBegin', 'CompactionEnd'),
};

export const R28: Rule = {
  ...{ id: 'R28', dialects: ['wire'] },
  ...error.agent('MCPLoadingEnd follows its MCPLoadingBegin', 'kimi-cli wire/types.py MCPLoadingBegin'),
  open: bracket('MCPLoadingBegin', 'MCPLoadingEnd'),
};

/** Begin without end is what failure looks like; an end without its beginning is not. */
function bracket(begin: string, end: string): Rule['open'] {
  return (session) => {
    const scene = session.share(Scene);
    const open = new Set<string>();
    return ({ frame: { f } }) => {
      const { said } = scene;
      if (!said || said.isReplayed) return [];
      if (said.type === begin) open.add(said.speaker);
      return said.type !== end || open.delete(said.speaker) ? [] : [{ f, message: `${end} without ${begin}` }];
    };
  };
}
