/** The rules of stream-json, each broken and nearly. */
import { describe, expect, it } from 'vitest';
import { STREAM_RULES } from '../../../../lib/dialects/stream-json/rules/index.ts';
import { a, type Case, c, checkCases, done, eof, exit, findings, framesOf, signal } from '../../../support/check.ts';

const qwen = {
  dialect: 'stream-json',
  command: ['qwen', '--input-format', 'stream-json', '--output-format', 'stream-json'],
};
const claude = { dialect: 'stream-json', command: ['claude', '-p', '--input-format', 'stream-json'] };

const asks = (request_id: unknown, subtype: string, more: object = {}) => ({
  ...{ type: 'control_request', request_id, request: { subtype, ...more } },
});
const answers = (request_id: unknown, response: object = {}) => ({
  ...{ type: 'control_response', response: { subtype: 'success', request_id, response } },
});
const fails = (request_id: unknown, error: unknown = 'no') => ({
  ...{ type: 'control_response', response: { subtype: 'error', request_id, error } },
});
const hello = [
  c(asks('i', 'initialize', { hooks: null })),
  a(answers('i', { subtype: 'initialize', capabilities: {} })),
];
const user = (content: unknown = 'go') =>
  c({ type: 'user', message: { role: 'user', content }, parent_tool_use_id: null });
const init = (session_id = 's') =>
  a({ type: 'system', subtype: 'init', session_id, cwd: '/w', model: 'm', tools: [], qwen_code_version: '1' });
const initOfClaude = a({
  type: 'system',
  subtype: 'init',
  session_id: 's',
  cwd: '/w',
  model: 'm',
  tools: [],
  claude_code_version: '1',
});
const line = (type: string, content: unknown, more: object = {}) =>
  a({ type, session_id: 's', parent_tool_use_id: null, message: { role: type, content }, ...more });
const says = (text: string, more: object = {}) => line('assistant', [{ type: 'text', text }], more);
const calls = (id: string, more: object = {}) =>
  line('assistant', [{ type: 'tool_use', id, name: 'edit', input: {} }], more);
const gives = (id: string, more: object = {}) =>
  line('user', [{ type: 'tool_result', tool_use_id: id, content: 'ok' }], more);
const result = (more: object = {}) =>
  a({ type: 'result', subtype: 'success', session_id: 's', is_error: false, num_turns: 1, duration_ms: 1, ...more });
const failed = { subtype: 'error_during_execution', is_error: true };
const may = (id: string, call = 'c1') =>
  a(asks(id, 'can_use_tool', { tool_name: 'edit', tool_use_id: call, input: {} }));
const allow = (id: string) => c(answers(id, { behavior: 'allow', updatedInput: {} }));
const turn = [user(), init(), says('hi'), result()];
const interrupt = c(asks('x', 'interrupt'));
const interrupted = a(answers('x', { subtype: 'interrupt' }));
const usage = (input_tokens: number) => ({ usage: { input_tokens, output_tokens: 1 } });

