/** The timeline as rows of JSON. */
import { describe, expect, it } from 'vitest';
import { timelineRows } from '../../../../lib/core/timeline/json.ts';
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

  it('say how a client answered', () => {
    const rows = rowsOf('mcp/everything-elicitation');
    expect(rows.filter(({ kind }) => kind === 'question').map(({ status }) => status)).toEqual([null, 'decline']);
  });
});
