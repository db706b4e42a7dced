/** The rules of MCP, each broken and nearly. */
import { MCP_RULES } from '../../../../lib/dialects/mcp/rules/index.ts';
import { a, type Case, c, checkCases, done } from '../../../support/check.ts';
import { answer, ask, refuse, tell } from '../../../support/reading.ts';

const info = { name: 'n', version: '1' };
const NOW = '2025-11-25';
const initialize = (capabilities: object = {}, protocolVersion = NOW) =>
  c(ask(0, 'initialize', { protocolVersion, capabilities, clientInfo: info }));
const welcome = (capabilities: object = {}, protocolVersion = NOW) =>
  a(answer(0, { protocolVersion, capabilities, serverInfo: info }));
const initialized = c(tell('notifications/initialized'));
const begun = (ofServer: object = { tools: {} }, ofClient: object = {}) => [
  initialize(ofClient),
  welcome(ofServer),
  initialized,
];
const list = (id: number, params?: object) => c(ask(id, 'tools/list', params));
const tool = (name: string, more: object = {}) => ({ name, inputSchema: { type: 'object' }, ...more });
const listed = (id: number, tools: object[], more: object = {}) => a(answer(id, { tools, ...more }));
const call = (id: unknown, name = 'echo', more: object = {}) =>
  c(ask(id, 'tools/call', { name, arguments: {}, ...more }));
const gives = (id: unknown, more: object = {}) => a(answer(id, { content: [{ type: 'text', text: 'x' }], ...more }));
const token = (progressToken: unknown) => ({ _meta: { progressToken } });
const progress = (progressToken: unknown, n: number) =>
  a(tell('notifications/progress', { progressToken, progress: n }));
const cancel = (requestId: unknown) => c(tell('notifications/cancelled', { requestId }));
const roots = [a(ask(0, 'roots/list')), c(answer(0, { roots: [] }))];
const ping = (id: number) => [c(ask(id, 'ping')), a(answer(id, {}))];

/** Of the version that has no handshake. */
const stateless = { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } };
const discover = [c(ask(90, 'server/discover', stateless)), a(answer(90, { capabilities: {} }))];

