/** Who decided, and what was wrong with the answer: each class of `by`, each flag of what is asked and answered. */
import { describe, expect, it } from 'vitest';
import { commandOf, pathsOf } from '../../../../lib/analysis/audit/subject.ts';
import { acp } from '../../../../lib/dialects/acp/index.ts';
import { qwenRfc } from '../../../../lib/dialects/qwen-rfc/index.ts';
import { streamJson } from '../../../../lib/dialects/stream-json/index.ts';
import { wireLegacy } from '../../../../lib/dialects/wire-legacy/index.ts';
import * as $ from '../../../support/audit.ts';
import { answer, ask, refuse, type Said, tell } from '../../../support/reading.ts';

/** A turn with one call that is asked about in frame 4; `then` follows from frame 5 on. */
const asked = (...then: (Said | $.Happening)[]) =>
  $.auditWire([$.prompts('p'), $.begins('p'), $.calls('c'), $.wants('r', 'c'), ...then]);
const wordsOf = (...then: (Said | $.Happening)[]) => $.words($.rowOf(asked(...then)));

describe('what a client answers', () => {
  const ran = [$.resolves('r', 'approve'), $.results('c'), $.finishes('p')];
  const refused = [$.resolves('r', 'reject'), $.results('c', true), $.finishes('p')];

  it('is its decision', () => {
    expect(wordsOf($.decides('r', 'approve'), ...ran)).toBe('allow client f5 yes f7 []');
    expect(wordsOf($.decides('r', 'reject'), ...refused)).toBe('deny client f5 no f7 []');
    expect(wordsOf($.decides('r', 'approve_for_session'), ...ran)).toBe('allow-always client f5 yes f7 [grant]');
  });

  it('has all that was asked, and what ran', () => {
    const row = $.rowOf(asked($.decides('r', 'approve'), ...ran));
    expect(row).toMatchObject({
      ...{ f: 4, n: 0, t: 3, turn: 1, subagent: null, kind: 'approval', request_id: 'r', tool: 'Shell' },
      ...{ tool_call_id: 'c', action: 'run command', description: 'Run command `ls`', arguments: { command: 'ls' } },
      ...{ executed_arguments: { command: 'ls' }, wait: 1, run: 2, resolved: 'allow', resolved_f: 6, grant_f: null },
      ...{ result: 'ok', option: 'approve', resent: [] },
    });
    expect(row.options.map(({ decision }) => decision)).toEqual(['allow', 'allow-always', 'deny']);
  });

  it('is none if it is an error, and what the agent makes of that is not its decision', () => {
    const error: Said = ['client', refuse('r', -32000)];
    expect(wordsOf(error, ...refused)).toBe('none client-error f5 no f7 []');
    const both: Said = ['client', { ...refuse('r', -32000), result: { request_id: 'r', response: 'approve' } }];
    expect(wordsOf(both, ...refused)).toBe('none client-error f5 no f7 [both]');
  });

  it('is none if it is malformed', () => {
    expect(wordsOf($.decides('r', 'allow'), ...refused)).toBe('none invalid f5 no f7 [bad-word]');
    expect(wordsOf($.replies('r', { response: 'approve' }), ...refused)).toBe('none invalid f5 no f7 [no-request-id]');
    expect(wordsOf($.replies('r', []), ...refused)).toBe('none invalid f5 no f7 [bad-shape]');
  });

  it('counts with a wrong request_id, as the agent has it', () => {
    const odd = $.replies('r', { request_id: 'x', response: 'approve' });
    expect(wordsOf(odd, ...ran)).toBe('allow client f5 yes f7 [wrong-request-id]');
  });

  it('counts by the first valid one until it is settled', () => {
    const again = wordsOf($.decides('r', 'yes'), $.decides('r', 'approve'), ...ran);
    expect(again).toBe('allow client f6 yes f8 [answered-again]');
    const twice = wordsOf($.decides('r', 'approve'), $.decides('r', 'reject'), ...ran);
    expect(twice).toBe('allow client f5 yes f8 [duplicate-answer]');
    const late = wordsOf(
      $.decides('r', 'approve'),
      $.resolves('r', 'approve'),
      $.decides('r', 'reject'),
      $.results('c'),
    );
    expect(late).toBe('allow client f5 yes f8 [late-answer]');
  });

  it('decides nothing if it answers what nobody asked', () => {
    expect(wordsOf($.decides('nobody', 'approve'), $.decides('r', 'reject'), ...refused)).toBe(
      'deny client f6 no f8 []',
    );
  });

  it('may come with words', () => {
    const row = $.rowOf(asked($.decides('r', 'reject', { feedback: 'use git' }), ...refused));
    expect($.words(row)).toBe('deny client f5 no f7 [feedback]');
    expect(row.feedback).toBe('use git');
  });
});

