import { describe, expect, it } from 'vitest';
import { mergeIntervals, subtractIntervals, totalLength } from '../../../lib/model/interval.ts';
import { addTools, FrameMeter, quantile, statsOf } from '../../../lib/session/stats.ts';
import { statsRow } from '../../../lib/session/stats-json.ts';
import { ask, framesOf, tell, timelineOf } from '../../support/reading.ts';

function stats(name: string) {
  const { readings, timeline } = timelineOf(name);
  const meter = new FrameMeter();
  for (const reading of readings) meter.take(reading);
  const made = statsOf(timeline, meter, 0);
  return { ...made, row: statsRow(made, timeline), readings, timeline };
}

describe('a session in numbers', () => {
  it('counts waiting that overlaps once', () => {
    // Three approvals asked at 1.922 s: the first is granted for the session after 1 ms, which settles the others at 10 ms.
    const { row } = stats('wire-1.49.0/approval_session_sweeps');
    expect(row.waits.approval).toEqual({ count: 3, total: 0.021, p50: 0.01, p95: 0.01, max: 0.01 });
    expect(row.waits.total).toBe(0.01);
    expect(row.phases).toEqual({ busy: 1.922, waiting: 0.01, idle: 0.63 });
    expect(row.decisions).toEqual({ allow: 0, 'allow-always': 1, deny: 0, cancelled: 0, none: 2 });
  });

  it('counts calls by the name of their tool, or by their kind if they only have titles', () => {
    const tools = (name: string) => stats(name).row.tools.map(({ tool, calls }) => `${calls} ${tool}`);
    expect(tools('gemini-cli-0.61.0-acp/allow')).toEqual(['1 run_shell_command']);
    expect(tools('hermes-0.19.0-acp/mix')).toEqual(['1 terminal', '1 write']);
    expect(tools('acp/qwen-reject')).toEqual(['1 edit']);
  });

  it('tells a call that never had a result from one that ran', () => {
    const { row } = stats('acp/qwen-reject');
    expect(row.tools).toEqual([
      {
        ...{ tool: 'edit', calls: 1, errors: 0, unfinished: 1 },
        run: { count: 0, total: 0, p50: null, p95: null, max: null },
        wait: { count: 1, total: 0.037, p50: 0.037, p95: 0.037, max: 0.037 },
      },
    ]);
    expect(row.decisions.deny).toBe(1);
    expect(row.tokens).toMatchObject({ input: 410, cache_read: 2000, output: 34 });
    expect(row.largest_gap).toEqual({ f: 2, seconds: 5.954 });
  });

  it('counts no run of what was refused, and no decision where the client made none', () => {
    const { row } = stats('wire-0.59/approval_bad_answer');
    expect(row.tools).toMatchObject([{ tool: 'Shell', calls: 5, errors: 3, run: { count: 2 } }]);
    expect(row.decisions).toEqual({ allow: 2, 'allow-always': 0, deny: 0, cancelled: 0, none: 3 });
  });

  it('takes an agent for busy from the start that has its prompt from the command line', () => {
    expect(stats('qwen-stream-json-0.15.10/hand_oneshot_json').row.phases).toEqual({
      busy: 5.796,
      waiting: 0,
      idle: 0.143,
    });
  });

  it('waits for no notice of a hook, and not for a person where a hook is silent', () => {
    const { row } = stats('wire-1.31.0/hooks');
    expect(row.waits.hook.count).toBe(9);
    expect(row.waits.hook.max).toBeGreaterThan(2);
    expect(row.phases.waiting).toBe(0);
  });

  it.each(['wire-1.24.0/replay', 'wire-1.49.0/background_agent', 'mcp/everything-elicitation', 'qwen-rfc/messages'])(
    'adds up: %s',
    (name) => {
      const { row, seconds, readings, timeline, traffic } = stats(name);
      const { busy, waiting, idle } = row.phases;
      expect(busy + waiting + idle).toBeCloseTo(seconds, 5);
      expect(row.tools.reduce((sum, { calls }) => sum + calls, 0)).toBe(timeline.counts.tools);
      expect(row.waits.approval.count).toBe(timeline.counts.approvals);
      for (const from of ['client', 'agent', 'stderr'] as const) {
        const lines = readings.filter(({ frame }) => frame.from === from && frame.form !== 'event');
        const bytes = lines.reduce((sum, { frame }) => sum + frame.raw.length + frame.eol.length, 0);
        expect(traffic[from]).toEqual({ lines: lines.length, bytes });
      }
    },
  );

  it('follows the context of the main agent', () => {
    const { row } = stats('wire-1.49.0/llm_error');
    expect(row.tokens.context_over_time.length).toBeGreaterThan(0);
    expect(row.tokens.context_over_time.at(-1)).toMatchObject({ used: 100, share: 0.001 });
    expect(row.tokens.context).toEqual({ used: 100, size: 100_000, share: 0.001 });
  });

  it('knows the longest line and the longest silence', () => {
    const meter = new FrameMeter();
    const frames = framesOf([
      ['client', ask(1, 'a')],
      ['agent', tell('x'.repeat(100))],
    ]);
    frames[1]!.t = 7;
    for (const frame of frames) meter.take({ frame, events: [] });
    expect(meter.longest).toMatchObject({ f: 2, from: 'agent', size: frames[1]!.raw.length + 1 });
    expect(meter.gap).toEqual({ f: 1, seconds: 7 });
    expect(meter.seconds).toBe(7);
  });

  it('puts tools of several sessions together', () => {
    const tools = (run: number) => [{ tool: 'Shell', calls: 1, errors: 1, unfinished: 0, runs: [run], waits: [] }];
    const one = tools(1);
    expect(addTools([one, tools(3)])).toEqual([
      { tool: 'Shell', calls: 2, errors: 2, unfinished: 0, runs: [1, 3], waits: [] },
    ]);
    expect(one[0]!.runs).toEqual([1]);
  });
});

describe('times', () => {
  it('are merged, taken away and measured', () => {
    expect(
      mergeIntervals([
        [5, 6],
        [1, 3],
        [2, 4],
        [4, 4.5],
      ]),
    ).toEqual([
      [1, 4.5],
      [5, 6],
    ]);
    expect(
      subtractIntervals(
        [[0, 10]],
        [
          [1, 2],
          [4, 12],
        ],
      ),
    ).toEqual([
      [0, 1],
      [2, 4],
    ]);
    expect(
      subtractIntervals(
        [
          [0, 1],
          [2, 3],
        ],
        [[0, 3]],
      ),
    ).toEqual([]);
    expect(
      totalLength([
        [0, 1],
        [2, 4],
      ]),
    ).toBe(3);
  });

  it('have quantiles', () => {
    expect([0.5, 0.95, 1].map((share) => quantile([4, 1, 3, 2], share))).toEqual([2, 4, 4]);
    expect(
      quantile(
        Array.from({ length: 100 }, (_, i) => i + 1),
        0.95,
      ),
    ).toBe(95);
    expect(quantile([], 0.5)).toBeNull();
  });
});
