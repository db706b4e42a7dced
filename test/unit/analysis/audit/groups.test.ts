/** Sums by project, client, agent, tool and day: what counts as what, and in which order. */
import { describe, expect, it } from 'vitest';
import { ApprovalGroups, type GroupKey, groupJson } from '../../../../lib/analysis/audit/groups.ts';
import { type ApprovalRow, makeRow } from '../../../../lib/analysis/audit/row.ts';
import { sumOf } from '../../../../lib/analysis/audit/sum.ts';

const session = {
  cwd: '/home/dev/shop',
  client: 'zed 1.2',
  agent: 'kimi',
  startedAt: Date.UTC(2026, 10, 16, 23, 59) * 1000,
};
const row = (more: Partial<ApprovalRow>): ApprovalRow => ({
  ...makeRow('approval', 17, 0, 3),
  ...{ decision: 'allow', by: 'client', tool: 'Shell', ...more },
});

function grouped(keys: GroupKey[], ...rows: Partial<ApprovalRow>[]) {
  const groups = new ApprovalGroups(keys);
  for (const one of rows) groups.add(session, row(one));
  return groups.all.map((group) => groupJson(keys, group));
}

describe('groups', () => {
  it('count every approval once, by what became of it', () => {
    expect(
      grouped(
        ['tool'],
        ...([
          {},
          { decision: 'allow-always' },
          { decision: 'deny' },
          { decision: 'cancelled' },
        ] as Partial<ApprovalRow>[]),
        ...([
          { decision: 'none', by: 'nobody' },
          { decision: 'unknown', by: 'unknown' },
        ] as Partial<ApprovalRow>[]),
        ...(['mode', 'grant', 'hook', 'agent'] as const).map((by) => ({ decision: 'unasked' as const, by })),
        { kind: 'question', decision: 'answered' },
      ),
    ).toEqual([
      {
        ...{ tool: 'Shell', asked: 5, allowed: 2, always: 1, denied: 1, undecided: 2 },
        ...{ unasked: { mode: 1, grant: 1, hook: 1, agent: 1 }, refused: 0, unknown: 1 },
      },
    ]);
  });

  it('count what was refused without asking apart from what ran', () => {
    const unasked = { decision: 'unasked', tool: 'Bash' } as const;
    const rows: Partial<ApprovalRow>[] = [
      { ...unasked, by: 'hook', executed: 'yes' },
      { ...unasked, by: 'hook', executed: 'no' },
      { ...unasked, by: 'agent', executed: 'no' },
      { ...unasked, by: 'agent', executed: 'unknown' },
    ];
    const groups = grouped(['tool'], ...rows);
    expect(groups).toMatchObject([{ asked: 0, unasked: { mode: 0, grant: 0, hook: 1, agent: 1 }, refused: 2 }]);
    const { unasked: ran, refused } = sumOf(rows.map(row));
    expect([ran - refused, refused]).toEqual([2, 2]);
  });

  it('have one or several keys, in order, and what is not known last', () => {
    const all = grouped(
      ['day', 'tool'],
      { t: 90, tool: 'B' },
      { tool: null },
      { tool: 'B' },
      { tool: 'A' },
      { tool: 'A' },
    );
    expect(all.map(({ day, tool, asked }) => `${day} ${tool} ${asked}`)).toEqual([
      ...['2026-11-16 A 2', '2026-11-16 B 1', '2026-11-16 null 1', '2026-11-17 B 1'],
    ]);
  });

  it('know the session', () => {
    expect(grouped(['project', 'client', 'agent'], {})).toMatchObject([
      { project: '/home/dev/shop', client: 'zed 1.2', agent: 'kimi' },
    ]);
  });
});