const cases: Case[] = [
  // The control channel.
  {
    rule: 'stream-unknown-answer',
    breaks: [...hello, c(answers('u')), ...done],
    told: ['stream-unknown-answer error client f3'],
    near: [...hello, user(), init(), calls('c1'), may('u'), allow('u'), gives('c1'), result(), ...done],
  },
  {
    rule: 'stream-answer-id-type',
    breaks: [...hello, c(asks('1', 'interrupt')), a(answers(1)), ...done],
    told: ['stream-shape error agent f4', 'stream-answer-id-type error agent f4'],
    near: [...hello, ...turn, c(asks('1', 'get_context_usage')), a(answers('1')), ...done],
  },
  {
    rule: 'stream-answered-twice',
    breaks: [...hello, c(asks('q', 'set_model', { model: 'm' })), a(answers('q')), a(answers('q')), ...done],
    told: ['stream-answered-twice error agent f5'],
    near: [
      ...hello,
      c(asks('q', 'set_model', { model: 'm' })),
      c({ type: 'control_cancel_request', request_id: 'q' }),
      a(fails('q')),
      a(answers('q')),
      ...done,
    ],
  },
  {
    rule: 'stream-id-in-use',
    breaks: [
      ...hello,
      c(asks('q', 'set_model', { model: 'm' })),
      c(asks('q', 'set_model', { model: 'n' })),
      a(answers('q')),
      a(answers('q')),
      ...done,
    ],
    told: ['stream-id-in-use error client f4'],
    near: [
      ...hello,
      c(asks('q', 'set_model', { model: 'm' })),
      a(answers('q')),
      c(asks('q', 'set_model', { model: 'n' })),
      a(answers('q')),
      ...done,
    ],
  },
  {
    rule: 'stream-unanswered-by-agent',
    breaks: [...hello, c(asks('q', 'set_model', { model: 'm' })), exit(0)],
    told: ['stream-unanswered-by-agent error agent f3'],
    near: [...hello, c(asks('q', 'set_model', { model: 'm' })), a(fails('q')), exit(0)],
  },
  {
    rule: 'stream-unanswered-by-client',
    breaks: [...hello, user(), init(), calls('c1'), may('p'), signal, exit(null, 'SIGTERM')],
    told: ['stream-unanswered-by-client warning client f6', 'stream-no-result info unknown f3'],
    near: [...hello, user(), init(), calls('c1'), may('p'), c(fails('p', 'crashed')), gives('c1'), result(), ...done],
  },
  {
    rule: 'io-early-eof',
    breaks: [...hello, user(), init(), calls('c1'), may('p'), eof, gives('c1'), result(), exit()],
    told: ['io-early-eof error client f7'],
    near: [...hello, user(), init(), calls('c1'), may('p'), allow('p'), eof, gives('c1'), result(), exit()],
  },
  {
    rule: 'stream-direct-mode',
    breaks: [...turn, interrupt, ...done],
    told: ['stream-direct-mode error client f5'],
    near: [...turn, ...turn, ...done],
  },
  {
    rule: 'stream-direct-mode',
    breaks: [c(asks('q', 'set_model', { model: 'm' })), ...hello, ...done],
    told: ['stream-direct-mode error client f1'],
    near: [...hello, c(asks('q', 'set_model', { model: 'm' })), a(answers('q')), ...done],
  },
  // Claude hears them always.
  {
    rule: 'stream-direct-mode',
    session: { command: ['agent'] },
    breaks: [...turn, interrupt, ...done],
    told: ['stream-direct-mode error client f5'],
    near: [user(), initOfClaude, interrupt, interrupted, result(failed), ...done],
  },
  {
    rule: 'stream-approval-answer',
    session: claude,
    breaks: [
      user(),
      initOfClaude,
      calls('c1'),
      may('p'),
      c(answers('p', { behavior: 'allow' })),
      gives('c1'),
      calls('c2'),
      may('r', 'c2'),
      c(answers('r', { behavior: 'deny' })),
      gives('c2'),
      result(),
      ...done,
    ],
    told: ['stream-approval-answer error client f5', 'stream-approval-answer error client f9'],
    near: [
      user(),
      initOfClaude,
      calls('c1'),
      may('p'),
      allow('p'),
      gives('c1'),
      calls('c2'),
      may('r', 'c2'),
      c(answers('r', { behavior: 'deny', message: 'no' })),
      gives('c2'),
      result(),
      ...done,
    ],
  },
  {
    rule: 'stream-approval-answer',
    breaks: [
      ...hello,
      user(),
      init(),
      calls('c1'),
      may('p'),
      c(answers('p', { behavior: 'approve' })),
      gives('c1'),
      calls('c2'),
      may('r', 'c2'),
      c(answers('r', { behavior: 'deny' })),
      gives('c2'),
      result(),
      ...done,
    ],
    told: ['stream-approval-answer error client f7', 'stream-approval-answer warning client f11'],
    near: [
      ...hello,
      user(),
      init(),
      calls('c1'),
      may('p'),
      c(answers('p', { behavior: 'allow' })),
      gives('c1'),
      result(),
      ...done,
    ],
  },
  {
    rule: 'stream-no-type',
    breaks: [...hello, c({ message: { role: 'user', content: 'go' } }), ...done],
    told: ['stream-no-type error client f3'],
    near: [...hello, c({ type: 'keep_alive' }), ...done],
  },
  {
    rule: 'stream-foreign',
    breaks: [...hello, c({ type: 'heartbeat_request', session_id: 's' }), ...done],
    told: ['stream-foreign error client f3'],
    near: [...hello, c({ type: 'of_tomorrow', session_id: 's' }), ...done],
  },
  {
    rule: 'stream-error-text',
    breaks: [...hello, c(asks('q', 'set_model', { model: 'm' })), a(fails('q', {})), ...done],
    told: ['stream-error-text warning agent f4'],
    near: [...hello, c(asks('q', 'set_model', { model: 'm' })), a(fails('q', { message: 'no' })), ...done],
  },
  // Turns.
  {
    rule: 'stream-init-first',
    breaks: [...hello, user(), says('hi'), init(), result(), ...done],
    told: ['stream-init-first error agent f4'],
    near: [
      ...hello,
      user(),
      a({ type: 'system', subtype: 'hook_started', session_id: 's' }),
      a({ type: 'rate_limit_event' }),
      init(),
      says('hi'),
      result(),
      ...done,
    ],
  },
  {
    rule: 'stream-no-result',
    breaks: [...hello, user(), init(), says('hi'), exit(53)],
    told: ['stream-no-result warning agent f3'],
    near: [...hello, ...turn, exit(0)],
  },
  // Interrupted, or ended by the client, it is no more than worth knowing.
  {
    rule: 'stream-no-result',
    breaks: [...hello, user(), init(), interrupt, interrupted, exit(130)],
    told: ['stream-no-result info agent f3'],
    near: [...hello, user(), init(), interrupt, interrupted, result(failed), ...done],
  },
  {
    rule: 'stream-no-result',
    breaks: [...hello, user(), init(), signal, exit(143)],
    told: ['stream-no-result info unknown f3'],
    near: [...hello, ...turn, signal, exit(143)],
  },
  {
    rule: 'stream-prompt-ignored',
    breaks: [...hello, user(), exit(0)],
    told: ['stream-prompt-ignored error agent f3'],
    near: [...hello, user(), user(), init(), result(), init(), result(), ...done],
  },
  // Claude takes what is said while it works into the turn that is open.
  {
    rule: 'stream-prompt-ignored',
    session: claude,
    breaks: [user(), initOfClaude, user(), result(), exit(0)],
    told: ['stream-prompt-ignored info agent f3'],
    near: [user(), initOfClaude, result(), user(), initOfClaude, result(), exit(0)],
  },
  {
    rule: 'stream-result-stray',
    breaks: [...hello, ...turn, result(), ...done],
    told: ['stream-result-stray warning agent f7'],
    near: [...hello, ...turn, ...turn, ...done],
  },
  {
    rule: 'stream-result-contradicts',
    breaks: [
      ...hello,
      user(),
      init(),
      result({ ...failed, is_error: false }),
      user(),
      init(),
      result({ is_error: true }),
      ...done,
    ],
    told: ['stream-result-contradicts error agent f5', 'stream-result-contradicts info agent f8'],
    near: [...hello, user(), init(), result(failed), ...turn, ...done],
  },
  {
    rule: 'stream-hidden-error',
    breaks: [...hello, user(), init(), result({ result: '[API Error: 500]' }), ...done],
    told: ['stream-hidden-error info agent f5'],
    near: [...hello, user(), init(), result({ result: 'see [API Error: 500]' }), ...done],
  },
  {
    rule: 'stream-interrupt',
    breaks: [
      ...hello,
      user(),
      init(),
      calls('c1'),
      interrupt,
      interrupted,
      may('p'),
      allow('p'),
      gives('c1'),
      result(),
      ...done,
    ],
    told: ['stream-interrupt warning agent f8', 'stream-interrupt info agent f11'],
    near: [...hello, user(), init(), calls('c1'), interrupt, interrupted, result(failed), ...done],
  },
  {
    rule: 'stream-interrupt-idle',
    breaks: [...hello, ...turn, interrupt, interrupted, ...done],
    told: ['stream-interrupt-idle info client f7'],
    near: [...hello, user(), interrupt, interrupted, init(), result(failed), ...done],
  },
  {
    rule: 'stream-session-id',
    breaks: [...hello, user(), init(), says('hi', { session_id: 't' }), result({ session_id: 't' }), ...done],
    told: ['stream-session-id warning agent f5'],
    near: [...hello, ...turn, user(), init('t'), says('hi', { session_id: 't' }), result({ session_id: 't' }), ...done],
  },
  {
    rule: 'stream-usage-shrinks',
    breaks: [...hello, user(), init(), result(usage(9)), user(), init(), result(usage(5)), ...done],
    told: ['stream-usage-shrinks warning agent f8'],
    near: [...hello, user(), init(), result(usage(9)), user(), init(), result(usage(9)), ...done],
  },
  // Claude's results tell each turn by itself.
  {
    rule: 'stream-usage-shrinks',
    session: { command: ['agent'] },
    breaks: [user(), init(), result(usage(9)), user(), init(), result(usage(5)), ...done],
    told: ['stream-usage-shrinks warning agent f6'],
    near: [user(), initOfClaude, result(usage(9)), user(), initOfClaude, result(usage(5)), ...done],
  },
  // Calls.
  {
    rule: 'stream-parent-unknown',
    breaks: [
      ...hello,
      user(),
      init(),
      says('hi', { parent_tool_use_id: 'c9' }),
      says('hi', { parent_tool_use_id: 'c9' }),
      result(),
      ...done,
    ],
    told: ['stream-parent-unknown error agent f5'],
    near: [
      ...hello,
      user(),
      init(),
      calls('c9'),
      says('hi', { parent_tool_use_id: 'c9' }),
      gives('c9'),
      result(),
      ...done,
    ],
  },
  {
    rule: 'stream-result-unknown',
    breaks: [...hello, user(), init(), gives('c9'), result(), ...done],
    told: ['stream-result-unknown error agent f5'],
    near: [
      ...hello,
      user(),
      init(),
      a({
        type: 'stream_event',
        session_id: 's',
        event: {
          type: 'content_block_start',
          index: 0,
          content_block: { type: 'tool_use', id: 'c9', name: 'x', input: {} },
        },
      }),
      gives('c9'),
      result(),
      ...done,
    ],
  },
  // What was called before the session was resumed is not on the tape.
  {
    rule: 'stream-result-unknown',
    breaks: [...hello, user(), init(), gives('c9'), result(), ...done],
    told: ['stream-result-unknown error agent f5'],
    near: [...hello, user(), init(), gives('c9'), result(), ...done],
    nearSession: { command: [...qwen.command, '--resume', 's'] },
  },
  {
    rule: 'stream-result-twice',
    breaks: [...hello, user(), init(), calls('c1'), gives('c1'), gives('c1'), result(), ...done],
    told: ['stream-result-twice warning agent f7'],
    near: [...hello, user(), init(), calls('c1'), gives('c1'), calls('c1'), gives('c1'), result(), ...done],
  },
  // The first result of a call may come after its turn.
  {
    rule: 'stream-result-twice',
    breaks: [...hello, user(), init(), calls('c1'), result(failed), gives('c1'), gives('c1'), ...done],
    told: ['stream-result-twice warning agent f8'],
    near: [...hello, user(), init(), calls('c1'), result(failed), gives('c1'), ...done],
  },
  {
    rule: 'stream-call-open',
    breaks: [...hello, user(), init(), calls('c1'), result(), ...done],
    told: ['stream-call-open warning agent f6'],
    near: [...hello, user(), init(), calls('c1'), result(failed), user(), init(), result(), ...done],
  },
  {
    rule: 'stream-ask-unknown',
    breaks: [...hello, user(), init(), may('p', 'c9'), allow('p'), result(), ...done],
    told: ['stream-ask-unknown warning agent f5'],
    near: [...hello, user(), init(), calls('c9'), may('p', 'c9'), allow('p'), gives('c9'), result(), ...done],
  },
  {
    rule: 'stream-denial-unknown',
    breaks: [
      ...hello,
      user(),
      init(),
      result({ permission_denials: [{ tool_name: 'x', tool_use_id: 'c9' }] }),
      ...done,
    ],
    told: ['stream-denial-unknown error agent f5'],
    near: [
      ...hello,
      user(),
      init(),
      calls('c9'),
      gives('c9'),
      result({ permission_denials: [{ tool_name: 'x', tool_use_id: 'c9' }] }),
      ...done,
    ],
  },
  // Shapes.
  {
    rule: 'stream-shape',
    breaks: [
      ...hello,
      c({ type: 'user', message: 'go' }),
      user([{ type: 'text' }]),
      init(),
      result(),
      init(),
      result(),
      ...done,
    ],
    told: ['stream-shape error client f3', 'stream-shape error client f4'],
    near: [...hello, user([{ type: 'text', text: 'go' }, { type: 'new' }]), init(), result(), ...done],
  },
  {
    rule: 'stream-shape',
    breaks: [
      ...hello,
      c({ type: 'control_request', request: { subtype: 'interrupt' } }),
      c({ type: 'control_response', response: { request_id: 'x' } }),
      ...done,
    ],
    told: ['stream-shape error client f3', 'stream-shape error client f4', 'stream-unknown-answer error client f4'],
    near: [...hello, c(asks('q', 'of_tomorrow')), a(fails('q')), ...done],
  },
  {
    rule: 'stream-shape',
    breaks: [
      ...hello,
      user(),
      a({ type: 'system', subtype: 'init', session_id: 's' }),
      line('assistant', 'hi'),
      a({ type: 'result', subtype: 'success' }),
      ...done,
    ],
    told: ['stream-shape error agent f4', 'stream-shape error agent f5', 'stream-shape error agent f6'],
    near: [...hello, ...turn, ...done],
  },
  // A whole transcript in one line.
  {
    rule: 'stream-call-open',
    breaks: [a([init().line, calls('c1').line, result().line]), exit()],
    told: ['stream-call-open warning agent f1'],
    session: { ...qwen, command: ['qwen', '-p', 'go', '--output-format', 'json'] },
    near: [a([init().line, calls('c1').line, gives('c1').line, result().line]), exit()],
  },
];
checkCases('stream-json', qwen, STREAM_RULES, cases);

