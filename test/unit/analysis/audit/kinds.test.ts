/** What else an agent asks: questions, work for the client, hooks. */

import { describe, expect, it } from 'vitest';
import type { RowKind } from '../../../../lib/analysis/audit/row.ts';
import { grantsIn } from '../../../../lib/analysis/audit/sum.ts';
import { kimiCode } from '../../../../lib/dialects/kimi-code/index.ts';
import { mcp } from '../../../../lib/dialects/mcp/index.ts';
import { streamJson } from '../../../../lib/dialects/stream-json/index.ts';
import * as $ from '../../../support/audit.ts';
import { answer, ask, refuse, type Said, tell } from '../../../support/reading.ts';
import { fixtures } from '../../../support/timeline.ts';

/** The only row of its kind. A call that a mode allows has its own, which is an approval. */
const only = ({ rows }: $.Audited, kind: RowKind) => {
  const others = rows.filter(({ by }) => by !== 'mode');
  expect(others.map((row) => row.kind)).toEqual([kind]);
  return others[0]!;
};

describe('a question', () => {
  const questions = [{ question: 'Which?', options: [{ label: 'Red' }, { label: 'Blue' }] }];
  const asked = (...then: (Said | $.Happening)[]) =>
    only(
      $.auditWire([
        ...[
          $.prompts('p'),
          $.begins('p'),
          $.calls('c', 'AskUserQuestion'),
          $.asks('q', 'QuestionRequest', about),
          ...then,
        ],
      ]),
      'question',
    );
  const about = { tool_call_id: 'c', questions };

  it('is answered, dismissed, refused or missed', () => {
    const row = asked($.replies('q', { request_id: 'q', answers: { 'Which?': 'Red' } }), $.results('c'));
    expect($.words(row)).toBe('answered client f5 yes f6 []');
    expect(row).toMatchObject({
      ...{ tool: 'AskUserQuestion', option: 'Red', feedback: null, executed_arguments: null },
      description: 'Which?',
      answers: { 'Which?': 'Red' },
      wait: 1,
    });
    expect(row.options.map(({ label }) => label)).toEqual(['Red', 'Blue']);
    expect($.words(asked($.replies('q', { request_id: 'q', answers: {} }), $.results('c')))).toMatch(
      /^dismissed client/,
    );
    const free = asked($.replies('q', { request_id: 'q', answers: { 'Which?': 'neither' } }), $.results('c'));
    expect(free).toMatchObject({ decision: 'answered', option: null, feedback: 'neither' });
    expect($.words(asked(['client', ask('x', 'cancel')], $.results('c')))).toMatch(
      /^dismissed client f5 .*turn-cancelled/,
    );
    expect($.words(asked(['client', refuse('q', -1)], $.results('c')))).toBe('none client-error f5 yes f6 []');
    expect($.words(asked($.replies('q', { answers: 7 })))).toBe('none invalid f5 unknown - [bad-shape no-request-id]');
    expect($.words(asked(['eof']))).toBe('none nobody - unknown - [eof]');
  });

  it('of MCP is for the only call that is open', () => {
    const elicit = (result: unknown, ...more: Said[]) =>
      only(
        $.auditSaid(mcp, [
          ['client', ask(1, 'tools/call', { name: 'book', arguments: {} })],
          ['agent', ask(0, 'elicitation/create', { message: 'When?', requestedSchema: { properties: {} } })],
          ...more,
          ['client', answer(0, result)],
          ['agent', answer(1, { content: [] })],
        ]),
        'question',
      );
    const row = elicit({ action: 'accept', content: { day: 1 } });
    expect($.words(row)).toBe('answered client f3 yes f4 []');
    expect(row).toMatchObject({ tool: 'book', tool_call_id: '1', request_id: 0, answers: { day: 1 }, turn: null });
    expect($.words(elicit({ action: 'decline' }))).toMatch(/^dismissed client f3/);
    expect(elicit({ action: 'decline' }).option).toBe('decline');
    expect($.words(elicit({ action: 'cancel' }))).toMatch(/^dismissed client f3/);
    const cancel: Said = ['client', tell('notifications/cancelled', { requestId: 1 })];
    expect($.words(elicit({ action: 'cancel' }, cancel))).toBe('dismissed client f4 yes f5 [turn-cancelled]');
  });

  it("is known from an agent's own log, if the result says what was answered", () => {
    const log = (output: string) =>
      only(
        $.auditWire([
          ...[$.begins('p'), $.calls('c', 'AskUserQuestion'), $.asks('q', 'QuestionRequest', about)],
          $.results('c', false, output),
        ]),
        'question',
      );
    const answered = log('{"answers": {"Which?": "Red"}}');
    expect($.words(answered)).toBe('answered unknown - yes f4 [unheard]');
    expect(answered).toMatchObject({ option: 'Red', answers: { 'Which?': 'Red' } });
    expect($.words(log('{"answers": {}}'))).toMatch(/^dismissed unknown/);
    expect($.words(log('something else'))).toMatch(/^unknown unknown/);
  });

  it('of Claude is asked by way of a permission, and is none', () => {
    const { rows } = $.auditRecording('claude-ask');
    expect(rows.map((row) => `${row.kind} ${$.words(row)}`)).toEqual(['question answered client f9 yes f10 []']);
    expect(rows[0]).toMatchObject({
      ...{ tool: 'AskUserQuestion', option: 'Blue', executed_arguments: null, description: 'Which colour?' },
    });
  });
});

