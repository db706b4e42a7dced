/** The rules of qwen's RFC, each broken and nearly. */
import { RFC_RULES } from '../../../../lib/dialects/qwen-rfc/rules/index.ts';
import { a, type Case, c, checkCases, done, exit } from '../../../support/check.ts';

const told = { protocol_version: '1', input_format: 'stream-json', output_format: 'stream-json', capabilities: {} };
const of = { id: 'x', created: 1, model: 'm' };
const says = (message: object, finish_reason = 'stop', more: object = {}) =>
  a({
    object: 'chat.completion',
    ...of,
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason }],
    metadata: told,
    ...more,
  });
const hi = says({ content: 'hi' });
const calls = (id: string) => ({ tool_calls: [{ id, type: 'function', function: { name: 'edit', arguments: '{}' } }] });
const piece = (delta: object, more: object = {}, metadata: object = told) =>
  a({ object: 'chat.completion.chunk', ...of, choices: [{ index: 0, delta, ...more }], metadata });
const role = piece({ role: 'assistant' });
const stop = piece({}, { finish_reason: 'stop' });
const prompt = (n: number, more: object = {}, input: object = {}) =>
  c({
    session_id: 's',
    prompt_id: `s########${n}`,
    input: { origin: 'user', parts: [{ type: 'text', text: 'go' }], ...input },
    ...more,
  });
const tool = { tool: { name: 'edit', arguments: {} } };
const asks = (request_id: unknown, more: object = tool) => ({
  type: 'control_request',
  request_id,
  subtype: 'can_use_tool',
  ...more,
});
const answers = (request_id: unknown, result: object = { behavior: 'approve' }) => ({
  ...{ type: 'control_response', request_id, response: { subtype: 'success', result } },
});
const fails = (request_id: string, error: unknown) =>
  c({ type: 'control_response', request_id, response: { subtype: 'error', error } });
const heartbeat = c({ type: 'heartbeat_request', session_id: 's' });
const beats = a({ type: 'result/heartbeat', session_id: 's', status: 'ok', ts: 1 });
const hint = (n: number) =>
  c({ type: 'command_hint_request', session_id: 's', prompt_id: `s########${n}`, trigger: 'slash', text: '/c' });
const hints = (n: number, status = 'ok') =>
  a({
    type: 'result/command_hint',
    session_id: 's',
    prompt_id: `s########${n}`,
    trigger: 'slash',
    status,
    suggestions: [],
  });
const cancel = c({ type: 'control/cancel', session_id: 's', reason: 'escape' });
const noop = a({ type: 'result/cancel', status: 'noop' });
const command = { command: { kind: 'slash', path: ['chat', 'list'], args: '' } };
const commanded = (n: number) =>
  a({
    type: 'result/command',
    session_id: 's',
    prompt_id: `s########${n}`,
    ...command,
    result: { type: 'message', content: 'x' },
  });
const display = (tool_call_id: string) =>
  a({ type: 'x-qwen-tool-display', tool_call_id, status: 'Success', result_display: 'ok' });
const fatal = a({ error: { message: 'no', type: 'invalid_request_error', code: 'X' } });
const unsupported = says({ content: '' }, 'error', { metadata: { ...told, error: { code: 'unsupported_protocol' } } });

