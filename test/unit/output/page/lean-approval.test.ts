/** What a page leaves out of a row of the audit comes back as it was. */
import { describe, expect, it } from 'vitest';
import { type ApprovalRow, makeRow } from '../../../../lib/analysis/audit/row.ts';
import { rowJson } from '../../../../lib/analysis/audit/row-json.ts';
import { leanApproval, wholeApproval } from '../../../../lib/output/page/lean-approval.ts';

const row = (more: Partial<ApprovalRow>): ApprovalRow => ({
  ...makeRow('approval', 7, 1, 2.5),
  tool: 'Shell',
  ...more,
});
const args = { command: 'ls' };

describe('a row of the audit in a page', () => {
  it.each<[string, Partial<ApprovalRow>]>([
    ['with nothing', {}],
    ['that ran as it was asked', { arguments: args, executed_arguments: args }],
    ['that ran otherwise', { arguments: args, executed_arguments: { command: 'ls -l' } }],
    ['that did not run', { arguments: args, executed: 'no' }],
    ['whose arguments are an empty list', { arguments: [], executed_arguments: [], answers: [] }],
    ['of which only what ran is known', { executed_arguments: args }],
    ['whose arguments are false', { arguments: false, answers: 0, feedback: '' }],
    ['with lists', { flags: ['late'], resent: [8], options: [{ id: 'a', decision: 'allow', label: null }] }],
  ])('%s', (_, more) => {
    const stored = JSON.parse(JSON.stringify(leanApproval(row(more))));
    const { caveats, asked, ran, as_asked, ...read } = wholeApproval(stored, 's', 1e6, ['unknown']);
    expect(JSON.stringify(read)).toBe(JSON.stringify(rowJson('s', 1e6, row(more))));
    expect(caveats).toEqual(['unknown']);
    expect([asked, ran].every((words) => typeof words === 'string')).toBe(true);
    expect(as_asked).toBeTypeOf('boolean');
  });
});