describe('Claude Code', () => {
  it('has its own ways, which are clean', () => {
    const of = { session_id: 's', parent_tool_use_id: null };
    const event = (event: object) => a({ type: 'stream_event', ...of, event });
    const message = (...content: object[]) =>
      a({ type: 'assistant', ...of, message: { id: 'm1', role: 'assistant', content, usage: usage(3).usage } });
    const steps = [
      c(asks('i', 'initialize', { hooks: { PreToolUse: [{ matcher: 'Bash', hookCallbackIds: ['h'] }] } })),
      a(answers('i', { commands: [], models: [] })),
      ...[user(), a({ type: 'system', subtype: 'hook_started', session_id: 's' }), initOfClaude],
      event({ type: 'message_start', message: { id: 'm1', role: 'assistant', content: [] } }),
      event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
      event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'hi' } }),
      ...[event({ type: 'content_block_stop', index: 0 }), message({ type: 'text', text: 'hi' })],
      // One answer of the model is several lines with the same id.
      message({ type: 'tool_use', id: 'c1', name: 'Bash', input: { command: 'ls' } }),
      event({ type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 5 } }),
      a(asks('h1', 'hook_callback', { callback_id: 'h', input: {}, tool_use_id: 'c1' })),
      c(answers('h1', { continue: true })),
      // What is asked may be withdrawn, and then needs no answer.
      ...[may('p1'), a({ type: 'control_cancel_request', request_id: 'p1' }), may('p2'), allow('p2')],
      a({ type: 'tool_progress', tool_use_id: 'c1', tool_name: 'Bash', elapsed_time_seconds: 1, ...of }),
      ...[gives('c1'), a({ type: 'rate_limit_event', rate_limit_info: {} }), c({ type: 'keep_alive' })],
      ...[says('done'), result({ ...usage(9), total_cost_usd: 0.1, modelUsage: {}, result: 'done' })],
      ...[user(), initOfClaude, says('again'), result({ ...usage(2), result: 'again' }), ...done],
    ];
    expect(findings(claude, framesOf(steps))).toEqual([]);
  });
});
