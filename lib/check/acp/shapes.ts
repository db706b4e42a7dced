/** The shapes of ACP version 1: only what its schema requires, and what is known of the rest. */
import { expectByMethod, type MethodShape } from '../common/table.ts';
import type { Fields, Shape } from '../schema.ts';
import type { Schemas } from '../shape.ts';
import { AcpLines } from './lines.ts';

const RESOURCE: Shape = {
  either: [
    { fields: { uri: 'string', text: 'string', 'mimeType?': 'string|null' } },
    { fields: { uri: 'string', blob: 'string', 'mimeType?': 'string|null' } },
  ],
};

const CONTENT: Shape = {
  by: 'type',
  shapes: {
    text: { text: 'string' },
    image: { data: 'string', mimeType: 'string', 'uri?': 'string|null' },
    audio: { data: 'string', mimeType: 'string' },
    resource_link: { uri: 'string', name: 'string' },
    resource: { resource: RESOURCE },
  },
};

const CALL_CONTENT: Shape = {
  by: 'type',
  shapes: {
    content: { content: CONTENT },
    diff: { path: 'string', newText: 'string', 'oldText?': 'string|null' },
    terminal: { terminalId: 'string' },
  },
};

const LOCATION: Shape = { fields: { path: 'string', 'line?': 'integer|null' } };
const STATUS = "'pending'|'in_progress'|'completed'|'failed'";

/** What an update may leave out, the announcement of a call may too, but for its title. */
const CALL: Fields = {
  ...{ toolCallId: 'string', 'kind?': 'string|null', 'status?': `${STATUS}|null` },
  'content?': { either: ['null', { list: CALL_CONTENT }] },
  'locations?': { either: ['null', { list: LOCATION }] },
};

const CHUNK: Fields = { content: CONTENT };

const UPDATE: Shape = {
  by: 'sessionUpdate',
  shapes: {
    user_message_chunk: CHUNK,
    agent_message_chunk: CHUNK,
    agent_thought_chunk: CHUNK,
    tool_call: { ...CALL, title: 'string' },
    tool_call_update: { ...CALL, 'title?': 'string|null' },
    plan: { entries: { list: { fields: { content: 'string', 'priority?': 'string', status: 'string' } } } },
    available_commands_update: {
      availableCommands: { list: { fields: { name: 'string', description: 'string', 'input?': 'object|null' } } },
    },
    current_mode_update: { currentModeId: 'string' },
    config_option_update: { 'configOptions?': 'list' },
    usage_update: { 'used?': 'integer|null', 'size?': 'integer|null' },
  },
};

const OPTION: Shape = {
  fields: { optionId: 'string', name: 'string', kind: "'allow_once'|'allow_always'|'reject_once'|'reject_always'" },
};

const REMOTE: Fields = { name: 'string', url: 'string', headers: 'list' };

/** One that is started has no type. */
const SERVER: Shape = {
  either: [
    { fields: { name: 'string', command: 'string', args: { list: 'string' }, env: 'list' } },
    { by: 'type', shapes: { http: REMOTE, sse: REMOTE } },
  ],
};
const SERVERS: Shape = { list: SERVER };

const INFO: Shape = { either: ['null', { fields: { name: 'string', version: 'string' } }] };
const OF_SESSION: Shape = { fields: { sessionId: 'string' } };
const EMPTY = 'object|null';
const OPENED: Shape = { fields: { sessionId: 'string', 'modes?': 'object|null', 'configOptions?': 'list|null' } };
const TERMINAL: Shape = { fields: { sessionId: 'string', terminalId: 'string' } };

const METHODS: Readonly<Record<string, MethodShape>> = {
  initialize: {
    params: { fields: { protocolVersion: 'integer', 'clientCapabilities?': 'object|null', 'clientInfo?': INFO } },
    result: {
      fields: {
        ...{ protocolVersion: 'integer', 'agentCapabilities?': 'object', 'agentInfo?': INFO },
        'authMethods?': { list: { fields: { id: 'string', name: 'string' } } },
      },
    },
  },
  authenticate: { params: { fields: { methodId: 'string' } }, result: EMPTY },
  'session/new': { params: { fields: { cwd: 'string', mcpServers: SERVERS } }, result: OPENED },
  'session/load': {
    params: { fields: { sessionId: 'string', cwd: 'string', mcpServers: SERVERS } },
    result: EMPTY,
  },
  'session/resume': {
    params: { fields: { sessionId: 'string', cwd: 'string', 'mcpServers?': SERVERS } },
    result: EMPTY,
  },
  'session/prompt': {
    params: { fields: { sessionId: 'string', prompt: { list: CONTENT } } },
    result: { fields: { stopReason: 'string' } },
  },
  'session/cancel': { params: OF_SESSION },
  'session/set_mode': { params: { fields: { sessionId: 'string', modeId: 'string' } }, result: EMPTY },
  'session/update': { params: { fields: { sessionId: 'string', update: UPDATE } } },
  'session/request_permission': {
    params: {
      fields: {
        sessionId: 'string',
        toolCall: { fields: { ...CALL, 'title?': 'string|null' } },
        options: { list: OPTION },
      },
    },
    result: { fields: { outcome: { by: 'outcome', shapes: { selected: { optionId: 'string' } } } } },
  },
  'fs/read_text_file': {
    params: { fields: { sessionId: 'string', path: 'string', 'line?': 'integer|null', 'limit?': 'integer|null' } },
    result: { fields: { content: 'string' } },
  },
  'fs/write_text_file': {
    params: { fields: { sessionId: 'string', path: 'string', content: 'string' } },
    result: EMPTY,
  },
  'terminal/create': {
    params: {
      fields: {
        ...{ sessionId: 'string', command: 'string', 'cwd?': 'string|null', 'outputByteLimit?': 'integer|null' },
        'args?': { list: 'string' },
        'env?': { list: { fields: { name: 'string', value: 'string' } } },
      },
    },
    result: { fields: { terminalId: 'string' } },
  },
  'terminal/output': {
    params: TERMINAL,
    result: { fields: { output: 'string', truncated: 'boolean', 'exitStatus?': 'object|null' } },
  },
  'terminal/wait_for_exit': {
    params: TERMINAL,
    result: { fields: { 'exitCode?': 'integer|null', 'signal?': 'string|null' } },
  },
  'terminal/kill': { params: TERMINAL, result: EMPTY },
  'terminal/release': { params: TERMINAL, result: EMPTY },
};

export const acpSchemas: Schemas = {
  ref: 'ACP v1, schema.json',
  open() {
    const lines = new AcpLines();
    const expecting = expectByMethod(METHODS);
    return (read) => {
      lines.read(read);
      return lines.isLater ? null : expecting(read);
    };
  },
};
