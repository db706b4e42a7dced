import { describe, expect, it } from 'vitest';
import { timelineRows } from '../../../../lib/core/timeline/json.ts';
import { buildFixture } from '../../../support/timeline.ts';

describe('rows of a timeline', () => {
  it('tell times to the microsecond, and no more', () => {
    const rows = [...timelineRows('s', 0, buildFixture('acp/kimi-allow_fs').timeline.entries)];
    const times = rows.flatMap(({ wait, latency, queue, run }) => [wait, latency, queue, run]);
    const told = times.filter((time) => typeof time === 'number' && time > 0);
    expect(told.length).toBeGreaterThan(10);
    for (const time of told) expect(String(time)).toMatch(/^\d+(\.\d{1,6})?$/);
  });

  it('say how a client answered', () => {
    const rows = [...timelineRows('s', 0, buildFixture('mcp/everything-elicitation').timeline.entries)];
    expect(rows.filter(({ kind }) => kind === 'question').map(({ status }) => status)).toEqual([null, 'decline']);
  });
});