describe('a plan', () => {
  const plan = {
    tool_call_id: 'c',
    questions: [{ question: 'OK?', options: [{ label: 'Approve' }, { label: 'Reject' }] }],
  };
  const asked = (said: string | null, text: string, is_error = false) =>
    only(
      $.auditWire([
        ...[$.prompts('p'), $.begins('p'), $.calls('c', 'ExitPlanMode', {}), $.asks('q', 'QuestionRequest', plan)],
        $.replies('q', { request_id: 'q', answers: said === null ? {} : { 'OK?': said } }),
        $.results('c', is_error, text),
      ]),
      'approval',
    );

  it('is approved, rejected, revised or dismissed, and carried out only if plan mode is left', () => {
    const approved = asked('Approve', 'Plan approved by user. Plan mode deactivated.');
    expect($.words(approved)).toBe('allow client f5 yes f6 []');
    expect(approved).toMatchObject({ tool: 'ExitPlanMode', action: 'leave plan mode', option: 'Approve' });
    expect(approved.options.map(({ decision }) => decision)).toEqual(['allow', 'deny']);
    expect($.words(asked('Reject', 'Plan rejected by user. Stay in plan mode.', true))).toBe('deny client f5 no f6 []');
    const revised = asked('split it', 'Plan needs revision.');
    expect($.words(revised)).toBe('deny client f5 no f6 [feedback]');
    expect(revised).toMatchObject({ feedback: 'split it', option: null });
    expect($.words(asked(null, 'User dismissed without choosing.'))).toBe('cancelled client f5 no f6 []');
  });

  it('of a real session is in the audit, without its questions', () => {
    const { rows } = $.auditTape(`${fixtures}wire-1.24.0/plan_mode.jsonl`);
    const approvals = rows.filter(({ kind, tool }) => kind === 'approval' && tool === 'ExitPlanMode');
    expect(approvals.map((row) => `${row.decision} ${row.executed} ${row.feedback ?? ''}`.trim())).toEqual([
      ...['allow yes', 'deny no', 'deny no please split step 2', 'cancelled no'],
    ]);
    expect(rows.filter(({ kind }) => kind === 'question').map(({ tool, decision }) => `${tool} ${decision}`)).toEqual([
      ...['EnterPlanMode answered', 'EnterPlanMode answered'],
    ]);
  });

  it("is known from an agent's own log, in its words", () => {
    const log = (text: string) =>
      only(
        $.auditWire([
          ...[$.begins('p'), $.calls('c', 'ExitPlanMode', {}), $.asks('q', 'QuestionRequest', plan)],
          $.results('c', false, text),
        ]),
        'approval',
      );
    expect($.words(log('Plan approved by user. Plan mode deactivated.'))).toBe('allow unknown - yes f4 [unheard]');
    expect($.words(log('Plan rejected by user.'))).toBe('deny unknown - no f4 [unheard]');
    expect($.words(log('User dismissed without choosing.'))).toBe('cancelled unknown - no f4 [unheard]');
    expect($.words(log('?'))).toBe('unknown unknown - no f4 [unheard]');
  });
});

describe('work for the client', () => {
  const asked = (...then: (Said | $.Happening)[]) =>
    only(
      $.auditWire([
        ...[$.prompts('p'), $.begins('p'), $.calls('c', 'lookup')],
        ...[$.asks('c', 'ToolCallRequest', { name: 'lookup', arguments: '{"id":1}' }), ...then],
      ]),
      'client-call',
    );
  const returns = (is_error: boolean) =>
    $.replies('c', { tool_call_id: 'c', return_value: { is_error, output: '', message: '' } });

  it('is done, failed, refused, malformed or cancelled', () => {
    const row = asked(returns(false), $.results('c'));
    expect($.words(row)).toBe('allow client f5 yes f6 []');
    expect(row).toMatchObject({ tool: 'lookup', action: 'lookup', arguments: { id: 1 }, result: 'ok' });
    expect($.words(asked(returns(true), $.results('c', true)))).toBe('allow client f5 yes f6 [error-result]');
    expect($.words(asked(['client', refuse('c', -1)], $.results('c', true)))).toBe('none client-error f5 no f6 []');
    expect($.words(asked($.replies('c', 3)))).toBe('none invalid f5 no - [bad-shape]');
    expect($.words(asked(['client', ask('x', 'cancel')]))).toBe('cancelled client f5 unknown - [turn-cancelled]');
  });
});

