/** The numbers of a session as `stats --json` has them: keys are added, never renamed. Durations are seconds. */
import type { Usage } from './event.ts';
import { quantile, type Stats, type ToolTimes } from './stats.ts';
import type { Timeline } from './timeline/shape.ts';

export interface Spread {
  count: number;
  total: number;
  p50: number | null;
  p95: number | null;
  max: number | null;
}

/** Beside the counts of `ls`; the number of calls is `calls`, as `tools` lists them. */
export function statsRow(stats: Stats, { usage, context, counts }: Pick<Timeline, 'usage' | 'context' | 'counts'>) {
  const { waits } = stats;
  return {
    steps: stats.steps,
    calls: counts.tools,
    tokens: { ...(usage satisfies Usage), context, context_over_time: stats.context },
    tools: stats.tools.map(toolRow),
    decisions: stats.decisions,
    waits: {
      total: stats.waited,
      approval: spread(waits.approval),
      question: spread(waits.question),
      'client-call': spread(waits['client-call']),
      hook: spread(waits.hook),
    },
    phases: stats.phases,
    traffic: stats.traffic,
    longest_line: stats.longest,
    largest_gap: stats.gap,
  };
}

function toolRow({ tool, calls, errors, unfinished, runs, waits }: ToolTimes) {
  return { tool, calls, errors, unfinished, run: spread(runs), wait: spread(waits) };
}

export function spread(values: readonly number[]): Spread {
  return {
    count: values.length,
    total: values.reduce((sum, value) => sum + value, 0),
    p50: quantile(values, 0.5),
    p95: quantile(values, 0.95),
    max: quantile(values, 1),
  };
}
