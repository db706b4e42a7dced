/** Sessions of ACP 2, for the rules that only it has. */
import { a, type Case, c, done } from '../../../support/check.ts';
import { answer, ask, refuse, tell } from '../../../support/reading.ts';

const info = { name: 'it', version: '1' };
const opened = [
  c(ask(0, 'initialize', { protocolVersion: 2, info })),
  a(answer(0, { protocolVersion: 2, info })),
  c(ask(1, 'session/new', { cwd: '/w' })),
  a(answer(1, { sessionId: 's' })),
];
const of = (more: object = {}) => ({ sessionId: 's', ...more });
const update = (sessionUpdate: string, more: object = {}) =>
  a(tell('session/update', of({ update: { sessionUpdate, ...more } })));
const content = [{ type: 'text', text: 'go' }];
const prompt = (id: number) => c(ask(id, 'session/prompt', of({ prompt: content })));
const repeats = (messageId: string) => update('user_message', { messageId, content });
const accepts = (id: number, messageId: string) => a(answer(id, { messageId }));
const prompted = [prompt(2), repeats('m'), accepts(2, 'm')];
const running = update('state_update', { state: 'running' });
const needsUser = update('state_update', { state: 'requires_action' });
const idle = update('state_update', { state: 'idle', stopReason: 'end_turn' });
const cancel = c(tell('session/cancel', of()));
const wants = a(
  ask(
    9,
    'session/request_permission',
    of({ title: 'Go?', options: [{ optionId: 'y', name: 'Y', kind: 'allow_once' }] }),
  ),
);
const allows = c(answer(9, { outcome: { outcome: 'selected', optionId: 'y' } }));
const call = (more: object) =>
  update('tool_call_update', { toolCallId: 'c1', title: 'Run', kind: 'execute', status: 'in_progress', ...more });
const stop = c(ask(3, 'tool_call/cancel', of({ toolCallId: 'c1' })));
const resume = c(ask(2, 'session/resume', { sessionId: 'old', cwd: '/w' }));

export const ACP_V2_CASES: Case[] = [
  {
    rule: 'acp-version-method',
    breaks: [...opened, ...prompted, running, update('tool_call', { toolCallId: 'c1', title: 'Run' }), idle, ...done],
    told: ['acp-version-method error agent f9'],
    near: [...opened, ...prompted, running, call({ status: 'completed' }), idle, ...done],
  },
  {
    rule: 'acp-version-method',
    breaks: [...opened, c(ask(2, 'session/load', { sessionId: 'old', cwd: '/w' })), a(refuse(2, -32601)), ...done],
    told: ['acp-version-method error client f5'],
    near: [...opened, c(ask(2, 'session/list', {})), a(answer(2, { sessions: [] })), ...done],
  },
  {
    rule: 'acp-state-running',
    breaks: [...opened, ...prompted, { ...done[0]!, after: 6 }, done[1]!],
    told: ['acp-state-running warning agent f5'],
    // The client leaves at once.
    near: [...opened, ...prompted, ...done],
  },
  {
    rule: 'acp-state-running',
    breaks: [...opened, ...prompted, { ...done[0]!, after: 6 }, done[1]!],
    told: ['acp-state-running warning agent f5'],
    // It may report that before it inserts the prompt.
    near: [...opened, prompt(2), running, repeats('m'), accepts(2, 'm'), idle, ...done],
  },
  {
    rule: 'acp-state-requires-action',
    breaks: [...opened, ...prompted, needsUser, idle, ...done],
    told: ['acp-state-requires-action warning agent f8'],
    near: [...opened, ...prompted, needsUser, wants, allows, running, idle, ...done],
  },
  {
    rule: 'acp-state-requires-action',
    breaks: [...opened, ...prompted, running, needsUser, ...done],
    told: ['acp-state-requires-action warning agent f9'],
    near: [...opened, ...prompted, running, wants, needsUser, allows, running, idle, ...done],
  },
  {
    rule: 'acp-state-reason',
    breaks: [...opened, ...prompted, running, update('state_update', { state: 'idle' }), ...done],
    told: ['acp-state-reason info agent f9'],
    // A snapshot that repeats the state ends nothing.
    near: [...opened, ...prompted, running, idle, update('state_update', { state: 'idle' }), ...done],
  },
  {
    rule: 'acp-state-cancelled',
    breaks: [...opened, ...prompted, running, cancel, idle, ...done],
    told: ['acp-state-cancelled warning agent f10'],
    near: [
      ...[...opened, ...prompted, running, cancel],
      ...[update('state_update', { state: 'idle', stopReason: 'cancelled' }), ...done],
    ],
  },
  {
    rule: 'acp-state-resumed',
    breaks: [...opened, resume, a(answer(2, {})), ...done],
    told: ['acp-state-resumed error agent f6'],
    near: [
      ...[...opened, resume],
      a(tell('session/update', { sessionId: 'old', update: { sessionUpdate: 'state_update', state: 'idle' } })),
      ...[a(answer(2, {})), ...done],
    ],
  },
  {
    rule: 'acp-prompt-repeated',
    breaks: [...opened, prompt(2), accepts(2, 'm'), running, idle, ...done],
    told: ['acp-prompt-repeated warning agent f5'],
    near: [...opened, prompt(2), accepts(2, 'm'), running, repeats('m'), idle, ...done],
  },
  {
    rule: 'acp-cancel-offered',
    breaks: [...opened, ...prompted, running, call({}), stop, a(refuse(3, -32602)), idle, ...done],
    told: ['acp-cancel-offered error client f10'],
    near: [
      ...opened,
      ...prompted,
      running,
      call({ capabilities: { cancel: {} } }),
      stop,
      a(answer(3, {})),
      idle,
      ...done,
    ],
  },
];
