/** The rules of ACP, each broken and nearly. */
import { ACP_RULES } from '../../../../lib/dialects/acp/rules/index.ts';
import { a, type Case, c, checkCases, done, eof, exit } from '../../../support/check.ts';
import { answer, ask, refuse, tell } from '../../../support/reading.ts';
import { ACP_V2_CASES } from './acp-v2-cases.ts';

const initialize = (capabilities: object = {}, version = 1) =>
  c(ask(0, 'initialize', { protocolVersion: version, clientCapabilities: capabilities }));
const welcome = (capabilities: object = {}, more: object = {}) =>
  a(answer(0, { protocolVersion: 1, agentCapabilities: capabilities, authMethods: [], ...more }));
const create = (id: number, params: object = {}) => c(ask(id, 'session/new', { cwd: '/w', mcpServers: [], ...params }));
const created = (id: number, more: object = {}) => a(answer(id, { sessionId: 's', ...more }));
const of = (more: object = {}) => ({ sessionId: 's', ...more });
const begun = (ofClient: object = {}, ofAgent: object = {}, more: object = {}) => [
  ...[initialize(ofClient), welcome(ofAgent), create(1), created(1, more)],
];
const prompt = (id: number, ...blocks: object[]) =>
  c(ask(id, 'session/prompt', of({ prompt: blocks.length > 0 ? blocks : [{ type: 'text', text: 'go' }] })));
const ends = (id: number, stopReason = 'end_turn') => a(answer(id, { stopReason }));
const update = (sessionUpdate: string, more: object = {}) =>
  a(tell('session/update', of({ update: { sessionUpdate, ...more } })));
const call = (id: string, more: object = {}) => update('tool_call', { toolCallId: id, title: 'Write', ...more });
const on = (id: string, status: string) => update('tool_call_update', { toolCallId: id, status });
const says = update('agent_message_chunk', { content: { type: 'text', text: 'hi' } });
const cancel = c(tell('session/cancel', of()));
const option = (optionId: string) => ({ optionId, name: 'Yes', kind: 'allow_once' });
const asks = (id: number, options: object[] = [option('yes'), option('no')], toolCallId = 'c1') =>
  a(ask(id, 'session/request_permission', of({ toolCall: { toolCallId }, options })));
const command = { kind: 'execute', rawInput: { command: 'rm x' } };
const runs = call('tc-1', command);
const wants = (id: number, toolCallId: string) =>
  a(
    ask(
      id,
      'session/request_permission',
      of({ toolCall: { toolCallId, ...command }, options: [option('yes'), option('no')] }),
    ),
  );
const chooses = (id: number, optionId: string) => c(answer(id, { outcome: { outcome: 'selected', optionId } }));
const files = { fs: { readTextFile: true, writeTextFile: true }, terminal: true };
const terminal = (id: number, method: string, terminalId = 't') => a(ask(id, `terminal/${method}`, of({ terminalId })));
const newTerminal = [a(ask(10, 'terminal/create', of({ command: 'ls' }))), c(answer(10, { terminalId: 't' }))];
const ok = (id: number) => c(answer(id, {}));
const shown = { content: [{ type: 'terminal', terminalId: 't' }] };
const ofTerminal = (terminal_id: string) => ({ _meta: { terminal_info: { terminal_id } } });
const modes = { modes: { currentModeId: 'ask', availableModes: [{ id: 'ask' }, { id: 'code' }] } };

