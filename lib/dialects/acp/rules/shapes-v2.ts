/** The shapes of ACP version 2: only what its schema requires, and what is known of the rest. */
import type { MethodShape } from '../../rules/method-shapes.ts';
import { either, type FieldShapes, type JsonShape, tagged } from '../../rules/schema.ts';
import { CONTENT } from './content-shape.ts';

const CALL_CONTENT: JsonShape = tagged('type', {
  content: { content: CONTENT },
  diff: { changes: [{ operation: 'string', path: 'string' }], 'patch?': 'object|null' },
  terminal: { terminalId: 'string' },
});

const CALL: FieldShapes = {
  ...{ toolCallId: 'string', 'name?': 'string|null', 'title?': 'string|null', 'kind?': 'string|null' },
  ...{ 'status?': 'string|null', 'capabilities?': 'object|null' },
  'content?': either('null', [CALL_CONTENT]),
  'locations?': either('null', [{ path: 'string', 'line?': 'integer|null' }]),
};

const MESSAGE: FieldShapes = { messageId: 'string', 'content?': either('null', [CONTENT]) };
const CHUNK: FieldShapes = { messageId: 'string', content: CONTENT };

const UPDATE: JsonShape = tagged('sessionUpdate', {
  user_message: MESSAGE,
  user_message_chunk: CHUNK,
  agent_message: MESSAGE,
  agent_message_chunk: CHUNK,
  agent_thought: MESSAGE,
  agent_thought_chunk: CHUNK,
  state_update: { state: 'string', 'stopReason?': 'string|null', 'background?': 'list|null' },
  tool_call_update: CALL,
  tool_call_content_chunk: { toolCallId: 'string', content: CALL_CONTENT },
  terminal_update: {
    ...{ terminalId: 'string', 'command?': 'string|null', 'cwd?': 'string|null' },
    'output?': either('null', { data: 'string' }),
    'exitStatus?': either('null', { 'exitCode?': 'integer|null', 'signal?': 'string|null' }),
  },
  terminal_output_chunk: { terminalId: 'string', data: 'string' },
  plan_update: {
    plan: tagged('type', { items: { planId: 'string', entries: [{ content: 'string', status: 'string' }] } }),
  },
  available_commands_update: { availableCommands: [{ name: 'string', description: 'string' }] },
  config_option_update: { configOptions: 'list' },
  session_info_update: { 'title?': 'string|null', 'updatedAt?': 'string|null' },
  usage_update: { used: 'integer', size: 'integer', 'cost?': 'object|null' },
  notice: { severity: 'string', title: 'string', 'description?': 'string|null' },
  compaction_update: { compactionId: 'string', status: 'string' },
  compaction_summary_chunk: { compactionId: 'string', content: CONTENT },
});

const INFO: JsonShape = { name: 'string', version: 'string' };
const EMPTY = 'object|null';
const OPENED: FieldShapes = { 'configOptions?': 'list|null' };
const OF_SESSION: JsonShape = { sessionId: 'string' };

const SUBJECT: JsonShape = tagged('type', {
  tool_call: { toolCall: CALL },
  command: { command: 'string', cwd: 'string', 'toolCallId?': 'string|null', 'terminalId?': 'string|null' },
});

export const METHODS_V2: Readonly<Record<string, MethodShape>> = {
  initialize: {
    params: { protocolVersion: 'integer', info: INFO, 'capabilities?': 'object|null' },
    result: { protocolVersion: 'integer', info: INFO, 'capabilities?': 'object|null', 'authMethods?': 'list|null' },
  },
  'auth/login': { params: { methodId: 'string' }, result: EMPTY },
  'auth/logout': { result: EMPTY },
  'session/new': { params: { cwd: 'string', 'mcpServers?': 'list|null' }, result: { sessionId: 'string', ...OPENED } },
  'session/resume': {
    params: { sessionId: 'string', cwd: 'string', 'mcpServers?': 'list|null', 'replayFrom?': 'object|null' },
    result: either('null', OPENED),
  },
  'session/prompt': { params: { sessionId: 'string', prompt: [CONTENT] }, result: { messageId: 'string' } },
  'session/cancel': { params: OF_SESSION },
  'session/close': { params: OF_SESSION, result: EMPTY },
  'session/update': { params: { sessionId: 'string', update: UPDATE } },
  'session/request_permission': {
    params: {
      ...{ sessionId: 'string', title: 'string', 'description?': 'string|null' },
      options: [{ optionId: 'string', name: 'string', kind: 'string' }],
      'subject?': either('null', SUBJECT),
    },
    result: { outcome: tagged('outcome', { selected: { optionId: 'string' } }) },
  },
  'tool_call/cancel': { params: { sessionId: 'string', toolCallId: 'string' }, result: EMPTY },
  'terminal/cancel': { params: { sessionId: 'string', terminalId: 'string' }, result: EMPTY },
};
