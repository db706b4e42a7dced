import { describe, expect, it } from 'vitest';
import { ROW_MARK } from '../../../../../lib/output/page/page.ts';
import { barAt, tracksOf } from '../../../../../lib/output/viewer/timeline/lanes.ts';
import { makeScale } from '../../../../../lib/output/viewer/timeline/scale.ts';
import { rowTable, type Sample } from './row-table.ts';

const call = (t: number, t_end: number, more: Partial<Sample> = {}): Sample => ({
  kind: 'tool-call',
  lane: 'tools',
  t,
  t_end,
  ...more,
});
const levels = (samples: Sample[]) =>
  tracksOf(rowTable(samples), 100).map(({ rows, level }) => Array.from(rows, (row, n) => [row, level[n]]));

describe('tracksOf', () => {
  it('stacks bars that overlap and uses a level again when it is free', () => {
    expect(levels([call(0, 5), call(1, 3), call(3, 4), call(5, 6)])).toEqual([
      [
        [0, 0],
        [1, 1],
        [2, 1],
        [3, 0],
      ],
    ]);
  });

  it('puts rows in the order of time', () => {
    expect(levels([call(5, 6), call(0, 5)])[0]).toEqual([
      [1, 0],
      [0, 0],
    ]);
  });

  it('keeps the level of an unfinished call taken', () => {
    expect(levels([call(0, 0, { state: 'open' }), call(50, 51)])[0]).toEqual([
      [0, 0],
      [1, 1],
    ]);
  });

  it('never has more than six levels, and overlaps where the bar ends first', () => {
    const many = [10, 9, 8, 7, 6, 5].map((length, n) => call(n / 10, n / 10 + length));
    const [track] = tracksOf(rowTable([...many, call(1, 2)]), 100);
    expect(track.levels).toBe(6);
    expect(track.level[6]).toBe(5);
  });

  it('has a track for each lane in their order and for each subagent, and none for turns and steps', () => {
    const rows = rowTable([
      { kind: 'turn', t_end: 9 },
      { kind: 'step', depth: 1, t_end: 9 },
      call(0, 1, { depth: 2 }),
      call(0, 1, { depth: 2, agent: 2, lane: 'subagents' }),
      call(0, 1, { depth: 2, agent: 1 }),
      { kind: 'approval', depth: 2, lane: 'approvals', agent: 1 },
      { kind: 'prompt', lane: 'client', marks: ROW_MARK.warning },
    ]);
    expect(tracksOf(rows, 9).map(({ lane, agent, rows }) => [lane, agent, ...rows])).toEqual([
      ['client', 0, 6],
      ['tools', 0, 2],
      ['approvals', 0, 5],
      ['subagents', 1, 4],
      ['subagents', 2, 3],
      ['findings', 0, 6],
    ]);
  });
});

describe('barAt', () => {
  const rows = rowTable([call(10, 20), call(15, 16), call(22, 30)]);
  const [track] = tracksOf(rows, 100);
  const scale = makeScale(0, 100, 1000, []);
  const at = (x: number, level: number) => barAt({ rows, scale, duration: 100 }, track, x, level);

  it('finds the bar at a place of a level, or the nearest one', () => {
    expect([at(150, 0), at(155, 1), at(203, 0), at(216, 0), at(250, 0)]).toEqual([0, 1, 0, 2, 2]);
  });

  it('finds nothing where no bar is near', () => {
    expect([at(90, 0), at(210, 0), at(170, 1), at(400, 0)]).toEqual([-1, -1, -1, -1]);
  });
});