describe('a hook', () => {
  const hook = { event: 'PreToolUse', target: 'Shell', input_data: { tool_call_id: 'c' } };
  const start = [$.prompts('p'), $.begins('p'), $.calls('c')];
  const resolved = (action: string, reason = '') =>
    $.says('HookResolved', { event: 'PreToolUse', target: 'Shell', action, reason });
  const asked = (...then: (Said | $.Happening)[]) =>
    only($.auditWire([...start, $.asks('h', 'HookRequest', hook), ...then], ['kimi', '--yolo']), 'hook');

  it('allows or blocks', () => {
    const allowed = asked($.replies('h', { request_id: 'h', action: 'allow' }), resolved('allow'), $.results('c'));
    expect($.words(allowed)).toBe('allow client f5 yes f7 []');
    expect(allowed).toMatchObject({ action: 'PreToolUse', tool: 'Shell', tool_call_id: 'c', resolved_f: 6 });
    const blocked = asked(
      $.replies('h', { request_id: 'h', action: 'block', reason: 'not today' }),
      ...[resolved('block', 'not today'), $.results('c', true)],
    );
    expect($.words(blocked)).toBe('deny client f5 no f7 []');
    expect(blocked.feedback).toBe('not today');
  });

  it('fails open', () => {
    const failed = asked(['client', refuse('h', -1)], resolved('allow'), $.results('c'));
    expect($.words(failed)).toBe('none client-error f5 yes f7 []');
    const missed = asked(resolved('allow'), $.results('c'));
    expect($.words(missed)).toBe('none agent - yes f6 [timed-out]');
    const invalid = asked($.replies('h', { action: 'allow' }), resolved('allow'), $.results('c'));
    expect($.words(invalid)).toBe('none invalid f5 yes f7 [no-request-id]');
  });

  it('after a tool says nothing of whether that ran', () => {
    const { rows } = $.auditWire(
      [
        ...[...start, $.results('c'), $.asks('h', 'HookRequest', { ...hook, event: 'PostToolUse' })],
        $.replies('h', { request_id: 'h', action: 'block' }),
      ],
      ['kimi', '--yolo'],
    );
    expect(rows.map($.words)).toEqual(['unasked mode - yes f4 []', 'deny client f6 yes f4 []']);
  });

  it("that blocks without asking is the agent's own configuration", () => {
    const trigger = $.says('HookTriggered', { event: 'PreToolUse', target: 'Shell', hook_count: 1 });
    const row = only($.auditWire([...start, trigger, resolved('block', 'config'), $.results('c', true)]), 'hook');
    expect($.words(row)).toBe('deny agent - no f6 []');
    expect(row).toMatchObject({ f: 5, tool_call_id: 'c', feedback: 'config', wait: null });
    expect($.auditWire([...start, trigger, resolved('allow')]).rows).toEqual([]);
  });

  it('before a turn belongs to it', () => {
    const row = only(
      $.auditWire([
        ...[$.prompts('p'), $.asks('h', 'HookRequest', { event: 'UserPromptSubmit', target: 'p' })],
        ...[$.replies('h', { request_id: 'h' }), $.begins('p'), $.finishes('p')],
      ]),
      'hook',
    );
    expect(row).toMatchObject({ turn: 1, decision: 'allow', description: 'p', flags: [] });
  });

  it('of stream-json is told by the result of its call', () => {
    const { rows } = $.auditSaid(streamJson, [
      ['client', { type: 'user', message: { content: 'go' } }],
      ['agent', { type: 'system', subtype: 'init', permission_mode: 'yolo' }],
      ['agent', { type: 'assistant', message: { content: [{ type: 'tool_use', id: 'c', name: 'edit', input: {} }] } }],
      [
        'agent',
        {
          ...{ type: 'control_request', request_id: 'h' },
          request: {
            ...{ subtype: 'hook_callback', callback_id: 'x', tool_use_id: 'c' },
            input: { hook_event_name: 'PreToolUse', tool_name: 'edit' },
          },
        },
      ],
      ['client', { type: 'control_response', response: { subtype: 'error', request_id: 'h', error: 'oops' } }],
      ['agent', { type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 'c', content: 'ok' }] } }],
    ]);
    expect(rows.map($.words)).toEqual(['unasked mode - yes f6 []', 'none client-error f5 yes f6 []']);
  });
});

it("an agent's own journal has its word, not the client's", () => {
  const { rows, audit } = $.auditSaid(kimiCode, [
    ['agent', { type: 'turn.prompt', input: [{ type: 'text', text: 'go' }] }],
    [
      'agent',
      {
        ...{ type: 'interaction.request', id: 'r', kind: 'approval', toolCallId: 'c' },
        request: { toolName: 'Bash', action: 'run command', toolInput: { command: 'ls' } },
      },
    ],
    ['agent', { type: 'interaction.resolved', id: 'r', response: { decision: 'approved', scope: 'session' } }],
  ]);
  expect(rows).toMatchObject([
    {
      decision: 'allow-always',
      by: 'unknown',
      resolved: 'allow-always',
      resolved_f: 3,
      tool: 'Bash',
      flags: ['grant', 'no-result', 'unheard', 'unlinked'],
    },
  ]);
  expect(audit.hasClientSide).toBe(false);
  expect(grantsIn(rows)).toMatchObject([{ f: 2, answer_f: 3 }]);
});
