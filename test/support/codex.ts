/** Lines of Codex's app-server, short. */
import type { Said } from './reading.ts';

export const asks = (id: unknown, method: string, params: object = {}) => ({ id, method, params });
export const tells = (method: string, params: object = {}) => ({ method, params });
export const answers = (id: unknown, result: unknown) => ({ id, result });
export const refuses = (id: unknown, message = 'no') => ({ id, error: { code: -32600, message } });

export const OF = { threadId: 't1', turnId: 'u1' };
export const SETTINGS = { approvalPolicy: 'untrusted', sandbox: { type: 'dangerFullAccess' } };

export const opens = (id: number, thread = 't1', settings: object = SETTINGS): Said[] => [
  ['client', asks(id, 'thread/start', { cwd: '/w' })],
  ['agent', answers(id, { thread: { id: thread }, cwd: '/w', ...settings })],
];

export const hello: Said[] = [
  ['client', asks(0, 'initialize', { clientInfo: { name: 'editor', version: '1' } })],
  ['agent', answers(0, { userAgent: 'editor/0.166.0 (Linux)', codexHome: '/h' })],
];

export const begins = (id: number, text = 'go', turn = 'u1', threadId = 't1'): Said[] => [
  ['client', asks(id, 'turn/start', { threadId, input: [{ type: 'text', text }] })],
  ['agent', answers(id, { turn: { id: turn, rootTurnId: turn, status: 'inProgress' } })],
];

export const ends = (status = 'completed', turn = 'u1', threadId = 't1'): Said => [
  'agent',
  tells('turn/completed', { threadId, turn: { id: turn, status } }),
];

const item = (method: string, value: object, of: object): Said => ['agent', tells(method, { ...of, item: value })];

export const started = (type: string, id: string, more: object = {}, of: object = OF): Said =>
  item('item/started', { type, id, status: 'inProgress', ...more }, of);

export const completed = (type: string, id: string, more: object = {}, of: object = OF): Said =>
  item('item/completed', { type, id, status: 'completed', ...more }, of);

export const runs = (id: string, command: string, of: object = OF): Said[] => [
  started('commandExecution', id, { command, cwd: '/w' }, of),
  completed('commandExecution', id, { command, cwd: '/w', exitCode: 0, aggregatedOutput: 'done' }, of),
];

export const wants = (id: unknown, itemId: string, more: object = {}): Said => [
  'agent',
  asks(id, 'item/commandExecution/requestApproval', { ...OF, itemId, ...more }),
];

export const decides = (id: unknown, decision: unknown): Said => ['client', answers(id, { decision })];
