/** Executed means executed: calls that were stopped, or of which the agent says that they were not executed. */
import { describe, expect, it } from 'vitest';
import { acp } from '../../../../lib/dialects/acp/index.ts';
import { codex } from '../../../../lib/dialects/codex/index.ts';
import { copilot } from '../../../../lib/dialects/copilot/index.ts';
import { pi } from '../../../../lib/dialects/pi/index.ts';
import { streamJson } from '../../../../lib/dialects/stream-json/index.ts';
import * as $ from '../../../support/audit.ts';
import { answer, ask, type Said, tell } from '../../../support/reading.ts';
import { fixtures } from '../../../support/timeline.ts';

const approvals = ({ rows }: $.Audited) => rows.filter(({ kind }) => kind === 'approval').map($.words);

describe('recorded: the client cancelled while a command ran', () => {
  it.each([
    // Allowed, cancelled two seconds later, and then the agent says that it was rejected: nobody knows.
    ['claude-acp-cancelshell', 'allow client f26 unknown f28 [interrupted]'],
    // The agent says that it was stopped while running.
    ['claude-intshell', 'allow client f11 partly f15 [interrupted]'],
  ])('%s', (name, row) => {
    const audited = $.auditRecording(name);
    expect(approvals(audited)).toEqual([row]);
    expect(audited.rows[0]!.executed_arguments !== null).toBe(row.includes('partly'));
  });

  it.each([
    // Their output was seen.
    ['pi-0.73.1-rpc/abortshell', 'unasked agent - partly f24 [interrupted]'],
    ['codex-acp-2.6.0/cancelshell', 'unasked agent - partly - [interrupted mode:workspace-write no-result]'],
  ])('%s', (tape, row) => {
    expect(approvals($.auditTape(`${fixtures}${tape}.jsonl`))).toEqual([row]);
  });
});

