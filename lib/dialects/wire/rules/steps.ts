/** Steps, their order, and what belongs in them. */
import type { JsonObject } from '../../dialect.ts';
import { error, type RuleDefinition } from '../../rules/rule.ts';
import { checkAgentMessages, type WireRule } from './session-state.ts';

export const stepOrderRule: WireRule = {
  ...error.agent(
    'steps are numbered 1, 2, 3 and so on, and may start over; a StepRetry names the current step',
    'kimi-cli soul/kimisoul.py; wire/types.py StepRetry',
  ),
  open: checkAgentMessages(() => {
    const counts = new Map<string, number>();
    return ({ type, speaker, payload }) => {
      const current = counts.get(speaker) ?? 0;
      if (type === 'TurnBegin') counts.delete(speaker);
      const { n } = payload;
      if (typeof n !== 'number' || (type !== 'StepBegin' && type !== 'StepRetry')) return null;
      if (type === 'StepBegin') counts.set(speaker, n);
      return type === 'StepBegin' ? describeOrder(n, current) : describeRetry(payload, n, current);
    };
  }),
};

function describeOrder(n: number, current: number): string | null {
  if (n === current + 1 || n === 1) return null;
  return current ? `step ${n} after step ${current}` : `the first step of a turn is ${n}`;
}

function describeRetry(
  { next_attempt: next, max_attempts: limit }: JsonObject,
  n: number,
  current: number,
): string | null {
  if (n !== current) return `StepRetry of step ${n} in step ${current}`;
  return typeof next === 'number' && typeof limit === 'number' && next > limit
    ? `attempt ${next} of at most ${limit}`
    : null;
}

export const callInStepRule: WireRule = {
  ...error.agent(
    'tools are called within a step, not before the first one',
    'kimi-cli wire/types.py; soul/kimisoul.py',
  ),
  open: checkAgentMessages(() => {
    const inStep = new Set<string>();
    return ({ type, speaker, isRequest }) => {
      if (type === 'StepBegin') inStep.add(speaker);
      if (type === 'TurnBegin') inStep.delete(speaker);
      const isStray = type === 'ToolCall' && !isRequest && !inStep.has(speaker);
      return isStray ? 'a tool is called before the first step' : null;
    };
  }),
};

export const compactionRule: WireRule = {
  ...error.agent('CompactionEnd follows its CompactionBegin', 'kimi-cli wire/types.py CompactionBegin'),
  open: checkBracket('CompactionBegin', 'CompactionEnd'),
};

export const mcpLoadingRule: WireRule = {
  dialects: ['wire'],
  ...error.agent('MCPLoadingEnd follows its MCPLoadingBegin', 'kimi-cli wire/types.py MCPLoadingBegin'),
  open: checkBracket('MCPLoadingBegin', 'MCPLoadingEnd'),
};

/** A beginning without an end is normal after a failure; an end without a beginning never is. */
function checkBracket(begin: string, end: string): RuleDefinition['open'] {
  return checkAgentMessages(() => {
    const open = new Set<string>();
    return ({ type, speaker }) => {
      if (type === begin) open.add(speaker);
      return type !== end || open.delete(speaker) ? null : `${end} without ${begin}`;
    };
  });
}
