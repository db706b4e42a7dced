/** Where a policy differs from what happened: only outcomes that somebody decided count. */
import { expect, it } from 'vitest';
import { pathsOf, policyCallOf } from '../../../../../lib/analysis/audit/policy/apply.ts';
import { comparePolicy } from '../../../../../lib/analysis/audit/policy/compare.ts';
import { readPolicy } from '../../../../../lib/analysis/audit/policy/read.ts';
import { type ApprovalRow, makeRow } from '../../../../../lib/analysis/audit/row.ts';

const row = (more: Partial<ApprovalRow>): ApprovalRow => ({
  ...makeRow('approval', 7, 0, 1),
  ...{ tool: 'Shell', arguments: { command: 'git status' }, executed: 'no', by: 'client', ...more },
});

const told = (policy: string, more: Partial<ApprovalRow>) => {
  const { happened, differs } = comparePolicy(readPolicy(policy), row(more), '/w');
  return `${happened}: ${differs}`;
};

it('takes a cancelled request for no denial', () => {
  expect(told('default allow', { decision: 'cancelled' })).toBe('cancelled: null');
  expect(told('default deny', { decision: 'cancelled', executed: 'unknown' })).toBe('cancelled: null');
  expect(told('default allow', { decision: 'deny' })).toBe('denied: was denied, would be allowed');
  // It ran before it was cancelled.
  expect(told('default deny', { decision: 'cancelled', executed: 'yes' })).toBe('cancelled: ran, would be denied');
});

it('names the files that a command redirects output to, once', () => {
  const command = 'make > build.log 2>&1; cat a | tee /dev/null >> build.log > /etc/hosts';
  const call = policyCallOf(row({ arguments: { command, path: 'src' } }), '/w');
  expect(pathsOf(call)).toEqual(['src', 'build.log', '/etc/hosts']);
});
