/** The timeline as rows of JSON. */
import { describe, expect, it } from 'vitest';
import { timelineRows } from '../../../../lib/model/timeline/json.ts';
import { buildFixture } from '../../../support/timeline.ts';

const rowsOf = (tape: string) => [...timelineRows('s', 0, buildFixture(tape).timeline.entries)];

describe('rows of a timeline', () => {
  it('have the code of an error that answers nothing, as an answer has', () => {
    const rows = rowsOf('wire-1.49.0/errors');
    const at = (f: number) => rows.find((row) => row.f === f);
    expect(at(11)).toMatchObject({ kind: 'error', code: -32700, pair_f: null, text: 'Invalid JSON format' });
    expect(at(4)).toMatchObject({ kind: 'other', code: -32601, pair_f: 5 });
    expect(at(10)).toMatchObject({ kind: 'noise', code: null });
  });

  it('tell times to the microsecond, and no more', () => {
    const times = rowsOf('acp/kimi-allow_fs').flatMap(({ wait, latency, queue, run }) => [wait, latency, queue, run]);
    const told = times.filter((time) => typeof time === 'number' && time > 0);
    expect(told.length).toBeGreaterThan(10);
    for (const time of told) expect(String(time)).toMatch(/^\d+(\.\d{1,6})?$/);
  });

  it('leave out nothing that was said in an answer', () => {
    const rows = (tape: string) => [...timelineRows('s', 0, buildFixture(tape).timeline.entries)];
    const refused = rows('acp/kimi-error').find(({ f }) => f === 11);
    expect(refused).toMatchObject({ answer_text: 'Invalid params: Unknown sessionId: no-such-session' });
    const taken = rows('wire-0.59/approval_bad_answer').find(({ f }) => f === 21);
    expect(taken).toMatchObject({ decision: null, resolved: 'deny', resolved_f: 24 });
  });

  it('tell whose step it is', () => {
    const rows = [...timelineRows('s', 0, buildFixture('wire-0.59/subagent').timeline.entries)];
    const steps = rows.filter(({ is }) => is === 'step').map(({ turn, step, subagent }) => [turn, step, subagent]);
    expect(steps).toEqual([
      [1, 1, null],
      [1, 1, 'sa-1'],
      [1, 2, 'sa-1'],
      [1, 2, null],
    ]);
    const failed = [...timelineRows('s', 0, buildFixture('wire-0.58/llm_error').timeline.entries)];
    expect(failed.find(({ is, f }) => is === 'step' && f === 8)).toMatchObject({ turn: 2, status: 'interrupted' });
  });

  it('say how a client answered', () => {
    const rows = rowsOf('mcp/everything-elicitation');
    expect(rows.filter(({ kind }) => kind === 'question').map(({ status }) => status)).toEqual([null, 'decline']);
  });
});
