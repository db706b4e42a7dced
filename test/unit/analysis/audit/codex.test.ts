/** Audits of Codex's app-server: what a grant covers, modes of threads, and calls that go on after their turn. */
import { describe, expect, it } from 'vitest';
import { codex } from '../../../../lib/dialects/codex/index.ts';
import * as $ from '../../../support/audit.ts';
import {
  answers,
  asks,
  begins,
  completed,
  decides,
  ends,
  hello,
  OF,
  opens,
  runs,
  started,
  tells,
  wants,
} from '../../../support/codex.ts';
import type { Said } from '../../../support/reading.ts';

const wordsOf = (...said: (Said | $.Happening)[]) => {
  const { rows } = $.auditSaid(codex, said, ['codex', 'app-server']);
  return rows.map((row) => `${row.tool_call_id} ${row.decision} ${row.by} ${row.executed} [${row.flags.join(' ')}]`);
};

const begun: Said[] = [...hello, ...opens(1), ...begins(2)];

/** A command that is asked about and granted. */
const granted = (command: string, decision: unknown): Said[] => [
  started('commandExecution', 'a', { command, cwd: '/w' }),
  wants(0, 'a', { command, cwd: '/w' }),
  decides(0, decision),
  completed('commandExecution', 'a', { command, cwd: '/w', exitCode: 0 }),
];

describe('a standing grant', () => {
  it('of a session is for the same command', () => {
    expect(
      wordsOf(...begun, ...granted('ls', 'acceptForSession'), ...runs('b', 'ls'), ...runs('c', 'ls -l'), ends()),
    ).toEqual([
      'a allow-always client yes [grant]',
      'b unasked grant yes [under-grant]',
      'c unasked agent yes [mode:untrusted/danger-full-access]',
    ]);
  });

  it.each([
    ['git log', "/bin/bash -lc 'git log -3'", 'grant'],
    ['git log', 'git log -3', 'grant'],
    ['git log', "/bin/bash -lc 'git log && git log -2'", 'grant'],
    ['git log', "/bin/bash -lc 'git log; rm x'", 'agent'],
    ['git log', "/bin/bash -lc 'git push'", 'agent'],
    ['git log', 'git', 'agent'],
    ['/bin/bash -lc echo', "/bin/bash -lc 'echo'", 'grant'],
    ['/bin/bash -lc echo', "/bin/bash -lc 'rm x'", 'agent'],
  ])('for commands that begin with %s: %s', (prefix, command, by) => {
    const decision = { acceptWithExecpolicyAmendment: { execpolicy_amendment: prefix.split(' ') } };
    const [, second] = wordsOf(...begun, ...granted('git log', decision), ...runs('b', command), ends());
    expect(second).toContain(`b unasked ${by} yes`);
  });

  it('for changes is for the same files', () => {
    const changes = (path: string) => ({ changes: [{ path, kind: { type: 'update' }, diff: '' }] });
    const changed = (id: string, path: string): Said[] => [
      started('fileChange', id, changes(path)),
      completed('fileChange', id, changes(path)),
    ];
    const said: Said[] = [
      ...begun,
      started('fileChange', 'a', changes('/w/x')),
      ['agent', asks(0, 'item/fileChange/requestApproval', { ...OF, itemId: 'a' })],
      decides(0, 'acceptForSession'),
      completed('fileChange', 'a', changes('/w/x')),
      ...changed('b', '/w/x'),
      ...changed('c', '/w/y'),
      ends(),
    ];
    expect(wordsOf(...said)).toEqual([
      'a allow-always client yes [grant]',
      'b unasked grant yes [under-grant]',
      'c unasked agent yes [mode:untrusted/danger-full-access]',
    ]);
  });
});

describe('a mode', () => {
  const settings = (policy: string, type: string) => ({ approvalPolicy: policy, sandbox: { type } });

  it.each([
    ['never', 'readOnly', 'mode'],
    ['never', 'dangerFullAccess', 'mode'],
    ['on-request', 'dangerFullAccess', 'mode'],
    ['on-request', 'workspaceWrite', 'agent'],
    ['untrusted', 'dangerFullAccess', 'agent'],
  ])('%s in %s', (policy, sandbox, by) => {
    const [row] = wordsOf(
      ...hello,
      ...opens(1, 't1', settings(policy, sandbox)),
      ...begins(2),
      ...runs('a', 'ls'),
      ends(),
    );
    expect(row).toContain(`a unasked ${by} yes`);
  });

  it('is that of the thread in which a call is made', () => {
    const other = { threadId: 't2', turnId: 'u2' };
    const said = [
      ...hello,
      ...opens(1, 't1', settings('never', 'dangerFullAccess')),
      ...opens(2, 't2', settings('untrusted', 'dangerFullAccess')),
      ...begins(3),
      ...begins(4, 'go', 'u2', 't2'),
      ...runs('a', 'ls'),
      ...runs('b', 'ls', other),
    ];
    expect(wordsOf(...said)).toEqual([
      'a unasked mode yes []',
      'b unasked agent yes [mode:untrusted/danger-full-access]',
    ]);
  });
});

it('a command that outlives its turn was run', () => {
  const said: Said[] = [
    ...begun,
    started('commandExecution', 'a', { command: 'sleep 9', cwd: '/w' }),
    ['agent', tells('item/commandExecution/outputDelta', { ...OF, itemId: 'a', delta: 'tick' })],
    ['agent', tells('item/agentMessage/delta', { ...OF, itemId: 'm', delta: 'Meanwhile' })],
    ends(),
  ];
  expect(wordsOf(...said)).toEqual(['a unasked agent yes [mode:untrusted/danger-full-access no-result]']);
});

it('what the agent declined without asking did not run', () => {
  const command = { command: 'rm x', cwd: '/w' };
  const said: Said[] = [
    ...begun,
    started('commandExecution', 'a', command),
    completed('commandExecution', 'a', { ...command, status: 'declined' }),
    ends(),
  ];
  expect(wordsOf(...said)).toEqual(['a unasked agent no [mode:untrusted/danger-full-access rule-denied]']);
});

it('an interrupt cancels what is asked', () => {
  const said: (Said | $.Happening)[] = [
    ...begun,
    started('commandExecution', 'a', { command: 'ls', cwd: '/w' }),
    wants(0, 'a', { command: 'ls', cwd: '/w' }),
    ['client', asks(3, 'turn/interrupt', OF)],
    ['agent', answers(3, {})],
    ends('interrupted'),
    ['agent', tells('serverRequest/resolved', { threadId: 't1', requestId: 0 })],
  ];
  expect(wordsOf(...said)).toEqual(['a cancelled client no [turn-cancelled]']);
});

it('a call may be asked about again before it leaves its sandbox', () => {
  const command = { command: 'ls', cwd: '/w' };
  const said: Said[] = [
    ...begun,
    started('commandExecution', 'a', command),
    wants(0, 'a', command),
    decides(0, 'accept'),
    wants(1, 'a', { ...command, reason: 'without the sandbox' }),
    decides(1, 'decline'),
    completed('commandExecution', 'a', { ...command, status: 'declined' }),
    ends(),
  ];
  expect(wordsOf(...said)).toEqual(['a allow client yes [error-result]', 'a deny client no []']);
});
