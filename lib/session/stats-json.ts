/** The numbers of a session as `stats --json` has them: keys are added, never renamed. Durations are seconds. */
import type { Usage } from '../model/event.ts';
import { micros } from '../model/interval.ts';
import type { Timeline } from '../model/timeline/entries.ts';
import { quantile, type Stats, type ToolTimes } from './stats.ts';

export interface Spread {
  count: number;
  total: number;
  p50: number | null;
  p95: number | null;
  max: number | null;
}

/** Beside the counts of `ls`; the number of calls is `calls`, as `tools` lists them. */
export function statsRow(stats: Stats, { usage, context, counts }: Pick<Timeline, 'usage' | 'context' | 'counts'>) {
  const { waits, phases, gap } = stats;
  return {
    steps: stats.steps,
    calls: counts.tools,
    tokens: { ...(usage satisfies Usage), context, context_over_time: stats.context },
    tools: stats.tools.map(toolRow),
    decisions: stats.decisions,
    waits: {
      total: micros(stats.waited),
      approval: spread(waits.approval),
      question: spread(waits.question),
      'client-call': spread(waits['client-call']),
      hook: spread(waits.hook),
    },
    phases: { busy: micros(phases.busy), waiting: micros(phases.waiting), idle: micros(phases.idle) },
    traffic: stats.traffic,
    longest_line: stats.longest,
    largest_gap: gap && { f: gap.f, seconds: micros(gap.seconds) },
    retries: stats.retries,
    unread: stats.unread,
  };
}

function toolRow({ tool, calls, errors, unfinished, runs, waits }: ToolTimes) {
  return { tool, calls, errors, unfinished, run: spread(runs), wait: spread(waits) };
}

export function spread(values: readonly number[]): Spread {
  const at = (share: number) => {
    const value = quantile(values, share);
    return value === null ? null : micros(value);
  };
  const total = values.reduce((sum, value) => sum + value, 0);
  return { count: values.length, total: micros(total), p50: at(0.5), p95: at(0.95), max: at(1) };
}