const cases: Case[] = [
  {
    // An agent that serves a client which is too early is not to blame.
    rule: 'acp-initialize-first',
    breaks: [create(0), says, a(answer(0, { sessionId: 's' })), ...done],
    told: ['acp-initialize-first error client f1', 'acp-session-unknown info agent f2'],
    near: [...begun(), ...done],
  },
  {
    rule: 'acp-initialize-first',
    breaks: [says, create(0), a(answer(0, { sessionId: 's' })), ...done],
    told: [
      'acp-initialize-first error agent f1',
      'acp-session-unknown error agent f1',
      'acp-initialize-first error client f2',
    ],
    near: [...begun(), ...done],
  },
  {
    rule: 'acp-initialize-first',
    breaks: [create(0), a(answer(0, { sessionId: 's' })), ...done],
    told: ['acp-initialize-first error client f1'],
    near: [...begun(), ...done],
  },
  {
    rule: 'acp-initialize-first',
    breaks: [initialize(), create(1), welcome(), created(1), ...done],
    told: ['acp-initialize-first error client f2'],
    near: [initialize(), welcome(), create(1), created(1), ...done],
  },
  // A notification does no harm.
  {
    rule: 'acp-initialize-first',
    breaks: [initialize(), c(tell('_hurry')), welcome(), ...done],
    told: ['acp-initialize-first warning client f2'],
    near: [initialize(), welcome(), c(tell('_hurry')), ...done],
  },
  {
    rule: 'acp-initialize-again',
    breaks: [
      initialize(),
      welcome(),
      c(ask(1, 'initialize', { protocolVersion: 1 })),
      a(answer(1, { protocolVersion: 1 })),
      ...done,
    ],
    told: ['acp-initialize-again warning client f3'],
    near: [...begun(), ...done],
  },
  // Whoever leaves does right, and so does whoever speaks an older version too.
  {
    rule: 'acp-version',
    breaks: [initialize(), welcome({}, { protocolVersion: 2 }), create(1), created(1), ...done],
    told: ['acp-version warning client f3'],
    near: [initialize(), welcome({}, { protocolVersion: 2 }), ...done],
  },
  {
    rule: 'acp-version',
    breaks: [initialize({}, 2), welcome({}, { protocolVersion: 3 }), create(1), created(1), ...done],
    told: ['acp-version warning client f3'],
    near: [initialize({}, 2), welcome(), create(1), created(1), ...done],
  },
  // In a later version other rules hold.
  {
    rule: 'acp-batch',
    breaks: [...begun(), c([tell('session/cancel', of())]), prompt(2), ...done],
    told: ['acp-batch error client f5', 'rpc-unanswered-by-agent warning unknown f6'],
    near: [
      initialize({}, 3),
      welcome({}, { protocolVersion: 3 }),
      c([tell('session/cancel', of())]),
      prompt(2),
      ...done,
    ],
    nearTold: ['rpc-unanswered-by-agent warning unknown f4'],
  },
  {
    rule: 'acp-direction',
    breaks: [...begun(), a(ask(5, 'session/prompt', of({ prompt: [] }))), c(refuse(5, -32601)), ...done],
    told: ['acp-direction error agent f5'],
    near: [...begun(), a(ask(5, '_session/prompt')), c(refuse(5, -32601)), ...done],
  },
  {
    rule: 'acp-envelope',
    breaks: [
      ...begun(),
      c(tell('session/prompt', of({ prompt: [] }))),
      c(ask(5, 'session/cancel', of())),
      a(refuse(5, -32601)),
      ...done,
    ],
    told: ['acp-envelope error client f5', 'acp-envelope error client f6', 'acp-cancel-idle info client f6'],
    near: [...begun(), prompt(2), ends(2), ...done],
  },
  {
    rule: 'acp-extension',
    breaks: [...begun(), a(tell('qwen/notify')), a(tell('qwen/notify')), ...done],
    told: ['acp-extension info agent f5'],
    near: [...begun(), a(tell('_qwen/notify')), c(tell('$/cancel_request', { requestId: 1 })), ...done],
  },
  {
    rule: 'acp-batch',
    breaks: [...begun(), c([tell('session/cancel', of())]), ...done],
    told: ['acp-batch error client f5'],
    near: [...begun(), ...done],
  },
  {
    rule: 'acp-client-capability',
    breaks: [
      ...begun({ fs: { readTextFile: true } }),
      prompt(2),
      a(ask(3, 'fs/write_text_file', of({ path: '/a', content: '' }))),
      ok(3),
      ends(2),
      ...done,
    ],
    told: ['acp-client-capability error agent f6'],
    near: [
      ...begun(files),
      prompt(2),
      a(ask(3, 'fs/write_text_file', of({ path: '/a', content: '' }))),
      ok(3),
      ends(2),
      ...done,
    ],
  },
  {
    rule: 'acp-client-capability',
    breaks: [
      ...begun(),
      prompt(2),
      a(ask(3, 'fs/read_text_file', of({ path: '/a' }))),
      c(answer(3, { content: '' })),
      ...newTerminal,
      terminal(11, 'release'),
      ok(11),
      ends(2),
      ...done,
    ],
    told: [
      'acp-client-capability error agent f6',
      'acp-client-capability error agent f8',
      'acp-client-capability error agent f10',
    ],
    near: [
      ...begun(files),
      prompt(2),
      a(ask(3, 'fs/read_text_file', of({ path: '/a' }))),
      c(answer(3, { content: '' })),
      ...newTerminal,
      terminal(11, 'release'),
      ok(11),
      ends(2),
      ...done,
    ],
  },
  {
    rule: 'acp-agent-capability',
    breaks: [
      ...begun(),
      c(ask(2, 'session/load', of({ cwd: '/w', mcpServers: [] }))),
      a(answer(2, null)),
      c(ask(3, 'session/list')),
      a(answer(3, { sessions: [] })),
      ...done,
    ],
    told: ['acp-agent-capability error client f5', 'acp-agent-capability error client f7'],
    near: [
      ...begun({}, { loadSession: true, sessionCapabilities: { list: {} } }),
      c(ask(2, 'session/load', of({ cwd: '/w', mcpServers: [] }))),
      a(answer(2, null)),
      c(ask(3, 'session/list')),
      a(answer(3, { sessions: [] })),
      ...done,
    ],
  },
  {
    rule: 'acp-prompt-capability',
    breaks: [
      ...begun({}, { promptCapabilities: { image: true } }),
      prompt(2, { type: 'audio', data: '', mimeType: 'a/b' }, { type: 'resource', resource: { uri: 'u', text: '' } }),
      ends(2),
      ...done,
    ],
    told: ['acp-prompt-capability error client f5', 'acp-prompt-capability error client f5'],
    near: [
      ...begun({}, { promptCapabilities: { image: true } }),
      prompt(2, { type: 'image', data: '', mimeType: 'a/b' }, { type: 'resource_link', uri: 'u', name: 'n' }),
      ends(2),
      ...done,
    ],
  },
  {
    rule: 'acp-mcp-capability',
    breaks: [
      initialize(),
      welcome(),
      create(1, { mcpServers: [{ type: 'http', name: 'm', url: 'u', headers: [] }] }),
      created(1),
      ...done,
    ],
    told: ['acp-mcp-capability error client f3'],
    near: [
      initialize(),
      welcome({ mcpCapabilities: { http: true } }),
      create(1, {
        mcpServers: [
          { type: 'http', name: 'm', url: 'u', headers: [] },
          { name: 'm', command: 'c', args: [], env: [] },
        ],
      }),
      created(1),
      ...done,
    ],
  },
  {
    rule: 'acp-auth-method',
    breaks: [initialize(), welcome(), c(ask(1, 'authenticate', { methodId: 'x' })), a(answer(1, {})), ...done],
    told: ['acp-auth-method error client f3'],
    near: [
      initialize(),
      welcome({}, { authMethods: [{ id: 'x', name: 'X' }] }),
      c(ask(1, 'authenticate', { methodId: 'x' })),
      a(answer(1, {})),
      ...done,
    ],
  },
  {
    rule: 'acp-session-unknown',
    breaks: [initialize(), welcome(), prompt(1), a(refuse(1, -32602)), ...done],
    told: ['acp-session-unknown error client f3'],
    near: [...begun(), prompt(2), ends(2), ...done],
  },
  {
    rule: 'acp-session-unknown',
    breaks: [initialize(), welcome(), says, says, ...done],
    told: ['acp-session-unknown error agent f3'],
    near: [
      initialize(),
      welcome({ loadSession: true }),
      c(ask(1, 'session/load', of({ cwd: '/w', mcpServers: [] }))),
      says,
      a(answer(1, null)),
      ...done,
    ],
  },
  // Too early, but about a session that will be.
  {
    rule: 'acp-session-unknown',
    breaks: [initialize(), welcome(), create(1), says, created(1), says, ...done],
    told: ['acp-session-unknown info agent f4'],
    near: [initialize(), welcome(), create(1), created(1), says, ...done],
  },
  {
    rule: 'acp-session-closed',
    breaks: [
      ...begun({}, { sessionCapabilities: { close: {} } }),
      c(ask(2, 'session/close', of())),
      a(answer(2, {})),
      says,
      says,
      ...done,
    ],
    told: ['acp-session-closed warning agent f7'],
    near: [
      ...begun({}, { sessionCapabilities: { close: {} } }),
      c(ask(2, 'session/close', of())),
      says,
      a(answer(2, {})),
      ...done,
    ],
  },
  {
    rule: 'acp-prompt-busy',
    breaks: [...begun(), prompt(2), prompt(3), ends(2), ends(3), ...done],
    told: ['acp-prompt-busy warning client f6'],
    near: [...begun(), prompt(2), cancel, prompt(3), ends(2, 'cancelled'), ends(3), ...done],
  },
  {
    rule: 'acp-stop-reason',
    breaks: [...begun(), prompt(2), ends(2, 'done'), ...done],
    told: ['acp-stop-reason warning agent f6'],
    near: [...begun(), prompt(2), ends(2, 'refusal'), ...done],
  },
  {
    rule: 'acp-cancel',
    breaks: [...begun(), prompt(2), cancel, ends(2), ...done],
    told: ['acp-cancel warning agent f7'],
    near: [...begun(), prompt(2), cancel, ends(2, 'cancelled'), ...done],
  },
  {
    rule: 'acp-cancel',
    breaks: [...begun(), prompt(2), cancel, a(refuse(2, -32603, 'aborted')), ...done],
    told: ['acp-cancel error agent f7'],
    near: [...begun(), prompt(2), a(refuse(2, -32603)), ...done],
  },
  {
    rule: 'acp-cancel-idle',
    breaks: [...begun(), prompt(2), ends(2), cancel, ...done],
    told: ['acp-cancel-idle info client f7'],
    near: [...begun(), prompt(2), cancel, ends(2, 'cancelled'), ...done],
  },
  {
    rule: 'acp-mode-unknown',
    breaks: [
      ...begun({}, {}, modes),
      c(ask(2, 'session/set_mode', of({ modeId: 'yolo' }))),
      a(answer(2, {})),
      update('current_mode_update', { currentModeId: 'yolo' }),
      ...done,
    ],
    told: ['acp-mode-unknown error client f5', 'acp-mode-unknown error agent f7'],
    near: [
      ...begun({}, {}, modes),
      c(ask(2, 'session/set_mode', of({ modeId: 'code' }))),
      a(answer(2, {})),
      update('current_mode_update', { currentModeId: 'code' }),
      ...done,
    ],
  },
  {
    rule: 'acp-permission-options',
    breaks: [
      ...begun(),
      prompt(2),
      asks(3, []),
      c(answer(3, { outcome: { outcome: 'cancelled' } })),
      asks(4, [option('a'), option('a')]),
      chooses(4, 'a'),
      on('c1', 'completed'),
      ends(2),
      ...done,
    ],
    told: ['acp-permission-options error agent f6', 'acp-permission-options error agent f8'],
    near: [...begun(), prompt(2), asks(3, [option('a')]), chooses(3, 'a'), on('c1', 'completed'), ends(2), ...done],
  },
  {
    rule: 'acp-permission-answer',
    breaks: [
      ...begun(),
      prompt(2),
      asks(3),
      chooses(3, 'maybe'),
      on('c1', 'failed'),
      asks(4),
      c(answer(4, { outcome: { outcome: 'allowed' } })),
      on('c1', 'failed'),
      ends(2),
      ...done,
    ],
    told: ['acp-permission-answer error client f7', 'acp-permission-answer error client f10'],
    near: [
      ...begun(),
      prompt(2),
      asks(3),
      chooses(3, 'no'),
      on('c1', 'failed'),
      asks(4),
      c(refuse(4, -1)),
      on('c1', 'failed'),
      ends(2),
      ...done,
    ],
  },
  {
    rule: 'acp-permission-idle',
    breaks: [...begun(), asks(3), chooses(3, 'no'), ...done],
    told: ['acp-permission-idle warning agent f5'],
    near: [...begun(), prompt(2), asks(3), chooses(3, 'no'), on('c1', 'failed'), ends(2), ...done],
  },
  {
    rule: 'acp-permission-cancelled',
    breaks: [...begun(), prompt(2), asks(3), cancel, chooses(3, 'yes'), ends(2, 'cancelled'), ...done],
    told: ['acp-permission-cancelled warning client f8'],
    near: [
      ...begun(),
      prompt(2),
      asks(3),
      cancel,
      c(answer(3, { outcome: { outcome: 'cancelled' } })),
      ends(2, 'cancelled'),
      ...done,
    ],
  },
  {
    rule: 'acp-call-unknown',
    breaks: [...begun(), prompt(2), on('c1', 'completed'), ends(2), ...done],
    told: ['acp-call-unknown error agent f6'],
    near: [...begun(), prompt(2), asks(3), chooses(3, 'yes'), on('c1', 'completed'), ends(2), ...done],
  },
  {
    // A command that was cancelled may have something to say when its turn is over.
    rule: 'acp-call-unknown',
    breaks: [...begun(), prompt(2), call('c1'), cancel, ends(2, 'cancelled'), on('c2', 'in_progress'), ...done],
    told: ['acp-call-unknown error agent f9'],
    near: [...begun(), prompt(2), call('c1'), cancel, ends(2, 'cancelled'), on('c1', 'in_progress'), ...done],
  },
  {
    rule: 'acp-call-again',
    breaks: [...begun(), prompt(2), call('c1'), call('c1'), on('c1', 'completed'), ends(2), ...done],
    told: ['acp-call-again warning agent f7'],
    near: [
      ...begun(),
      prompt(2),
      call('c1'),
      on('c1', 'completed'),
      call('c1'),
      on('c1', 'completed'),
      ends(2),
      ...done,
    ],
  },
  {
    rule: 'acp-call-status',
    breaks: [
      ...begun(),
      prompt(2),
      call('c1'),
      on('c1', 'completed'),
      on('c1', 'in_progress'),
      on('c1', 'pending'),
      on('c1', 'failed'),
      ends(2),
      ...done,
    ],
    told: ['acp-call-status warning agent f8', 'acp-call-status warning agent f9'],
    near: [
      ...begun(),
      prompt(2),
      call('c1'),
      on('c1', 'in_progress'),
      on('c1', 'in_progress'),
      on('c1', 'completed'),
      update('tool_call_update', { toolCallId: 'c1', content: [] }),
      ends(2),
      ...done,
    ],
  },
  {
    rule: 'acp-call-open',
    breaks: [...begun(), prompt(2), call('c1'), ends(2), ...done],
    told: ['acp-call-open info agent f7'],
    near: [...begun(), prompt(2), call('c1'), cancel, ends(2, 'cancelled'), ...done],
  },
  // An id that only the request has is no call.
  {
    rule: 'acp-call-open',
    breaks: [...begun(), prompt(2), wants(3, 'perm-check-1'), chooses(3, 'no'), ends(2), ...done],
    told: ['acp-call-open info agent f8'],
    near: [
      ...begun(),
      prompt(2),
      runs,
      wants(3, 'perm-check-1'),
      chooses(3, 'yes'),
      on('tc-1', 'completed'),
      ends(2),
      ...done,
    ],
  },
  {
    rule: 'acp-path',
    breaks: [
      initialize(files),
      welcome(),
      create(1, { cwd: 'w' }),
      created(1),
      prompt(2),
      a(ask(3, 'fs/read_text_file', of({ path: 'a' }))),
      c(answer(3, { content: '' })),
      call('c1', {
        status: 'completed',
        locations: [{ path: 'a' }],
        content: [{ type: 'diff', path: 'b', newText: '' }],
      }),
      ends(2),
      ...done,
    ],
    told: ['acp-path error client f3', 'acp-path error agent f6', 'acp-path info agent f8', 'acp-path info agent f8'],
    near: [
      initialize(files),
      welcome(),
      create(1, { cwd: 'C:\\w' }),
      created(1),
      prompt(2),
      a(ask(3, 'fs/read_text_file', of({ path: '\\\\host\\a' }))),
      c(answer(3, { content: '' })),
      call('c1', { status: 'completed', locations: [{ path: '/a' }] }),
      ends(2),
      ...done,
    ],
  },
  {
    rule: 'acp-line-number',
    breaks: [
      ...begun(files),
      prompt(2),
      a(ask(3, 'fs/read_text_file', of({ path: '/a', line: 0 }))),
      c(answer(3, { content: '' })),
      ends(2),
      ...done,
    ],
    told: ['acp-line-number error agent f6'],
    near: [
      ...begun(files),
      prompt(2),
      a(ask(3, 'fs/read_text_file', of({ path: '/a', line: 1 }))),
      c(answer(3, { content: '' })),
      ends(2),
      ...done,
    ],
  },
  {
    // The agent runs the command itself, and the client only displays it.
    rule: 'acp-terminal-unknown',
    breaks: [...begun(), prompt(2), call('c1', { status: 'failed', ...shown, ...ofTerminal('u') }), ends(2), ...done],
    told: ['acp-terminal-unknown error agent f6'],
    near: [...begun(), prompt(2), call('c1', { status: 'failed', ...shown, ...ofTerminal('t') }), ends(2), ...done],
  },
  {
    rule: 'acp-terminal-unknown',
    breaks: [
      ...begun(files),
      prompt(2),
      ...newTerminal,
      terminal(11, 'release'),
      ok(11),
      terminal(12, 'output'),
      c(refuse(12, -1)),
      terminal(13, 'kill', 'u'),
      c(refuse(13, -1)),
      call('c1', { status: 'failed', content: [{ type: 'terminal', terminalId: 'u' }] }),
      ends(2),
      ...done,
    ],
    told: [
      'acp-terminal-unknown error agent f10',
      'acp-terminal-unknown error agent f12',
      'acp-terminal-unknown error agent f14',
    ],
    near: [
      ...begun(files),
      prompt(2),
      ...newTerminal,
      terminal(11, 'kill'),
      ok(11),
      terminal(12, 'output'),
      c(answer(12, { output: '', truncated: false })),
      terminal(13, 'release'),
      ok(13),
      call('c1', { status: 'completed', content: [{ type: 'terminal', terminalId: 't' }] }),
      ends(2),
      ...done,
    ],
  },
  {
    rule: 'acp-terminal-kept',
    breaks: [...begun(files), prompt(2), ...newTerminal, terminal(11, 'kill'), ok(11), ends(2), ...done],
    told: ['acp-terminal-kept warning agent f7'],
    near: [...begun(files), prompt(2), ...newTerminal, terminal(11, 'release'), ok(11), ends(2), ...done],
  },
  {
    rule: 'acp-agent-capability',
    breaks: [...begun(), c(ask(2, 'logout')), a(answer(2, {})), ...done],
    told: ['acp-agent-capability error client f5'],
    near: [...begun({}, { auth: { logout: {} } }), c(ask(2, 'logout')), a(answer(2, {})), ...done],
  },
  // Shapes.
  {
    rule: 'acp-shape',
    breaks: [
      initialize(),
      a(answer(0, { protocolVersion: '1' })),
      create(1, { mcpServers: undefined }),
      a(answer(1, {})),
      ...done,
    ],
    told: ['acp-shape error agent f2', 'acp-shape error client f3', 'acp-shape error agent f4'],
    near: [initialize(), a(answer(0, { protocolVersion: 1 })), create(1), created(1), ...done],
  },
  {
    rule: 'acp-shape',
    breaks: [
      ...begun(),
      prompt(2, { type: 'text' }),
      call('c1', { status: 'done', title: undefined }),
      on('c1', 'completed'),
      a(answer(2, {})),
      ...done,
    ],
    told: ['acp-shape error client f5', 'acp-shape error agent f6', 'acp-shape error agent f8'],
    near: [
      ...begun(),
      prompt(2, { type: 'new', of: 'kind' }),
      call('c1', { kind: 'new kind' }),
      on('c1', 'completed'),
      update('new_update'),
      ends(2),
      ...done,
    ],
  },
  {
    rule: 'acp-shape',
    breaks: [
      ...begun(files),
      prompt(2),
      a(ask(3, 'fs/read_text_file', of({ path: '/a' }))),
      c(answer(3, {})),
      asks(4, [{ optionId: 'a', name: 'A', kind: 'always' }]),
      chooses(4, 'a'),
      on('c1', 'completed'),
      ends(2),
      eof,
      exit(),
    ],
    told: ['acp-shape error client f7', 'acp-shape error agent f8'],
    near: [
      ...begun(files),
      prompt(2),
      a(ask(3, 'fs/read_text_file', of({ path: '/a', line: null }))),
      c(answer(3, { content: '' })),
      asks(4),
      chooses(4, 'yes'),
      on('c1', 'completed'),
      ends(2),
      ...done,
    ],
  },
  {
    rule: 'acp-shape',
    breaks: [
      ...[initialize(), welcome({ mcpCapabilities: { http: true } })],
      ...[
        create(1, {
          mcpServers: [
            { name: 'm', type: 'http' },
            { name: 'm', command: 'c' },
          ],
        }),
        created(1),
        ...done,
      ],
    ],
    told: ['acp-shape error client f3'],
    near: [
      ...[initialize(), welcome()],
      ...[
        create(1, {
          mcpServers: [
            { name: 'm', type: 'of_tomorrow' },
            { type: 'stdio', name: 'm', command: 'c' },
          ],
        }),
      ],
      ...[created(1), ...done],
    ],
  },
];
checkCases('ACP', { dialect: 'acp' }, ACP_RULES, [...cases, ...ACP_V2_CASES]);
