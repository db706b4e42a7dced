/** Codex's app-server, line by line: what no tape has, and what must not be read wrong. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codex } from '../../../lib/dialects/codex/index.ts';
import { codexReply } from '../../../lib/dialects/codex/reply.ts';
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
  refuses,
  started,
  tells,
  wants,
} from '../../support/codex.ts';
import { eventsOf, framesOf, kinds, only, type Said, timelineIn } from '../../support/reading.ts';

const read = (...said: Said[]) => eventsOf(codex, said);
const last = (...said: Said[]) => read(...said).at(-1)!;
const begun: Said[] = [...hello, ...opens(1), ...begins(2)];

describe('approvals', () => {
  const asked = (method: string, params: object, result: unknown) => {
    const [request, answer] = read(...begun, ['agent', asks(0, method, params)], ['client', answers(0, result)]).slice(
      -2,
    );
    return { request: only(request!, 'approval'), answer: only(answer!, 'approval-answer') };
  };

  it.each<[unknown, string | null, string | null, object | undefined]>([
    ['accept', 'allow', 'accept', undefined],
    ['acceptForSession', 'allow-always', 'acceptForSession', { is: 'same' }],
    ['decline', 'deny', 'decline', undefined],
    ['cancel', 'cancelled', 'cancel', undefined],
    [
      { acceptWithExecpolicyAmendment: { execpolicy_amendment: ['git', 'log'] } },
      ...(['allow-always', 'acceptWithExecpolicyAmendment', { is: 'prefix', words: ['git', 'log'] }] as const),
    ],
    [
      { applyNetworkPolicyAmendment: { network_policy_amendment: { host: 'a.b', action: 'allow' } } },
      ...(['allow-always', 'applyNetworkPolicyAmendment', undefined] as const),
    ],
    [
      { applyNetworkPolicyAmendment: { network_policy_amendment: { host: 'a.b', action: 'deny' } } },
      ...(['deny', 'applyNetworkPolicyAmendment', undefined] as const),
    ],
    ['approved', null, 'approved', undefined],
    ['toString', null, 'toString', undefined],
    [7, null, null, undefined],
  ])('of a command, answered with %j', (decision, meaning, option, covers) => {
    const { answer } = asked(
      'item/commandExecution/requestApproval',
      { ...OF, itemId: 'c', command: 'ls' },
      { decision },
    );
    expect(answer).toMatchObject({ decision: meaning, option });
    expect(answer.covers).toEqual(covers);
    expect(answer.flags).toEqual(meaning === null ? [option === null ? 'bad-shape' : 'bad-word'] : undefined);
  });

  it('of a host and of more input say what they are for', () => {
    const host = { host: 'example.com', protocol: 'https' };
    const net = asked(
      'item/commandExecution/requestApproval',
      { ...OF, itemId: 'c', networkApprovalContext: host },
      {},
    );
    expect(net.request).toMatchObject({ action: 'network', arguments: host });
    const stdin = { ...OF, itemId: 'c', kind: 'stdin', command: 'y' };
    expect(asked('item/commandExecution/requestApproval', stdin, {}).request.action).toBe('stdin');
  });

  it.each([
    [{ permissions: { network: { enabled: true } }, scope: 'turn' }, 'allow'],
    [{ permissions: { network: { enabled: true } }, scope: 'session' }, 'allow-always'],
    [{ permissions: {}, scope: 'turn' }, 'deny'],
    [{ permissions: { network: null, fileSystem: null } }, 'deny'],
    [{ decision: 'accept' }, null],
  ])('of permissions, answered with %j', (result, decision) => {
    const permissions = { network: { enabled: true }, fileSystem: null };
    const params = { ...OF, itemId: 'c', cwd: '/w', reason: 'fetch', permissions };
    const { request, answer } = asked('item/permissions/requestApproval', params, result);
    expect(request).toMatchObject({
      action: 'permissions',
      description: 'fetch',
      arguments: { permissions, cwd: '/w' },
    });
    expect(answer.decision).toBe(decision);
  });

  it('of changes have the changes of their item', () => {
    const changes = [
      { path: '/w/a', kind: { type: 'update', move_path: null }, diff: '@@ -3,2 +3,2 @@\n x\n-a\n+b\n' },
    ];
    const said: Said[] = [
      ...begun,
      started('fileChange', 'c', { changes }),
      ['agent', asks(0, 'item/fileChange/requestApproval', { ...OF, itemId: 'c', reason: null, grantRoot: null })],
    ];
    expect(only(last(...said), 'approval')).toMatchObject({
      ...{ action: 'edit', arguments: { changes } },
      displays: [{ type: 'diff', path: '/w/a', before: 'x\na\n', after: 'x\nb\n', lines: [3, 3] }],
    });
  });

  it.each([
    ['execCommandApproval', { callId: 'c', command: ['ls', '-l'], cwd: '/w' }, 'exec_command'],
    ['applyPatchApproval', { callId: 'c', fileChanges: { '/w/a': { add: { content: 'x\n' } } } }, 'patch_apply'],
  ])('by the old name %s', (method, params, tool) => {
    for (const [decision, meaning] of [
      ['approved', 'allow'],
      ['approved_for_session', 'allow-always'],
      ['denied', 'deny'],
      [{ denied: { rejection: 'not now' } }, 'deny'],
      ['abort', 'cancelled'],
      ['accept', null],
    ]) {
      const { request, answer } = asked(method, { conversationId: 't1', ...params }, { decision });
      expect(request).toMatchObject({ tool, call: 'c' });
      expect(answer.decision).toBe(meaning);
    }
    expect(asked(method, params, { decision: { denied: { rejection: 'not now' } } }).answer.feedback).toBe('not now');
  });

  const calls: Said[] = [
    started('mcpToolCall', 'c1', { server: 'calc', tool: 'add', arguments: { a: 1 } }),
    started('mcpToolCall', 'c2', { server: 'calc', tool: 'add', arguments: { a: 2 } }),
    started('mcpToolCall', 'c3', { server: 'other', tool: 'add', arguments: { a: 1 } }),
  ];
  const form = (meta: object) => ({
    ...{ ...OF, serverName: 'calc', mode: 'form', message: 'Allow?', requestedSchema: { properties: {} }, _meta: meta },
  });

  it('of MCP tools are elicitations that say so, about the call with the same arguments', () => {
    const meta = { codex_approval_kind: 'mcp_tool_call', tool_params: { a: 1 }, persist: ['session', 'always'] };
    const request = last(...begun, ...calls, ['agent', asks(0, 'mcpServer/elicitation/request', form(meta))]);
    expect(only(request, 'approval')).toMatchObject({ call: 'c1', tool: 'add', arguments: { a: 1 } });
    expect(only(request, 'approval').options.map(({ id }) => id)).toEqual([
      ...['accept', 'session', 'always', 'decline', 'cancel'],
    ]);
    for (const [result, decision] of [
      [{ action: 'accept', content: {}, _meta: null }, 'allow'],
      [{ action: 'accept', _meta: { persist: 'always' } }, 'allow-always'],
      [{ action: 'decline' }, 'deny'],
      [{ action: 'cancel' }, 'cancelled'],
      [{ action: 'approve' }, null],
    ] as const) {
      expect(asked('mcpServer/elicitation/request', form(meta), result).answer.decision).toBe(decision);
    }
  });

  it('of a server that asks for itself are questions', () => {
    const asks0: Said = ['agent', asks(0, 'mcpServer/elicitation/request', form({}))];
    const [question, answer] = read(...begun, asks0, ['client', answers(0, { action: 'decline' })]).slice(-2);
    expect([kinds(question!), kinds(answer!)]).toEqual(['question', 'question-answer']);
  });

  it('are resolved as they were answered, or withdrawn', () => {
    const resolved: Said = ['agent', tells('serverRequest/resolved', { threadId: 't1', requestId: 0 })];
    const answered = last(...begun, wants(0, 'c'), decides(0, 'decline'), resolved);
    expect(only(answered, 'approval-resolved')).toMatchObject({ request: '0', decision: 'deny' });
    expect(only(last(...begun, wants(0, 'c'), resolved), 'cancel')).toMatchObject({ of: '0' });
    expect(kinds(last(...begun, resolved))).toBe('status');
  });
});

describe('turns', () => {
  it('are taken up by the answer, or by what comes before it', () => {
    const early: Said[] = [
      ['client', asks(2, 'turn/start', { threadId: 't1', input: [] })],
      ['agent', tells('turn/started', { threadId: 't1', turn: { id: 'u1', rootTurnId: 'u1' } })],
      ['agent', answers(2, { turn: { id: 'u1' } })],
      ends(),
    ];
    const events = read(...hello, ...opens(1), ...early).slice(-4);
    expect(events.map(([event]) => event!.takes)).toEqual([undefined, 5, undefined, undefined]);
    expect(events[3]![0]).toMatchObject({ kind: 'prompt-answer', prompt: 5, status: 'completed' });
  });

  it('that are refused never begin', () => {
    const refused = last(...hello, ...opens(1), begins(2)[0]!, ['agent', refuses(2)]);
    expect(refused).toMatchObject([{ kind: 'prompt-answer', prompt: 5, status: 'error', code: -32600 }]);
    expect(refused[0]!.takes).toBeUndefined();
  });

  it('that no prompt began have no number', () => {
    const turn = { id: 'u9', rootTurnId: 'u9' };
    const said: Said[] = [
      ...[...hello, ...opens(1)],
      ['agent', tells('turn/started', { threadId: 't1', turn })],
      ends('completed', 'u9'),
    ];
    expect(
      read(...said)
        .slice(-2)
        .map(kinds),
    ).toEqual(['turn-begin', 'turn-end']);
    expect(timelineIn(framesOf(said)).counts.turns).toBe(0);
  });

  it('of several threads are open at once, and each line is of its own', () => {
    const said: Said[] = [...hello, ...opens(1), ...opens(2, 't2'), ...begins(3), ...begins(4, 'go', 'u2', 't2')];
    const [first, second] = read(
      ...said,
      ['agent', tells('item/agentMessage/delta', { threadId: 't1', turnId: 'u1', itemId: 'm', delta: 'a' })],
      ['agent', tells('item/agentMessage/delta', { threadId: 't2', turnId: 'u2', itemId: 'n', delta: 'b' })],
    ).slice(-2);
    expect([first![0]!.within, second![0]!.within]).toEqual([7, 9]);
    const ended = timelineIn(framesOf([...said, ends(), ends('interrupted', 'u2', 't2')]));
    expect(ended.entries.flatMap((one) => (one.is === 'turn' ? [one.status] : []))).toEqual(['completed', 'cancelled']);
  });
});

describe('tokens', () => {
  const total = (inputTokens: number) => ({ inputTokens, cachedInputTokens: 0, outputTokens: 1, totalTokens: 9 });
  const told = (input: number, threadId = 't1', turnId = 'u1'): Said => {
    const tokenUsage = { total: total(input), last: total(10), modelContextWindow: 90 };
    return ['agent', tells('thread/tokenUsage/updated', { threadId, turnId, tokenUsage })];
  };
  const sum = (...said: Said[]) => timelineIn(framesOf([...begun, ...said])).usage.input;

  it('are added when their sum has changed', () => {
    expect(sum(told(10), told(10), told(20), ends())).toBe(20);
  });

  it('of a thread that is loaded are not of this session', () => {
    const fork: Said[] = [
      ['client', asks(3, 'thread/fork', { threadId: 't1' })],
      ['agent', answers(3, { thread: { id: 't2' } })],
    ];
    expect(sum(told(10), ends(), ...fork, told(10, 't2'))).toBe(10);
    expect(sum(told(10), ends(), ...fork, told(10, 't2'), ...begins(4, 'go', 'u2', 't2'), told(20, 't2', 'u2'))).toBe(
      20,
    );
  });
});

describe('modes', () => {
  const modes = (...said: Said[]) =>
    read(...hello, ...said)
      .flat()
      .flatMap((event) => (event.kind === 'mode' ? [event.mode] : event.kind === 'handshake' ? [event.about.mode] : []))
      .filter((mode) => mode !== undefined);

  it('are the policy and the sandbox, and who is asked if not the client', () => {
    expect(modes(...opens(1))).toEqual(['untrusted/danger-full-access']);
    expect(modes(...opens(1, 't1', { approvalPolicy: { granular: {} }, sandbox: { type: 'readOnly' } }))).toEqual([
      'granular/read-only',
    ]);
    const guarded = {
      approvalPolicy: 'on-request',
      sandbox: { type: 'workspaceWrite' },
      approvalsReviewer: 'auto_review',
    };
    expect(modes(...opens(1, 't1', guarded))).toEqual(['on-request/workspace-write/auto_review']);
  });

  it('change with the settings; planning is apart', () => {
    const updated = (threadSettings: object): Said => [
      'agent',
      tells('thread/settings/updated', { threadId: 't1', threadSettings }),
    ];
    expect(
      modes(
        ...opens(1),
        updated(SAME),
        updated({ ...SAME, approvalPolicy: 'never' }),
        updated({ ...SAME, approvalPolicy: 'never', collaborationMode: { mode: 'plan' } }),
        updated({ ...SAME, approvalPolicy: 'never', collaborationMode: { mode: 'default' } }),
      ),
    ).toEqual(['untrusted/danger-full-access', 'never/danger-full-access', 'plan', null]);
  });

  it('change with a prompt that sets them, if the agent takes it', () => {
    const prompts = (id: number, more: object): Said => [
      'client',
      asks(id, 'turn/start', { threadId: 't1', input: [], ...more }),
    ];
    const takes = (id: number): Said => ['agent', answers(id, { turn: { id: `u${id}`, status: 'inProgress' } })];
    const free = { approvalPolicy: 'never', sandboxPolicy: { type: 'readOnly' } };
    expect(modes(...opens(1), prompts(2, free), takes(2), prompts(3, {}), takes(3))).toEqual([
      'untrusted/danger-full-access',
      'never/read-only',
    ]);
    expect(modes(...opens(1), prompts(2, free), ['agent', refuses(2)])).toEqual(['untrusted/danger-full-access']);
  });
});

const SAME = { approvalPolicy: 'untrusted', sandboxPolicy: { type: 'dangerFullAccess' } };

describe('the protocol before threads', () => {
  const event = (type: string, more: object = {}): Said => [
    'agent',
    tells(`codex/event/${type}`, { conversationId: 'k', id: '1', msg: { type, ...more } }),
  ];
  const said: Said[] = [
    ...hello,
    ['client', asks(1, 'newConversation', { cwd: '/w' })],
    ['agent', answers(1, { conversationId: 'k', model: 'm' })],
    ['client', asks(2, 'sendUserTurn', { conversationId: 'k', items: [{ type: 'text', data: { text: 'go' } }] })],
    ['agent', answers(2, {})],
    event('task_started'),
    event('agent_message_delta', { delta: 'Hi' }),
    event('agent_message', { message: 'Hi' }),
    event('exec_command_begin', { call_id: 'c', command: ['ls'], cwd: '/w' }),
    ['agent', asks(0, 'execCommandApproval', { conversationId: 'k', callId: 'c', command: ['ls'], cwd: '/w' })],
    decides(0, 'approved'),
    event('exec_command_end', { call_id: 'c', exit_code: 0, aggregated_output: 'a' }),
    event('token_count', {
      info: { last_token_usage: { input_tokens: 9, output_tokens: 1 }, total_token_usage: { x: 1 } },
    }),
    event('task_complete'),
  ];

  it('has turns, text, calls and approvals too', () => {
    const timeline = timelineIn(framesOf(said));
    expect(timeline.dialect).toBe('codex');
    expect(timeline.counts).toEqual({ turns: 1, tools: 1, approvals: 1, errors: 0 });
    const [turn] = timeline.entries.filter((one) => one.is === 'turn');
    expect(turn).toMatchObject({ status: 'completed', prompt: { text: 'go' }, usage: { input: 9, output: 1 } });
  });
});

describe('whatever is sent', () => {
  const methods = [
    ...['item/started', 'item/completed', 'turn/started', 'turn/completed', 'thread/tokenUsage/updated', 'error'],
    ...['item/agentMessage/delta', 'serverRequest/resolved', 'thread/settings/updated', 'hook/completed'],
    ...['codex/event/x', 'item/fileChange/patchUpdated', 'turn/plan/updated', 'initialize', 'turn/start', 'turn/steer'],
    ...['item/commandExecution/requestApproval', 'mcpServer/elicitation/request', 'item/tool/requestUserInput'],
  ];
  const line = fc.record(
    {
      id: fc.oneof(fc.integer(), fc.string(), fc.constant(null)),
      method: fc.constantFrom(...methods),
      params: fc.jsonValue(),
    },
    { requiredKeys: ['method'] },
  );
  const result = fc.record({ id: fc.integer({ min: 0, max: 3 }), result: fc.jsonValue() });

  it('is read, and never throws', () => {
    const said = fc.tuple(fc.constantFrom('client' as const, 'agent' as const), fc.oneof(line, result));
    fc.assert(
      fc.property(fc.array(said, { maxLength: 20 }), (lines) => {
        for (const events of read(...begun, ...lines)) expect(events.length).toBeGreaterThan(0);
      }),
    );
  });

  it('stays visible where it is unknown', () => {
    expect(last(...begun, ['agent', tells('item/dance', OF)])).toMatchObject([{ kind: 'other', name: 'item/dance' }]);
    expect(last(...begun, started('dance', 'd'))).toMatchObject([{ kind: 'other', name: 'dance' }]);
    expect(last(...begun, ['agent', asks(9, 'item/dance/requestApproval', OF)])).toMatchObject([{ kind: 'other' }]);
    expect(last(...begun, completed('webSearch', 'w', { query: 'x' })).map(({ kind }) => kind)).toEqual([
      ...['tool-call', 'tool-result'],
    ]);
  });
});

describe('what to send', () => {
  const reply = (method: string, params: object = {}) => codexReply(asks(7, method, params));

  it.each<[string, object, unknown, readonly string[]]>([
    ['item/commandExecution/requestApproval', {}, { decision: 'accept' }, ['acceptForSession', 'decline', 'cancel']],
    ['applyPatchApproval', {}, { decision: 'approved' }, ['approved_for_session', 'denied', 'abort']],
    [
      'item/permissions/requestApproval',
      { permissions: { a: 1 } },
      { permissions: { a: 1 }, scope: 'turn' },
      ['session'],
    ],
    [
      'item/tool/requestUserInput',
      { questions: [{ id: 'q', options: [{ label: 'Red' }] }] },
      { answers: { q: { answers: ['Red'] } } },
      [],
    ],
    ['mcpServer/elicitation/request', {}, { action: 'accept', content: {}, _meta: null }, ['decline', 'cancel']],
    ['turn/steer', { expectedTurnId: 'u1' }, { turnId: 'u1' }, []],
  ])('as the answer to %s', (method, params, result, or) => {
    expect(reply(method, params)).toEqual({ line: { id: 7, result }, or });
  });

  it('is unknown for other requests', () => {
    expect(reply('model/list')).toBeNull();
    expect(reply('toString')).toBeNull();
  });
});