const cases: Case[] = [
  // A client that finds an older server begins anew.
  {
    rule: 'mcp-initialize-first',
    breaks: [c(ask(1, 'tools/call', { name: 'echo' })), gives(1), ...done],
    told: ['mcp-initialize-first error client f1'],
    near: [
      c(ask(1, 'tools/call', { name: 'echo', ...stateless })),
      a(answer(1, { resultType: 'input_required' })),
      ...done,
    ],
  },
  {
    rule: 'mcp-initialized',
    breaks: [...discover, initialize(), welcome({ tools: {} }), list(1), listed(1, []), ...done],
    told: ['mcp-initialized error client f5'],
    near: [...discover, initialize(), welcome({ tools: {} }), initialized, list(1), listed(1, []), ...done],
  },
  {
    rule: 'mcp-cancel-unknown',
    breaks: [
      ...begun(),
      c(ask(1, 'subscriptions/listen')),
      a(tell('notifications/cancelled', { requestId: 1 })),
      ...done,
    ],
    told: ['mcp-cancel-unknown error agent f5'],
    near: [
      ...discover,
      c(ask(1, 'subscriptions/listen', stateless)),
      a(tell('notifications/cancelled', { requestId: 1 })),
      ...done,
    ],
  },
  {
    rule: 'mcp-initialize-first',
    breaks: [list(0), listed(0, []), ...done],
    told: ['mcp-initialize-first error client f1'],
    near: [...ping(9), ...begun(), ...done],
  },
  {
    rule: 'mcp-initialize-first',
    breaks: [initialize(), list(1), welcome({ tools: {} }), initialized, listed(1, []), ...done],
    told: ['mcp-initialize-first warning client f2'],
    near: [initialize(), ...ping(9), welcome(), initialized, ...done],
  },
  {
    rule: 'mcp-initialize-again',
    breaks: [
      ...begun(),
      c(ask(5, 'initialize', { protocolVersion: NOW, capabilities: {}, clientInfo: info })),
      a(answer(5, { protocolVersion: NOW, capabilities: {}, serverInfo: info })),
      ...done,
    ],
    told: ['mcp-initialize-again warning client f4'],
    near: [...begun(), ...done],
  },
  {
    rule: 'mcp-initialized',
    breaks: [initialize(), welcome({ tools: {} }), list(1), listed(1, []), list(2), listed(2, []), ...done],
    told: ['mcp-initialized error client f3'],
    near: [initialize(), welcome({ tools: {} }), ...ping(3), initialized, list(1), listed(1, []), ...done],
  },
  {
    rule: 'mcp-initialized',
    breaks: [initialize(), initialized, welcome(), ...done],
    told: ['mcp-initialized error client f2'],
    near: [initialize(), welcome(), initialized, ...done],
  },
  {
    rule: 'mcp-server-early',
    breaks: [initialize({ roots: {} }), welcome(), ...roots, initialized, ...done],
    told: ['mcp-server-early warning agent f3'],
    near: [
      initialize({ roots: {} }),
      welcome({ logging: {} }),
      a(ask(4, 'ping')),
      c(answer(4, {})),
      a(tell('notifications/message', { level: 'info', data: 1 })),
      initialized,
      ...roots,
      ...done,
    ],
  },
  {
    rule: 'mcp-version',
    breaks: [initialize({}, '2024-11-05'), welcome(), initialized, ...done],
    told: ['mcp-version warning agent f2'],
    near: [initialize(), welcome({}, '2024-11-05'), initialized, ...done],
  },
  {
    rule: 'mcp-batch',
    breaks: [...begun(), c([ask(1, 'ping'), ask(2, 'ping')]), a([answer(1, {}), answer(2, {})]), ...done],
    told: ['mcp-batch error client f4', 'mcp-batch error agent f5'],
    near: [
      initialize({}, '2025-03-26'),
      welcome({}, '2025-03-26'),
      initialized,
      c([ask(1, 'ping'), ask(2, 'ping')]),
      a(answer(1, {})),
      a(answer(2, {})),
      ...done,
    ],
  },
  {
    rule: 'mcp-batch',
    breaks: [c([ask(0, 'initialize', { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: info })]), ...done],
    told: ['mcp-batch error client f1', 'rpc-unanswered-by-agent warning unknown f1'],
    near: [...begun(), ...done],
  },
  {
    rule: 'mcp-id-reused',
    breaks: [...begun(), ...ping(1), ...ping(1), ...ping(1), ...done],
    told: ['mcp-id-reused error client f6'],
    near: [
      ...begun({ tools: {} }, { roots: {} }),
      ...roots,
      ...ping(1),
      c(ask('1', 'ping')),
      a(answer('1', {})),
      ...done,
    ],
  },
  {
    rule: 'rpc-id',
    breaks: [...begun(), c(ask(null, 'ping')), ...done],
    told: ['rpc-id error client f4'],
    near: [...begun(), ...ping(2), ...done],
  },
  {
    rule: 'mcp-client-capability',
    breaks: [
      ...begun(),
      ...roots,
      a(ask(1, 'sampling/createMessage', { messages: [], maxTokens: 1 })),
      c(refuse(1, -32601)),
      a(ask(2, 'elicitation/create', { message: 'm', requestedSchema: {} })),
      c(refuse(2, -32601)),
      ...done,
    ],
    told: [
      'mcp-client-capability error agent f4',
      'mcp-client-capability error agent f6',
      'mcp-client-capability error agent f8',
    ],
    near: [
      ...begun({}, { roots: {}, sampling: {}, elicitation: {} }),
      ...roots,
      a(ask(1, 'sampling/createMessage', { messages: [], maxTokens: 1 })),
      c(refuse(1, -1)),
      a(ask(2, 'elicitation/create', { message: 'm', requestedSchema: {} })),
      c(answer(2, { action: 'decline' })),
      ...done,
    ],
  },
  {
    rule: 'mcp-client-capability',
    breaks: [
      ...begun({}, { elicitation: { form: {} } }),
      a(ask(2, 'elicitation/create', { mode: 'url', message: 'm', url: 'u', elicitationId: 'e' })),
      c(answer(2, { action: 'decline' })),
      ...done,
    ],
    told: ['mcp-client-capability error agent f4'],
    near: [
      ...begun({}, { elicitation: { url: {} } }),
      a(ask(2, 'elicitation/create', { mode: 'url', message: 'm', url: 'u', elicitationId: 'e' })),
      c(answer(2, { action: 'decline' })),
      ...done,
    ],
  },
  {
    rule: 'mcp-server-capability',
    breaks: [
      ...begun({ resources: {} }),
      call(1),
      a(refuse(1, -32601)),
      c(ask(2, 'prompts/list')),
      a(refuse(2, -32601)),
      c(ask(3, 'resources/subscribe', { uri: 'u' })),
      a(answer(3, {})),
      c(ask(4, 'logging/setLevel', { level: 'info' })),
      a(answer(4, {})),
      c(ask(5, 'completion/complete', { ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'a', value: '' } })),
      a(answer(5, { completion: { values: [] } })),
      ...done,
    ],
    told: [
      'mcp-server-capability error client f4',
      'mcp-server-capability warning client f6',
      'mcp-server-capability error client f8',
      'mcp-server-capability error client f10',
      'mcp-server-capability error client f12',
    ],
    near: [
      ...begun({ tools: {}, prompts: {}, resources: { subscribe: true }, logging: {}, completions: {} }),
      call(1),
      gives(1),
      c(ask(2, 'prompts/list')),
      a(answer(2, { prompts: [] })),
      c(ask(3, 'resources/subscribe', { uri: 'u' })),
      a(answer(3, {})),
      c(ask(4, 'logging/setLevel', { level: 'info' })),
      a(answer(4, {})),
      c(ask(5, 'completion/complete', { ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'a', value: '' } })),
      a(answer(5, { completion: { values: [] } })),
      ...done,
    ],
  },
  {
    rule: 'mcp-undeclared-notification',
    breaks: [
      ...begun(),
      a(tell('notifications/tools/list_changed')),
      a(tell('notifications/tools/list_changed')),
      a(tell('notifications/message', { level: 'info', data: 1 })),
      c(tell('notifications/roots/list_changed')),
      ...done,
    ],
    told: [
      'mcp-undeclared-notification warning agent f4',
      'mcp-undeclared-notification warning agent f6',
      'mcp-undeclared-notification warning client f7',
    ],
    near: [
      ...begun({ tools: { listChanged: true }, logging: {} }, { roots: { listChanged: true } }),
      a(tell('notifications/tools/list_changed')),
      a(tell('notifications/message', { level: 'info', data: 1 })),
      c(tell('notifications/roots/list_changed')),
      ...done,
    ],
  },
  {
    rule: 'mcp-progress-unknown',
    breaks: [...begun(), call(1, 'echo', token(1)), progress('1', 1), progress('1', 2), gives(1), ...done],
    told: ['mcp-progress-unknown error agent f5'],
    near: [...begun(), call(1, 'echo', token('t')), progress('t', 1), gives(1), ...done],
  },
  {
    rule: 'mcp-progress-unknown',
    breaks: [...begun(), call(1, 'echo', token('t')), gives(1), progress('t', 1), ...done],
    told: ['mcp-progress-unknown warning agent f6'],
    near: [...begun(), call(1, 'echo', token('t')), cancel(1), progress('t', 1), ...done],
  },
  {
    rule: 'mcp-progress-order',
    breaks: [...begun(), call(1, 'echo', token('t')), progress('t', 2), progress('t', 2), gives(1), ...done],
    told: ['mcp-progress-order error agent f6'],
    near: [...begun(), call(1, 'echo', token('t')), progress('t', 0.5), progress('t', 0.6), gives(1), ...done],
  },
  {
    rule: 'mcp-progress-token',
    breaks: [...begun(), call(1, 'echo', token('t')), call(2, 'echo', token('t')), gives(1), gives(2), ...done],
    told: ['mcp-progress-token error client f5'],
    near: [...begun(), call(1, 'echo', token('t')), gives(1), call(2, 'echo', token('t')), gives(2), ...done],
  },
  {
    rule: 'mcp-cancel-unknown',
    breaks: [...begun(), call(1), cancel('1'), gives(1), ...done],
    told: ['mcp-cancel-unknown error client f5'],
    near: [...begun(), call(1), gives(1), cancel(1), ...done],
  },
  {
    rule: 'mcp-cancel-initialize',
    breaks: [initialize(), cancel(0), welcome(), initialized, ...done],
    told: ['mcp-cancel-initialize error client f2'],
    near: [...begun(), call(1), cancel(1), ...done],
  },
  {
    rule: 'mcp-tool-unknown',
    breaks: [...begun(), list(1), listed(1, [tool('echo')]), call(2, 'eco'), a(refuse(2, -32602)), ...done],
    told: ['mcp-tool-unknown warning client f6'],
    near: [
      ...begun({ tools: { listChanged: true } }),
      call(1, 'eco'),
      gives(1),
      list(2),
      listed(2, [tool('echo')]),
      call(3),
      gives(3),
      a(tell('notifications/tools/list_changed')),
      call(4, 'eco'),
      gives(4),
      ...done,
    ],
  },
  {
    rule: 'mcp-tool-unknown',
    breaks: [
      ...begun(),
      list(1),
      listed(1, [tool('a')], { nextCursor: 'p2' }),
      list(2, { cursor: 'p2' }),
      listed(2, [tool('b')]),
      call(3, 'a'),
      gives(3),
      call(4, 'c'),
      gives(4),
      ...done,
    ],
    told: ['mcp-tool-unknown warning client f10'],
    near: [...begun(), list(1), listed(1, [tool('a')], { nextCursor: 'p2' }), call(4, 'c'), gives(4), ...done],
  },
  {
    rule: 'mcp-cursor',
    breaks: [
      ...begun(),
      list(1),
      listed(1, [], { nextCursor: 'p2' }),
      list(2, { cursor: 'p3' }),
      a(refuse(2, -32602)),
      ...done,
    ],
    told: ['mcp-cursor error client f6'],
    near: [...begun(), list(1), listed(1, [], { nextCursor: 'p2' }), list(2, { cursor: 'p2' }), listed(2, []), ...done],
  },
  {
    rule: 'mcp-structured-content',
    breaks: [
      ...begun(),
      list(1),
      listed(1, [tool('echo', { outputSchema: { type: 'object' } })]),
      call(2),
      gives(2),
      ...done,
    ],
    told: ['mcp-structured-content error agent f7'],
    near: [
      ...begun(),
      list(1),
      listed(1, [tool('echo', { outputSchema: { type: 'object' } })]),
      call(2),
      gives(2, { structuredContent: {} }),
      call(3),
      gives(3, { isError: true }),
      ...done,
    ],
  },
  // Shapes.
  {
    rule: 'mcp-shape',
    breaks: [
      c(ask(0, 'initialize', { protocolVersion: 1, capabilities: {}, clientInfo: info })),
      a(answer(0, { protocolVersion: NOW, capabilities: {} })),
      initialized,
      ...done,
    ],
    told: ['mcp-shape error client f1', 'mcp-shape error agent f2'],
    near: [...begun(), ...done],
  },
  {
    rule: 'mcp-shape',
    breaks: [
      ...begun(),
      call(1),
      a(answer(1, { content: 'x' })),
      call(2),
      a(answer(2, { content: [{ type: 'image', data: 'x' }] })),
      call(3),
      a(answer(3, {})),
      ...done,
    ],
    told: ['mcp-shape error agent f5', 'mcp-shape error agent f7', 'mcp-shape error agent f9'],
    near: [
      ...begun(),
      call(1),
      gives(1),
      call(2),
      a(answer(2, { content: [{ type: 'new', x: 1 }], structuredContent: {} })),
      call(3),
      a(answer(3, { task: { taskId: 't' } })),
      ...done,
    ],
  },
  {
    rule: 'mcp-shape',
    breaks: [...begun(), list(1), listed(1, [{ name: 'x' }]), call(2, 'x', { arguments: [] }), gives(2), ...done],
    told: ['mcp-shape error agent f5', 'mcp-shape error client f6'],
    near: [...begun(), list(1), listed(1, [tool('x')]), call(2, 'x', { arguments: undefined }), gives(2), ...done],
  },
  {
    rule: 'mcp-shape',
    breaks: [
      ...begun({}, { elicitation: {}, roots: {} }),
      a(ask(2, 'elicitation/create', { message: 'm', requestedSchema: {} })),
      c(answer(2, { action: 'ok' })),
      a(ask(3, 'roots/list')),
      c(answer(3, { roots: [{ name: 'x' }] })),
      ...done,
    ],
    told: ['mcp-shape error client f5', 'mcp-shape error client f7'],
    near: [
      ...begun({}, { elicitation: {}, roots: {} }),
      a(ask(2, 'elicitation/create', { message: 'm', requestedSchema: {} })),
      c(answer(2, { action: 'cancel' })),
      a(ask(3, 'roots/list')),
      c(answer(3, { roots: [{ uri: 'file:///x' }] })),
      ...done,
    ],
  },
];
checkCases('MCP', { dialect: 'mcp' }, MCP_RULES, cases);
