/** The approvals of two sessions: a row belongs to that of the same call in the conversation. */
import { describe, expect, it } from 'vitest';
import { type DiffOptions, diffSessions } from '../../../../lib/analysis/diff/diff.ts';
import { sessionInMemory } from '../../../../lib/session/session.ts';
import { readLineLog } from '../../../../lib/storage/tape/import/line-log.ts';
import { metadataFor } from '../../../support/fixture-sessions.ts';
import { CWD, played, type Script, type ScriptedCall } from '../../../support/scripted.ts';
import { fixtures } from '../../../support/timeline.ts';

const call = (command: string, asked: ScriptedCall['asked'], result = 'ok'): ScriptedCall => ({
  ...{ is: 'call', tool: 'Shell', args: { command }, asked, result },
});
const turn = (prompt: string, ...calls: ScriptedCall[]): Script[number] => ({
  prompt,
  steps: calls.map((one) => [one]),
});

function approvals(a: Script, b: Script, options: DiffOptions = {}): unknown[] {
  const { entries } = diffSessions(played(a, 'acp', 1), played(b, 'acp', 2), options);
  return entries
    .filter(({ section }) => section === 'approvals')
    .map(({ op, what, changes }) => [op, what, ...changes.map(({ path, a: was, b: is }) => [path, was, is])]);
}

const removed = (what: string, decision: string, executed: string) => [
  ...['removed', what],
  ...[
    ['/decision', decision, null],
    ['/by', 'client', null],
    ['/executed', executed, null],
  ],
];

describe.each([
  ['short', {}],
  ['long', { short: 1 }],
] as [string, DiffOptions][])('in %s sessions', (_, options) => {
  it('one more call at the beginning does not shift the others', () => {
    const rest = [
      turn('first', call('ls', 'reject', 'one')),
      turn('second', call('ls', 'approve', 'two'), call('ls', 'reject', 'three')),
    ];
    const more = [turn('before', call('ls', 'approve', 'zero')), ...rest];
    expect(approvals(more, rest, options)).toEqual([removed('Shell: ls', 'allow', 'yes')]);
  });

  it('the decision of the second of two equal calls is its own', () => {
    const a = [turn('go', call('ls', 'approve', 'one'), call('ls', 'approve', 'two'))];
    const b = [turn('go', call('ls', 'approve', 'one'), call('ls', 'reject', 'two'))];
    const [row] = approvals(a, b, options) as [unknown[]];
    expect(approvals(a, b, options)).toHaveLength(1);
    expect(row).toContainEqual(['/decision', 'allow', 'deny']);
  });

  it('one denial is told once, although what runs after it is marked', () => {
    const turns = (first: ScriptedCall['asked']) =>
      Array.from({ length: 4 }, (_, n) => turn(`do ${n}`, call('ls', n === 0 ? first : 'approve', `result ${n}`)));
    const rows = approvals(turns('approve'), turns('reject'), options) as unknown[][];
    expect(rows).toHaveLength(1);
    expect(rows[0]).toContainEqual(['/decision', 'allow', 'deny']);
  });

  it('a call that was asked about belongs to the same call that was not', () => {
    const a = [turn('go', call('cat a', 'approve'), call('rm b', 'approve'))];
    const b = [turn('go', call('cat a', 'approve'), call('rm b', null))];
    const rows = approvals(a, b, options) as unknown[][];
    expect(rows.map(([op]) => op)).toEqual(['changed']);
    expect(rows[0]).toContainEqual(['/decision', 'allow', 'unasked']);
  });
});

it('both titles are told if they differ in more than a folder', () => {
  const a = [turn('go', { ...call('x', 'approve'), tool: `Shell in ${CWD}` })];
  const b = [turn('go', { ...call('x', 'reject'), tool: `Bash in ${CWD}` })];
  const c = [turn('go', { ...call('x', 'reject'), tool: `Shell in ${CWD}` })];
  const titles = (rows: unknown[]) => (rows as unknown[][]).map(([, what]) => what);
  expect(titles(approvals(a, b))).toEqual(['Shell in <cwd>: x → Bash in <cwd>: x']);
  expect(titles(approvals(a, c))).toEqual(['Shell in <cwd>: x']);
});

it('each side has its own title, of a call and of its row', () => {
  const a = [turn('go', call('echo approved', 'approve'))];
  const b = [turn('go', call('rm -rf build', 'reject'))];
  const sides = (one: Script, other: Script) =>
    diffSessions(played(one, 'acp', 1), played(other, 'acp', 2)).entries.flatMap((entry) =>
      ['tool-call', 'approvals'].includes(entry.kind) ? [[entry.a.what, entry.b.what]] : [],
    );
  expect(sides(a, b)).toEqual([
    ['Shell echo approved', 'Shell rm -rf build'],
    ['Shell: echo approved', 'Shell: rm -rf build'],
  ]);
  // One name for both is not told twice.
  expect(sides(a, [turn('go', call('echo approved', 'reject'))])).toEqual([
    [undefined, undefined],
    [undefined, undefined],
  ]);
});

it('requests that only one of two protocols has are left out', () => {
  const tape = (name: string) => sessionInMemory(metadataFor(name), readLineLog(`${fixtures}${name}.jsonl`).frames);
  const rows = (a: string, b: string) =>
    diffSessions(tape(a), tape(b)).entries.filter(({ section }) => section === 'approvals');
  const hooks = 'wire-1.49.0/hooks';
  const isHook = ({ what }: { what: string }) => /^(?:PreToolUse|UserPromptSubmit|Stop|SessionStart)/.test(what);
  expect(rows(hooks, 'wire-1.49.0/external_tool').some(isHook)).toBe(true);
  expect(rows(hooks, 'acp/kimi-allow').some(isHook)).toBe(false);
});
