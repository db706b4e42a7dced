/** Lines of Wire, short. */

export interface Case {
  /** What the tape does. */
  what: string;
  lines: string[];
  /** Every finding of any rule: `wire-unanswered f2`; those of severity error bare, others as `wire-unanswered f2 warning`. */
  found: string[];
  dialect?: string;
  command?: string[];
  isRunning?: boolean;
}

/** By the id of the rule: tapes that break it, and tapes that nearly do. */
export type Cases = Record<string, { breaks: Case[]; spares: Case[] }>;

const line = (who: string, value: object) => `${who}${JSON.stringify({ jsonrpc: '2.0', ...value })}`;

export const ask = (id: unknown, method: string, params?: unknown) => line('>', { id, method, params });
export const event = (type: string, payload: unknown = {}) => line('<', { method: 'event', params: { type, payload } });
export const request = (id: string, type: string, payload: object) =>
  line('<', { method: 'request', id, params: { type, payload: { id, ...payload } } });
export const yes = (id: unknown, result: unknown) => line('<', { id, result });
export const no = (id: unknown, code: number) => line('<', { id, error: { code, message: 'no', data: null } });
export const reply = (id: string, result: unknown) => line('>', { id, result });
export const fail = (id: string) => line('>', { id, error: { code: 1, message: 'no' } });

export const prompt = (id = 'p', user_input: unknown = 'go') => ask(id, 'prompt', { user_input });
export const done = (id = 'p') => yes(id, { status: 'finished' });
export const begin = (user_input: unknown = 'go') => event('TurnBegin', { user_input });
export const end = event('TurnEnd');
export const step = (n: number) => event('StepBegin', { n });
export const text = (text = 'hi') => event('ContentPart', { type: 'text', text });
export const call = (id: string, name = 'ReadFile') =>
  event('ToolCall', { type: 'function', id, function: { name, arguments: '{}' }, extras: null });
export const returned = { is_error: false, output: '', message: '', display: [] };
export const result = (id: string) => event('ToolResult', { tool_call_id: id, return_value: returned });
export const approval = (id: string, tool_call_id: string, more: object = {}) => {
  const asked = { tool_call_id, sender: 'Shell', action: 'run command', description: 'Run it' };
  return request(id, 'ApprovalRequest', { ...asked, ...more });
};
export const decide = (id: string, response = 'approve', more: object = {}) =>
  reply(id, { request_id: id, response, ...more });
export const resolved = (request_id: string, response = 'approve') =>
  event('ApprovalResponse', { request_id, response });

export const hello = (more: object = {}, answer: object = {}) => [
  ask('i', 'initialize', { protocol_version: '1.10', ...more }),
  yes('i', { protocol_version: '1.10', server: { name: 'Kimi', version: '1' }, slash_commands: [], ...answer }),
];
export const turn = (...inside: string[]) => [prompt(), begin(), ...inside, end, done()];
/** A turn with a shell command that is asked about. */
export const asking = (...inside: string[]) => turn(step(1), call('c', 'Shell'), approval('a', 'c'), ...inside);

/** Of 0.46-0.58. */
export const legacy = (...inside: string[]) => [
  ask('r', 'run', { input: 'go' }),
  event('step_begin', { n: 1 }),
  ...inside,
  yes('r', { status: 'finished' }),
];
export const legacyApproval = request('a', 'approval', {
  ...{ tool_call_id: 'c', sender: 'Bash', action: 'run shell command', description: 'Run it' },
});
export const legacyCall = event('tool_call', {
  type: 'function',
  id: 'c',
  function: { name: 'Bash', arguments: '{}' },
});
