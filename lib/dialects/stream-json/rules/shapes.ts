/** The shapes of stream-json, as qwen and Claude share them: what only one of them sends is optional. */
import { isObject } from '../../../model/message.ts';
import type { ReadFrame } from '../../../model/read-frame.ts';
import type { ExpectedShape, MessageSchemas } from '../../rules/schema.ts';
import { either, type FieldShapes, type JsonShape, tagged } from '../../rules/schema.ts';
import { isForeign } from './program.ts';

const BLOCK: JsonShape = tagged('type', {
  text: { text: 'string' },
  thinking: { thinking: 'string' },
  tool_use: { id: 'string', name: 'string', input: 'object' },
  tool_result: {
    tool_use_id: 'string',
    'is_error?': 'boolean|null',
    'content?': either('string', 'null', [tagged('type', {})]),
  },
  image: { source: 'object' },
});

const CONTENT: JsonShape = either('string', [BLOCK]);
const OF_AGENT: FieldShapes = { session_id: 'string', 'parent_tool_use_id?': 'string|null' };
const USAGE: JsonShape = { input_tokens: 'number', output_tokens: 'number' };
const DENIAL: JsonShape = { tool_name: 'string', tool_use_id: 'string' };

const ANSWER: JsonShape = {
  response: tagged('subtype', {
    success: { request_id: 'string' },
    error: { request_id: 'string', error: 'string|object' },
  }),
};

const asks = (requests: Readonly<Record<string, FieldShapes>>): JsonShape => ({
  request_id: 'string',
  request: tagged('subtype', requests),
});

const DELTA: JsonShape = tagged('type', {
  text_delta: { text: 'string' },
  thinking_delta: { thinking: 'string' },
  input_json_delta: { partial_json: 'string' },
});

const AGENT: Readonly<Record<string, JsonShape>> = {
  system: tagged('subtype', {
    init: {
      ...{ session_id: 'string', cwd: 'string', model: 'string', tools: ['string'] },
      ...{ 'permission_mode?': 'string', 'permissionMode?': 'string', 'mcp_servers?': 'list', 'agents?': 'list' },
    },
  }),
  assistant: { ...OF_AGENT, message: { role: "'assistant'", content: [BLOCK], 'usage?': either('null', USAGE) } },
  user: { ...OF_AGENT, message: { role: "'user'", content: CONTENT } },
  result: {
    ...{ subtype: 'string', session_id: 'string', is_error: 'boolean', num_turns: 'integer', duration_ms: 'number' },
    ...{ 'result?': 'string', 'usage?': USAGE, 'permission_denials?': [DENIAL] },
  },
  stream_event: {
    ...OF_AGENT,
    event: tagged('type', {
      message_start: { message: 'object' },
      content_block_start: { index: 'integer', content_block: { type: 'string' } },
      content_block_delta: { index: 'integer', delta: DELTA },
      content_block_stop: { index: 'integer' },
    }),
  },
  control_request: asks({
    can_use_tool: { tool_name: 'string', input: 'object', 'tool_use_id?': 'string|null' },
    mcp_message: { server_name: 'string', message: 'object' },
    hook_callback: { callback_id: 'string' },
  }),
  control_response: ANSWER,
  control_cancel_request: { request_id: 'string' },
};

const CLIENT: Readonly<Record<string, JsonShape>> = {
  user: { message: { role: "'user'", content: CONTENT }, 'parent_tool_use_id?': 'string|null' },
  control_request: asks({
    set_permission_mode: { mode: 'string' },
    set_model: { 'model?': 'string|null' },
    initialize: { 'hooks?': 'object|null' },
  }),
  control_response: ANSWER,
  control_cancel_request: { request_id: 'string' },
};

function expect(read: ReadFrame): ExpectedShape | null {
  const { frame, value } = read;
  if (!isObject(value) || typeof value.type !== 'string' || isForeign(read)) return null;
  const table = frame.from === 'client' ? CLIENT : AGENT;
  if (!Object.hasOwn(table, value.type)) return null;
  return { name: value.type, value, shape: table[value.type]!, at: 'line' };
}

export const streamSchemas: MessageSchemas = {
  source: 'qwen-stream-json-acp-mcp 2.2-2.4; claude-agent-sdk, sdk.d.ts',
  open: () => expect,
};
