/** Sessions of one conversation, and grants of earlier ones: only what the ids prove. */
import { describe, expect, it } from 'vitest';
import { type ChainedSession, ChainGrants, groupIntoChains } from '../../../../lib/analysis/audit/chain.ts';
import { type ApprovalRow, makeRow } from '../../../../lib/analysis/audit/row.ts';
import type { Cover } from '../../../../lib/model/event.ts';

const HOUR = 3600e6;
const linked = (session: string, hour: number, ...conversations: string[]): ChainedSession => ({
  ...{ session, startedAt: hour * HOUR, conversations },
});
const names = (chains: ChainedSession[][]) => chains.map((chain) => chain.map(({ session }) => session).join(' '));

describe('a chain', () => {
  it('has the sessions that name the same conversation, in order of time', () => {
    const all = [linked('c', 3, 'one'), linked('x', 2), linked('a', 1, 'one'), linked('b', 2, 'two')];
    expect(names(groupIntoChains(all))).toEqual(['a c', 'b', 'x']);
  });

  it('reaches through sessions that name two', () => {
    const all = [linked('a', 1, 'one'), linked('b', 2, 'two'), linked('c', 3, 'two', 'one'), linked('d', 4, 'two')];
    expect(names(groupIntoChains(all))).toEqual(['a b c d']);
  });
});

describe('a call that ran unasked after a resume', () => {
  const row = (f: number, more: Partial<ApprovalRow> = {}): ApprovalRow => ({
    ...makeRow('approval', f, 0, f),
    ...{ tool: 'Shell', decision: 'allow', by: 'client', executed: 'yes', ...more },
  });
  const granted = row(12, { decision: 'allow-always', action: 'run command', answer_f: 13, wait: 1 });
  const unasked = (more: Partial<ApprovalRow> = {}) => row(9, { decision: 'unasked', by: 'agent', ...more });
  const explain = (before: ChainedSession, after: ChainedSession, call: ApprovalRow, grant = granted) => {
    const grants = new ChainGrants();
    grants.add(before, [grant]);
    return grants.findExplaining(after, call);
  };
  const before = linked('a', 1, 'one');
  const after = linked('b', 2, 'one');

  it('names the earlier session and the frame of the grant', () => {
    expect(explain(before, after, unasked())).toEqual({ session: 'a', f: 12, conversation: 'one' });
  });

  it.each([
    ['touch two.txt', true],
    ['rm two.txt', false],
  ])('a grant is what its rules say: %s, %s', (command, isCovered) => {
    const covers: Cover = { is: 'rules', rules: [{ tool: 'Shell', pattern: 'touch *' }], more: [] };
    const found = explain(before, after, unasked({ arguments: { command } }), { ...granted, covers });
    expect(found?.f ?? null).toBe(isCovered ? 12 : null);
  });

  it.each([
    ['another tool', before, after, unasked({ tool: 'WriteFile' })],
    ['another action', before, after, unasked({ action: 'edit file' })],
    ['another conversation', before, linked('b', 2, 'two'), unasked()],
    ['no conversation', before, linked('b', 2), unasked()],
    ['several conversations in the earlier process', linked('a', 1, 'one', 'two'), after, unasked()],
    ['several conversations in the later process', before, linked('b', 2, 'one', 'two'), unasked()],
    ['a grant that came later', linked('a', 3, 'one'), after, unasked()],
    ['its own session', before, before, unasked()],
    ['a mode that explains it', before, after, unasked({ by: 'mode' })],
    ['a call that was asked about', before, after, row(9)],
  ])('claims nothing for %s', (_, earlier, later, call) => {
    expect(explain(earlier, later, call)).toBeNull();
  });
});