describe('what is asked', () => {
  it('may be sent again: its wait counts from the first', () => {
    const row = $.rowOf(
      asked($.wants('r', 'c'), $.decides('r', 'approve'), $.resolves('r', 'approve'), $.results('c')),
    );
    expect($.words(row)).toBe('allow client f6 yes f8 [resent]');
    expect(row).toMatchObject({ resent: [5], wait: 2 });
  });

  it('may come before its call', () => {
    const { rows } = $.auditWire([
      ...[$.prompts('p'), $.begins('p'), $.wants('r', 'c'), $.decides('r', 'approve'), $.calls('c')],
      ...[$.resolves('r', 'approve'), $.results('c'), $.finishes('p')],
    ]);
    expect(rows.map($.words)).toEqual(['allow client f4 yes f7 [before-call]']);
    expect(rows[0]).toMatchObject({ f: 3, arguments: { command: 'ls' }, tool_call_id: 'c' });
  });

  it.each([
    ['Run command `echo from sub`', 'echo from sub', []],
    ['Run background command `ls`', 'ls', []],
    ['Write file `/a/b.txt`', null, ['/a/b.txt']],
    ['Run it', null, []],
  ])('says what a call that is nowhere does: %s', (description, command, paths) => {
    const { rows } = $.auditWire([$.prompts('p'), $.begins('p'), $.wants('r', 'c', { description, display: [] })]);
    expect(rows.map((row) => [commandOf(row), pathsOf(row)])).toEqual([[command, paths]]);
  });

  it('may be about a call that is nowhere, of an agent in the background, outside of any turn', () => {
    const { rows } = $.auditWire([
      ...[$.prompts('p'), $.begins('p'), $.finishes('p')],
      ...[$.wants('r', 'c', { source_kind: 'background_agent', agent_id: 'a1' }), $.decides('r', 'approve')],
      $.resolves('r', 'approve'),
    ]);
    expect(rows.map($.words)).toEqual([
      'allow client f5 unknown - [background no-result outside-turn subagent unlinked]',
    ]);
    expect(rows[0]).toMatchObject({ turn: null, subagent: 'a1' });
  });

  it('may be about a call of a turn that is over', () => {
    const { rows } = $.auditWire([
      ...[$.prompts('p'), $.begins('p'), $.calls('c'), $.finishes('p', 'cancelled'), $.wants('r', 'c')],
      ...[$.prompts('q'), $.begins('q'), $.finishes('q'), $.resolves('r', 'reject')],
    ]);
    expect(rows.map($.words)).toEqual(['none agent - no - [dead-turn late-resolved outside-turn]']);
    expect(rows[0]).toMatchObject({ turn: 1, wait: 4 });
  });

  it('is another row if the id of the call comes again in another turn', () => {
    const turn = (p: string, r: string) => [
      ...[$.prompts(p), $.begins(p), $.calls('c'), $.wants(r, 'c'), $.decides(r, 'approve')],
      ...[$.resolves(r, 'approve'), $.results('c'), $.finishes(p)],
    ];
    const { rows } = $.auditWire([...turn('p', 'r'), ...turn('q', 's')]);
    expect(rows.map((row) => [row.turn, $.words(row)])).toEqual([
      [1, 'allow client f5 yes f7 []'],
      [2, 'allow client f13 yes f15 []'],
    ]);
  });

  it('is nothing while history is sent again', () => {
    const { rows } = $.auditWire([
      ...[['client', ask('x', 'replay')] as Said, $.begins('p'), $.calls('c'), $.wants('r', 'c')],
      ...[$.resolves('r', 'approve'), $.results('c'), ['agent', answer('x', { status: 'finished' })] as Said],
    ]);
    expect(rows).toEqual([]);
  });
});