describe('stream-json', () => {
  const says = (type: string, content: unknown, more: object = {}): Said => [
    'agent',
    { type, message: { content }, ...more },
  ];
  const begun: Said[] = [
    ['client', { type: 'user', message: { content: 'go' } }],
    ['agent', { type: 'system', subtype: 'init', permissionMode: 'default', claude_code_version: '2' }],
    says('assistant', [{ type: 'tool_use', id: 'c', name: 'Bash', input: { command: 'make' } }]),
  ];
  const request = (request_id: string, request: object): object => ({ type: 'control_request', request_id, request });
  const allowed: Said[] = [
    [
      'agent',
      request('r', { subtype: 'can_use_tool', tool_name: 'Bash', tool_use_id: 'c', input: { command: 'make' } }),
    ],
    [
      'client',
      {
        type: 'control_response',
        response: {
          subtype: 'success',
          request_id: 'r',
          response: { behavior: 'allow', updatedInput: { command: 'make' } },
        },
      },
    ],
  ];
  const interrupt: Said = ['client', request('i', { subtype: 'interrupt' })];
  const rejected = (more: object = {}): Said =>
    says('user', [{ type: 'tool_result', tool_use_id: 'c', is_error: true, content: 'The tool use was rejected' }], {
      tool_result_meta: [{ id: 'c', non_execution_kind: 'user-rejected' }],
      ...more,
    });
  const progress: Said = ['agent', { type: 'tool_progress', tool_use_id: 'c', tool_name: 'Bash' }];
  const result = (permission_denials: object[] = []): Said => [
    'agent',
    { type: 'result', subtype: 'success', result: 'Done.', permission_denials },
  ];

  it('what was allowed and never cancelled did not run if the agent says so', () => {
    expect(approvals($.auditSaid(streamJson, [...begun, ...allowed, rejected(), result()]))).toEqual([
      'allow client f5 no f6 []',
    ]);
  });

  it('what was seen to run before the interrupt ran in part', () => {
    const said = [...begun, ...allowed, progress, interrupt, rejected(), result()];
    expect(approvals($.auditSaid(streamJson, said))).toEqual(['allow client f5 partly f8 [interrupted]']);
  });

  it('nobody refused what a mode allowed and the client stopped', () => {
    const yolo = begun.map(
      ([from, value]): Said => [from, { ...(value as object), permissionMode: 'bypassPermissions' }],
    );
    const said = [...yolo, interrupt, rejected(), result()];
    expect(approvals($.auditSaid(streamJson, said))).toEqual(['unasked mode - unknown f5 [interrupted]']);
    expect(approvals($.auditSaid(streamJson, [...yolo, progress, ...said.slice(3)]))).toEqual([
      'unasked mode - partly f6 [interrupted]',
    ]);
  });

  it('a success of which a part is missing ran in part', () => {
    const content = [{ type: 'tool_result', tool_use_id: 'c', content: 'one two' }];
    const cut = says('user', content, { tool_use_result: { stdout: 'one two', interrupted: true } });
    expect(approvals($.auditSaid(streamJson, [...begun, ...allowed, cut, result()]))).toEqual([
      'allow client f5 partly f6 [interrupted]',
    ]);
  });

  it('a command that ended by itself after the interrupt ran', () => {
    const ok = says('user', [{ type: 'tool_result', tool_use_id: 'c', content: 'made' }]);
    expect(approvals($.auditSaid(streamJson, [...begun, ...allowed, interrupt, ok, result()]))).toEqual([
      'allow client f5 yes f7 []',
    ]);
  });

  describe('permission_denials', () => {
    const denials = ['a', 'b'].map((id) => ({
      ...{ tool_name: id === 'a' ? 'Bash' : 'Write', tool_use_id: id },
      tool_input: { [id === 'a' ? 'command' : 'file_path']: `x-${id}` },
    }));
    const command = ['claude', '-p', 'go', '--output-format', 'json'];

    it('are rows where the result is all that the agent prints', () => {
      const audited = $.auditSaid(streamJson, [result(denials)], command);
      expect(audited.rows.map((row) => `f${row.f} ${row.turn} ${row.tool} ${$.words(row)}`)).toEqual([
        'f1 1 Bash unasked agent - no - [rule-denied]',
        'f1 1 Write unasked agent - no - [rule-denied]',
      ]);
      expect(audited.rows.map((row) => row.arguments)).toEqual([{ command: 'x-a' }, { file_path: 'x-b' }]);
    });

    it('stay one row each where the calls were told before', () => {
      const call = says('assistant', [{ type: 'tool_use', id: 'a', name: 'Bash', input: { command: 'x-a' } }]);
      const audited = $.auditSaid(streamJson, [...begun.slice(0, 2), call, result(denials.slice(0, 1))]);
      expect(approvals(audited)).toEqual(['unasked agent - no - [rule-denied]']);
    });
  });
});

describe('ACP', () => {
  const update = (sessionUpdate: string, more: object): Said => [
    'agent',
    tell('session/update', { sessionId: 's', update: { sessionUpdate, toolCallId: 'c', ...more } }),
  ];
  const options = [{ optionId: 'y', name: 'Yes', kind: 'allow_once' }];
  const allowed: Said[] = [
    ['client', ask(1, 'session/new', { cwd: '/w', mcpServers: [] })],
    ['agent', answer(1, { sessionId: 's' })],
    ['client', ask(2, 'session/prompt', { sessionId: 's', prompt: [] })],
    update('tool_call', { title: 'run', kind: 'execute', rawInput: { command: 'make' }, status: 'pending' }),
    ['agent', ask(3, 'session/request_permission', { sessionId: 's', toolCall: { toolCallId: 'c' }, options })],
    ['client', answer(3, { outcome: { outcome: 'selected', optionId: 'y' } })],
  ];
  const cancel: Said = ['client', tell('session/cancel', { sessionId: 's' })];
  const failed = (text: string, more: object = {}) =>
    update('tool_call_update', {
      status: 'failed',
      content: [{ type: 'content', content: { type: 'text', text } }],
      ...more,
    });
  const over: Said = ['agent', answer(2, { stopReason: 'cancelled' })];
  const told = (...said: Said[]) => approvals($.auditSaid(acp, [...allowed, ...said, over]));

  it.each([
    ['client interrupt', 'partly'],
    ['Tool execution aborted', 'partly'],
    ['exit code: 143', 'partly'],
    ['[Operation Cancelled] Reason: user cancelled', 'unknown'],
  ])('a call that failed after the cancel with "%s": %s', (text, executed) => {
    expect(told(cancel, failed(text))).toEqual([`allow client f6 ${executed} f8 [interrupted]`]);
  });

  it('a command that failed by itself ran, whatever it prints', () => {
    expect(told(failed('make: *** interrupted'))).toEqual(['allow client f6 yes f7 [error-result]']);
  });

  it('the agent says that it did not execute it', () => {
    const meta = { _meta: { claudeCode: { nonExecutionKind: 'permission-rule' } } };
    expect(told(failed('denied', meta))).toEqual(['allow client f6 no f7 []']);
  });

  it('the agent is killed while it runs', () => {
    const output = update('tool_call_update', {
      content: [{ type: 'content', content: { type: 'text', text: 'tick' } }],
    });
    const said = [...allowed, output, ['exit', { code: null, signal: 'SIGKILL' }]] as (Said | $.Happening)[];
    expect(approvals($.auditSaid(acp, said))).toEqual(['allow client f6 partly - [interrupted no-result]']);
  });
});