const cases: Case[] = [
  {
    rule: 'rfc-unknown-answer',
    breaks: [prompt(1), hi, c(answers('r')), ...done],
    told: ['rfc-unknown-answer error client f3'],
    near: [prompt(1), a(asks('r')), c(answers('r')), hi, ...done],
  },
  {
    rule: 'rfc-answer-id-type',
    breaks: [prompt(1), a(asks('1')), c(answers(1)), hi, ...done],
    told: ['rfc-shape error client f3', 'rfc-answer-id-type error client f3'],
    near: [prompt(1), a(asks('1')), c(answers('1')), hi, ...done],
  },
  {
    rule: 'rfc-answered-twice',
    breaks: [prompt(1), a(asks('r')), c(answers('r')), c(answers('r')), hi, ...done],
    told: ['rfc-answered-twice error client f4'],
    near: [prompt(1), a(asks('r')), c(answers('r')), a(asks('r')), c(answers('r')), hi, ...done],
  },
  {
    rule: 'rfc-id-in-use',
    breaks: [
      prompt(1),
      a(asks('r')),
      a(asks('r', { tool: { name: 'write', arguments: {} } })),
      c(answers('r')),
      c(answers('r')),
      hi,
      ...done,
    ],
    told: ['rfc-id-in-use error agent f3'],
    near: [prompt(1), a(asks('r')), a(asks('q')), c(answers('r')), c(answers('q')), hi, ...done],
  },
  {
    rule: 'rfc-unanswered-by-agent',
    breaks: [prompt(1), hi, c(asks('r', { subtype: 'mcp_message' })), exit(0)],
    told: ['rfc-unanswered-by-agent error agent f3'],
    near: [prompt(1), hi, c(asks('r', { subtype: 'mcp_message' })), a(answers('r', {})), exit(0)],
  },
  {
    rule: 'rfc-unanswered-by-client',
    breaks: [prompt(1), a(asks('r')), hi],
    told: ['rfc-unanswered-by-client warning client f2'],
    near: [prompt(1), a(asks('r')), fails('r', { message: 'crashed', retryable: false }), hi],
  },
  {
    rule: 'rfc-unanswered',
    breaks: [heartbeat, hint(1), cancel, prompt(2, {}, command), exit(0)],
    told: [
      'rfc-unanswered error agent f1',
      'rfc-unanswered error agent f2',
      'rfc-unanswered error agent f3',
      'rfc-unanswered error agent f4',
    ],
    near: [
      heartbeat,
      beats,
      hint(1),
      hints(1, 'loading'),
      hints(1),
      cancel,
      noop,
      prompt(2, {}, command),
      commanded(2),
      ...done,
    ],
  },
  {
    rule: 'rfc-unanswered',
    breaks: [hint(1), hint(2), hints(2), exit(0)],
    told: ['rfc-unanswered error agent f1'],
    near: [
      hint(1),
      c({ type: 'command_hint_cancel', session_id: 's', prompt_id: 's########1' }),
      hint(2),
      hints(2),
      exit(0),
    ],
  },
  {
    rule: 'rfc-turn-open',
    breaks: [prompt(1), says(calls('t1'), 'tool_calls'), exit(0)],
    told: ['rfc-turn-open warning agent f1'],
    near: [prompt(1), says(calls('t1'), 'tool_calls'), cancel, a({ type: 'result/cancel', status: 'ok' }), exit(0)],
  },
  {
    rule: 'rfc-stray-result',
    breaks: [prompt(1), hi, noop, hints(1), ...done],
    told: ['rfc-stray-result warning agent f3', 'rfc-stray-result warning agent f4'],
    near: [prompt(1), hi, beats, cancel, noop, ...done],
  },
  {
    rule: 'rfc-approval-answer',
    breaks: [prompt(1), a(asks('r')), c(answers('r', { behavior: 'allow' })), hi, ...done],
    told: ['rfc-approval-answer error client f3'],
    near: [prompt(1), a(asks('r')), c(answers('r', { behavior: 'deny' })), hi, ...done],
  },
  {
    rule: 'rfc-control-error',
    breaks: [prompt(1), a(asks('r')), fails('r', 'crashed'), hi, ...done],
    told: ['rfc-control-error error client f3'],
    near: [prompt(1), a(asks('r')), fails('r', { message: 'crashed' }), hi, ...done],
  },
  {
    rule: 'rfc-tool-response',
    breaks: [
      prompt(1),
      says(calls('t1'), 'tool_calls'),
      prompt(1, {}, { origin: 'tool_response' }),
      prompt(2, { tool_call_id: 't1' }, { origin: 'tool_response' }),
      hi,
      ...done,
    ],
    told: ['rfc-tool-response error client f3', 'rfc-tool-response warning client f4'],
    near: [
      prompt(1),
      says(calls('t1'), 'tool_calls'),
      prompt(1, { tool_call_id: 't1' }, { origin: 'tool_response' }),
      hi,
      ...done,
    ],
  },
  {
    rule: 'rfc-tool-unknown',
    breaks: [prompt(1), display('t1'), display('t1'), hi, ...done],
    told: ['rfc-tool-unknown warning agent f2'],
    near: [prompt(1), says(calls('t1'), 'tool_calls'), display('t1'), hi, ...done],
  },
  {
    rule: 'rfc-introduction',
    breaks: [prompt(1), says({ content: 'hi' }, 'stop', { metadata: { protocol_version: '1' } }), ...done],
    told: ['rfc-introduction info agent f2'],
    near: [
      prompt(1),
      says({ content: 'hi' }, 'stop', { metadata: undefined, system_fingerprint: told }),
      says({ content: 'more' }, 'stop', { metadata: {} }),
      ...done,
    ],
  },
  {
    rule: 'rfc-chunk-role',
    breaks: [prompt(1), piece({ content: 'hi' }), stop, ...done],
    told: ['rfc-chunk-role error agent f2'],
    near: [prompt(1), role, piece({ content: 'hi' }), stop, ...done],
  },
  {
    rule: 'rfc-chunk-end',
    breaks: [prompt(1), role, piece({ content: 'hi' }), role, stop, ...done],
    told: ['rfc-chunk-end error agent f4'],
    near: [prompt(1), role, piece({ content: 'hi' }), stop, role, stop, ...done],
  },
  {
    rule: 'rfc-chunk-end',
    breaks: [prompt(1), role, piece({ content: 'hi' }), exit(0)],
    told: ['rfc-turn-open warning agent f1', 'rfc-chunk-end error agent f2'],
    near: [prompt(1), role, stop, exit(0)],
  },
  {
    rule: 'rfc-finish-reason',
    breaks: [prompt(1), says(calls('t1')), ...done],
    told: ['rfc-finish-reason error agent f2'],
    near: [prompt(1), says(calls('t1'), 'tool_calls'), says({ content: 'hi' }), ...done],
  },
  {
    rule: 'rfc-fatal',
    breaks: [prompt(1), fatal, hi, hi, exit(1)],
    told: ['rfc-fatal error agent f3', 'io-exit-failure warning agent f5'],
    near: [prompt(1), fatal, beats, exit(1)],
    nearTold: [],
  },
  {
    rule: 'rfc-fatal',
    breaks: [prompt(1), unsupported, exit(0)],
    told: ['rfc-fatal error agent f3'],
    near: [prompt(1), unsupported, exit(1)],
  },
  {
    rule: 'rfc-format',
    breaks: [prompt(1), hi, role, stop, ...done],
    told: ['rfc-format warning agent f3'],
    near: [prompt(1), hi, hi, ...done],
  },
  // Shapes.
  {
    rule: 'rfc-shape',
    breaks: [
      c({ session_id: 's', prompt_id: 'p', input: { origin: 'me', parts: [] } }),
      says({ role: undefined, content: 'x' }),
      ...done,
    ],
    told: ['rfc-shape error client f1', 'rfc-shape error agent f2'],
    near: [prompt(1), hi, ...done],
  },
  {
    rule: 'rfc-shape',
    breaks: [
      prompt(1),
      a({ type: 'x-qwen-terminal', channel: 'tty', source: 'assistant' }),
      a({ type: 'x-qwen-thought' }),
      hi,
      heartbeat,
      a({ type: 'result/heartbeat', session_id: 's', status: 'ok' }),
      ...done,
    ],
    told: ['rfc-shape error agent f2', 'rfc-shape error agent f3', 'rfc-shape error agent f6'],
    near: [
      prompt(1),
      a({ type: 'x-qwen-terminal', channel: 'stderr', source: 'console' }),
      a({ type: 'x-qwen-thought', subject: '' }),
      a({ type: 'x-qwen-new' }),
      hi,
      heartbeat,
      beats,
      ...done,
    ],
  },
];
checkCases('the RFC', { dialect: 'qwen-rfc', command: ['qwen', '--input-format', 'stream-json'] }, RFC_RULES, cases);