describe('other dialects', () => {
  const can = (id: string, input: object): Said => [
    'agent',
    {
      ...{ type: 'control_request', request_id: id },
      request: { subtype: 'can_use_tool', tool_name: 'write_file', tool_use_id: 'c', input },
    },
  ];
  const may = (id: string, response: object, subtype = 'success'): Said => [
    'client',
    { type: 'control_response', response: { subtype, request_id: id, ...response } },
  ];
  const input = { file_path: 'a', content: 'x' };
  const start: Said[] = [
    ['client', { type: 'user', message: { role: 'user', content: 'go' } }],
    ['agent', { type: 'system', subtype: 'init', permission_mode: 'default' }],
    [
      'agent',
      { type: 'assistant', message: { id: 'm', content: [{ type: 'tool_use', id: 'c', name: 'write_file', input }] } },
    ],
  ];
  const result = (is_error = false, content = 'ok'): Said => [
    'agent',
    { type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 'c', is_error, content }] } },
  ];
  const stream = (...then: (Said | $.Happening)[]) =>
    $.rowOf($.auditSaid(streamJson, [...start, can('r', input), ...then]));

  it('let the client change what runs', () => {
    const updatedInput = { ...input, content: 'y' };
    const row = stream(may('r', { response: { behavior: 'allow', updatedInput } }), result());
    expect($.words(row)).toBe('allow client f5 yes f6 [edited]');
    expect(row).toMatchObject({ arguments: input, executed_arguments: updatedInput });
    const same = stream(may('r', { response: { behavior: 'allow', updatedInput: input } }), result());
    expect($.words(same)).toBe('allow client f5 yes f6 []');
    // A field that nobody asked about is no change of what was asked (rule A9).
    const more = stream(may('r', { response: { behavior: 'allow', updatedInput: { ...input, cwd: '/' } } }), result());
    expect($.words(more)).toBe('allow client f5 yes f6 []');
    expect(more.executed_arguments).toEqual({ ...input, cwd: '/' });
    const { content: _, ...less } = input;
    const fewer = stream(may('r', { response: { behavior: 'allow', updatedInput: less } }), result());
    expect($.words(fewer)).toBe('allow client f5 yes f6 [edited]');
  });

  it('tell a deny that nobody chose', () => {
    const row = stream(may('r', { response: { behavior: 'deny', message: 'Permission timed out' } }), result(true));
    expect($.words(row)).toBe('deny client f5 no f6 [client-timeout]');
    const meant = stream(may('r', { response: { behavior: 'deny', message: 'no' } }), result(true));
    expect($.words(meant)).toBe('deny client f5 no f6 []');
  });

  it('have a limit of their own: the agent goes on without an answer', () => {
    expect($.words(stream(result(true)))).toBe('none agent - no f5 [timed-out]');
  });

  it('allow for good by rules that come with an answer', () => {
    const updatedPermissions = [{ type: 'addRules', behavior: 'allow', rules: [] }];
    const row = stream(may('r', { response: { behavior: 'allow', updatedPermissions } }), result());
    expect($.words(row)).toBe('allow-always client f5 yes f6 [grant]');
  });

  it('may run what was denied', () => {
    const row = stream(may('r', { response: { behavior: 'deny', message: 'no' } }), result());
    expect($.words(row)).toBe('deny client f5 yes f6 [ran-although-denied]');
    expect($.words(stream(may('r', {}, 'error'), result(true)))).toBe('none client-error f5 no f6 []');
  });

  it('approve in other words in the RFC', () => {
    const rows = $.auditSaid(qwenRfc, [
      ['client', { type: 'user', prompt_id: 'p', message: { content: 'go' } }],
      [
        'agent',
        {
          ...{ type: 'control_request', subtype: 'can_use_tool', request_id: 'r' },
          tool: { name: 'run_shell_command', arguments: { command: 'ls' } },
        },
      ],
      [
        'client',
        {
          type: 'control_response',
          request_id: 'r',
          response: { subtype: 'success', result: { behavior: 'approve' } },
        },
      ],
    ]).rows;
    expect(rows.map($.words)).toEqual(['allow client f3 unknown - [no-effect no-result unlinked]']);
    expect(rows[0]).toMatchObject({ tool: 'run_shell_command', arguments: { command: 'ls' } });
  });

  it('class options by kind in ACP, never by id', () => {
    const options = [
      { optionId: 'reject', name: 'Yes, for good', kind: 'allow_always' },
      { optionId: 'allow', name: 'No', kind: 'reject_once' },
    ];
    const toolCall = { toolCallId: 'c', title: 'write a', kind: 'edit', rawInput: { path: 'a' } };
    const session = (outcome: object) =>
      $.rowOf(
        $.auditSaid(acp, [
          ['client', ask(1, 'session/prompt', { sessionId: 's', prompt: [] })],
          ['agent', ask(0, 'session/request_permission', { sessionId: 's', options, toolCall })],
          ['client', answer(0, { outcome })],
          ['agent', tell('session/update', { sessionId: 's', update: update('completed') })],
          ['agent', answer(1, { stopReason: 'end_turn' })],
        ]),
      );
    const update = (status: string) => ({ sessionUpdate: 'tool_call_update', toolCallId: 'c', status });
    const granted = session({ outcome: 'selected', optionId: 'reject' });
    expect($.words(granted)).toBe('allow-always client f3 yes f4 [before-call grant]');
    expect(granted).toMatchObject({ request_id: 0, action: 'edit', option: 'reject', turn: 1 });
    const denied = session({ outcome: 'selected', optionId: 'allow' });
    expect($.words(denied)).toBe('deny client f3 yes f4 [before-call ran-although-denied]');
    expect($.words(session({ outcome: 'selected', optionId: 'none' }))).toBe(
      'none invalid f3 yes f4 [bad-word before-call ran-although-denied]',
    );
    expect($.words(session({ outcome: 'cancelled' }))).toMatch(/^cancelled client f3/);
  });

  it('need no request_id in the legacy protocol', () => {
    const { rows } = $.auditSaid(wireLegacy, [
      ['client', ask('p', 'run', { input: 'go' })],
      ['agent', tell('event', { type: 'step_begin', payload: { n: 1 } })],
      [
        'agent',
        tell('event', { type: 'tool_call', payload: { id: 'c', function: { name: 'Bash', arguments: '{}' } } }),
      ],
      [
        'agent',
        ask('r', 'request', {
          type: 'approval',
          payload: { id: 'r', tool_call_id: 'c', sender: 'Bash', action: 'run' },
        }),
      ],
      ['client', answer('r', { response: 'approve' })],
    ]);
    expect(rows.map($.words)).toEqual(['allow client f5 unknown - [no-effect no-result]']);
  });
});