describe('others', () => {
  it('pi: aborted before anything was seen of it', () => {
    const said: Said[] = [
      ['client', { id: '1', type: 'prompt', message: 'go' }],
      ['agent', { id: '1', type: 'response', command: 'prompt', success: true }],
      ['agent', { type: 'agent_start' }],
      ['agent', { type: 'tool_execution_start', toolCallId: 'c', toolName: 'bash', args: { command: 'make' } }],
      ['client', { id: '2', type: 'abort' }],
      [
        'agent',
        {
          ...{ type: 'tool_execution_end', toolCallId: 'c', toolName: 'bash', isError: true },
          result: { content: [{ type: 'text', text: 'Command aborted' }] },
        },
      ],
    ];
    expect(approvals($.auditSaid(pi, said, ['pi', '--mode', 'rpc']))).toEqual([
      'unasked agent - partly f6 [interrupted]',
    ]);
  });

  it('codex: interrupted with an exit code', () => {
    const OF = { threadId: 't', turnId: 'u' };
    const item = { type: 'commandExecution', id: 'c', command: 'make', cwd: '/w', source: 'agent' };
    const said: Said[] = [
      ['client', { id: 1, method: 'thread/start', params: {} }],
      [
        'agent',
        { id: 1, result: { thread: { id: 't' }, approvalPolicy: 'never', sandbox: { type: 'dangerFullAccess' } } },
      ],
      ['client', { id: 2, method: 'turn/start', params: { threadId: 't', input: [] } }],
      ['agent', { id: 2, result: { turn: { id: 'u', status: 'inProgress' } } }],
      ['agent', { method: 'turn/started', params: { threadId: 't', turn: { id: 'u' } } }],
      ['agent', { method: 'item/started', params: { ...OF, item: { ...item, status: 'inProgress' } } }],
      ['client', { id: 3, method: 'turn/interrupt', params: OF }],
      ['agent', { method: 'item/completed', params: { ...OF, item: { ...item, status: 'failed', exitCode: 137 } } }],
    ];
    expect(approvals($.auditSaid(codex, said))).toEqual(['unasked mode - partly f8 [interrupted]']);
  });

  it('copilot: aborted while it ran', () => {
    const event = (type: string, data: object): Said => [
      'agent',
      { jsonrpc: '2.0', method: 'session.event', params: { sessionId: 's', event: { type, data } } },
    ];
    const said: Said[] = [
      ['client', ask(1, 'session.create', {})],
      ['agent', answer(1, { sessionId: 's' })],
      ['client', ask(2, 'session.send', { sessionId: 's', prompt: 'go' })],
      ['agent', answer(2, { messageId: 'm' })],
      event('user.message', { content: 'go' }),
      event('tool.execution_start', { toolCallId: 'c', toolName: 'bash', arguments: { command: 'make' } }),
      event('tool.execution_partial_result', { toolCallId: 'c', partialOutput: 'tick' }),
      ['client', ask(3, 'session.abort', { sessionId: 's' })],
      event('tool.execution_complete', {
        toolCallId: 'c',
        success: false,
        error: { message: 'The execution was aborted' },
      }),
    ];
    expect(approvals($.auditSaid(copilot, said))).toEqual(['unasked agent - partly f9 [interrupted]']);
  });
});
