/** The shapes of ACP: only what its schemas require, and what is known of the rest. */

import { expectByMethod, type MethodShape } from '../../rules/method-shapes.ts';
import type { MessageSchemas } from '../../rules/schema.ts';
import { either, type FieldShapes, type JsonShape, tagged } from '../../rules/schema.ts';
import { CONTENT } from './content-shape.ts';
import { AcpLines } from './lines.ts';
import { METHODS_V2 } from './shapes-v2.ts';

const CALL_CONTENT: JsonShape = tagged('type', {
  content: { content: CONTENT },
  diff: { path: 'string', newText: 'string', 'oldText?': 'string|null' },
  terminal: { terminalId: 'string' },
});

const LOCATION: JsonShape = { path: 'string', 'line?': 'integer|null' };
const STATUS = "'pending'|'in_progress'|'completed'|'failed'";

/** What an update may leave out, the announcement of a call may too, but for its title. */
const CALL: FieldShapes = {
  ...{ toolCallId: 'string', 'kind?': 'string|null', 'status?': `${STATUS}|null` },
  'content?': either('null', [CALL_CONTENT]),
  'locations?': either('null', [LOCATION]),
};

const CHUNK: FieldShapes = { content: CONTENT };

const UPDATE: JsonShape = tagged('sessionUpdate', {
  user_message_chunk: CHUNK,
  agent_message_chunk: CHUNK,
  agent_thought_chunk: CHUNK,
  tool_call: { ...CALL, title: 'string' },
  tool_call_update: { ...CALL, 'title?': 'string|null' },
  plan: { entries: [{ content: 'string', 'priority?': 'string', status: 'string' }] },
  available_commands_update: {
    availableCommands: [{ name: 'string', description: 'string', 'input?': 'object|null' }],
  },
  current_mode_update: { currentModeId: 'string' },
  config_option_update: { 'configOptions?': 'list' },
  usage_update: { 'used?': 'integer|null', 'size?': 'integer|null' },
});

const OPTION: JsonShape = {
  optionId: 'string',
  name: 'string',
  kind: "'allow_once'|'allow_always'|'reject_once'|'reject_always'",
};

const REMOTE: FieldShapes = { name: 'string', url: 'string', headers: 'list' };

/** One that is started has no type. */
const SERVER: JsonShape = either(
  { name: 'string', command: 'string', args: ['string'], env: 'list' },
  tagged('type', { http: REMOTE, sse: REMOTE }),
);
const SERVERS: JsonShape = [SERVER];

const INFO: JsonShape = either('null', { name: 'string', version: 'string' });
const OF_SESSION: JsonShape = { sessionId: 'string' };
const EMPTY = 'object|null';
const OPENED: JsonShape = { sessionId: 'string', 'modes?': 'object|null', 'configOptions?': 'list|null' };
const TERMINAL: JsonShape = { sessionId: 'string', terminalId: 'string' };

const METHODS: Readonly<Record<string, MethodShape>> = {
  initialize: {
    params: { protocolVersion: 'integer', 'clientCapabilities?': 'object|null', 'clientInfo?': INFO },
    result: {
      ...{ protocolVersion: 'integer', 'agentCapabilities?': 'object', 'agentInfo?': INFO },
      'authMethods?': [{ id: 'string', name: 'string' }],
    },
  },
  authenticate: { params: { methodId: 'string' }, result: EMPTY },
  'session/new': { params: { cwd: 'string', mcpServers: SERVERS }, result: OPENED },
  'session/load': { params: { sessionId: 'string', cwd: 'string', mcpServers: SERVERS }, result: EMPTY },
  'session/resume': { params: { sessionId: 'string', cwd: 'string', 'mcpServers?': SERVERS }, result: EMPTY },
  'session/prompt': { params: { sessionId: 'string', prompt: [CONTENT] }, result: { stopReason: 'string' } },
  'session/cancel': { params: OF_SESSION },
  'session/set_mode': { params: { sessionId: 'string', modeId: 'string' }, result: EMPTY },
  'session/update': { params: { sessionId: 'string', update: UPDATE } },
  'session/request_permission': {
    params: {
      sessionId: 'string',
      toolCall: { ...CALL, 'title?': 'string|null' },
      options: [OPTION],
    },
    result: { outcome: tagged('outcome', { selected: { optionId: 'string' } }) },
  },
  'fs/read_text_file': {
    params: { sessionId: 'string', path: 'string', 'line?': 'integer|null', 'limit?': 'integer|null' },
    result: { content: 'string' },
  },
  'fs/write_text_file': { params: { sessionId: 'string', path: 'string', content: 'string' }, result: EMPTY },
  'terminal/create': {
    params: {
      ...{ sessionId: 'string', command: 'string', 'cwd?': 'string|null', 'outputByteLimit?': 'integer|null' },
      'args?': ['string'],
      'env?': [{ name: 'string', value: 'string' }],
    },
    result: { terminalId: 'string' },
  },
  'terminal/output': {
    params: TERMINAL,
    result: { output: 'string', truncated: 'boolean', 'exitStatus?': 'object|null' },
  },
  'terminal/wait_for_exit': { params: TERMINAL, result: { 'exitCode?': 'integer|null', 'signal?': 'string|null' } },
  'terminal/kill': { params: TERMINAL, result: EMPTY },
  'terminal/release': { params: TERMINAL, result: EMPTY },
};

export const acpSchemas: MessageSchemas = {
  source: 'ACP v1 and v2, schema.json',
  open() {
    const lines = new AcpLines(1, 2);
    const expecting = expectByMethod(METHODS);
    const expectingV2 = expectByMethod(METHODS_V2);
    return (read) => {
      lines.read(read);
      if (!lines.isRead) return null;
      return lines.version === 2 ? expectingV2(read) : expecting(read);
    };
  },
};
