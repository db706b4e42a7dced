/** The dry run of a policy: each call with its result and its flags, and no empty lines for those without. */
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { ListedApproval, ListedSession } from '../../../../lib/analysis/audit/listed-approval.ts';
import { comparePolicy } from '../../../../lib/analysis/audit/policy/compare.ts';
import { readPolicy } from '../../../../lib/analysis/audit/policy/read.ts';
import { policyLines } from '../../../../lib/output/terminal/policy-view.ts';
import { themeFor } from '../../../../lib/output/terminal/theme.ts';
import { auditTape } from '../../../support/audit.ts';

async function lines(tape: string, policy: string, isJson = false): Promise<string> {
  const { rows } = auditTape(fileURLToPath(new URL(`../../../fixtures/tapes/${tape}.jsonl`, import.meta.url)));
  const listed = rows.map((row) => ({ session: 's', startedAt: 0, cwd: '/w', row }) as unknown as ListedApproval);
  const report = { rows: 0, differ: 0, unread: 0, notes: new Map() };
  const screen = { columns: 200, theme: themeFor(false), several: false, mask: true };
  const rules = readPolicy(policy);
  let text = '';
  async function* sessions() {
    yield { rows: listed } as unknown as ListedSession;
  }
  const judge = () =>
    listed.map((one): [ListedApproval, ReturnType<typeof comparePolicy>] => [one, comparePolicy(rules, one.row, '/w')]);
  for await (const line of policyLines(sessions(), judge, report, isJson ? null : screen)) text += line;
  return text;
}

it('says how a call ended', async () => {
  expect(await lines('hermes-0.19.0-acp/mix', 'default deny')).toContain('cat out.txt\n    result: ok\n');
  const [call] = (await lines('hermes-0.19.0-acp/mix', 'default deny', true)).split('\n');
  expect(JSON.parse(call!)).toMatchObject({ result: 'ok', flags: [], what_asked: null });
});

it('has no line for what is not known', async () => {
  const text = await lines('hermes-0.19.0-acp/mix', 'default allow');
  expect(text).toContain('f77 was denied, would be allowed (by default)\n');
  expect(text).not.toMatch(/^\s*$\n/m);
});

it('has a command once where the agent has no other name for the tool', async () => {
  const text = await lines('gemini-cli-0.61.0-acp/allow', 'default deny');
  expect(text).toContain('\n    $ echo tool-ran > out.txt && cat out.txt\n');
});
