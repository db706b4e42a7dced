/** The shapes that the RFC of qwen's structured IO specifies. */
import { isObject } from '../../../model/message.ts';
import type { ReadFrame } from '../../../model/read-frame.ts';
import { stringOf } from '../../common/fields.ts';
import type { ExpectedShape, MessageSchemas } from '../../rules/schema.ts';
import { either, type FieldShapes, type JsonShape } from '../../rules/schema.ts';
import { isForeign } from '../../stream-json/rules/program.ts';

const CALL: JsonShape = { id: 'string', 'type?': "'function'", function: { name: 'string', arguments: 'string' } };
/** Of a call in pieces, only the first has its name. */
const CALL_PIECE: JsonShape = { 'index?': 'integer', 'id?': 'string', 'function?': 'object' };
const USAGE: JsonShape = either('null', { prompt_tokens: 'integer', completion_tokens: 'integer' });
const REASON = 'string|null';

const COMPLETION: FieldShapes = { id: 'string', created: 'integer', model: 'string', 'usage?': USAGE };

const OBJECTS: Readonly<Record<string, JsonShape>> = {
  'chat.completion': {
    ...COMPLETION,
    choices: [
      {
        message: { role: 'string', 'tool_calls?': either('null', [CALL]) },
        finish_reason: REASON,
      },
    ],
  },
  // The RFC's own first and last lines have nothing but choices.
  'chat.completion.chunk': {
    choices: [
      {
        delta: { 'role?': 'string', 'content?': 'string|null', 'tool_calls?': [CALL_PIECE] },
        'finish_reason?': REASON,
      },
    ],
  },
};

const OF_SESSION: FieldShapes = { session_id: 'string' };
const COMMAND: JsonShape = { kind: 'string', path: ['string'], 'args?': 'string' };

const AGENT: Readonly<Record<string, JsonShape>> = {
  'x-qwen-terminal': {
    channel: "'stdout'|'stderr'",
    source: "'assistant'|'tool'|'console'|'system'",
    'spans?': 'list',
    'ansi?': 'list',
  },
  // The RFC writes the states both as names and in lower case.
  'x-qwen-tool-display': { tool_call_id: 'string', status: 'string', 'pending?': 'boolean' },
  'x-qwen-thought': { subject: 'string', 'description?': 'string' },
  'x-qwen-session-event': { event: 'string', 'message?': 'string', 'metrics?': 'object' },
  'result/command': { ...OF_SESSION, command: COMMAND, result: { type: 'string' } },
  'result/command_hint': {
    ...{ ...OF_SESSION, trigger: "'slash'|'at'", status: "'ok'|'loading'|'error'" },
    'suggestions?': [{ label: 'string', value: 'string' }],
  },
  'result/heartbeat': { ...OF_SESSION, status: 'string', ts: 'number' },
  'result/cancel': { 'status?': 'string' },
  control_request: { request_id: 'string', subtype: 'string', 'tool?': { name: 'string', arguments: 'object' } },
};

const ANSWER: JsonShape = { request_id: 'string', response: { subtype: "'success'|'error'" } };

const CLIENT: Readonly<Record<string, JsonShape>> = {
  command_hint_request: { ...OF_SESSION, trigger: "'slash'|'at'", text: 'string', 'cursor?': 'integer' },
  heartbeat_request: OF_SESSION,
  'control/cancel': { ...OF_SESSION, 'reason?': 'string' },
  control_response: ANSWER,
};

const CHAT_REQUEST: JsonShape = {
  ...{ session_id: 'string', prompt_id: 'string' },
  input: {
    origin: "'user'|'tool_response'|'system'",
    parts: 'list',
    'command?': either('null', COMMAND),
  },
};

function expect(read: ReadFrame): ExpectedShape | null {
  const { frame, value } = read;
  if (!isObject(value) || isForeign(read)) return null;
  const { type, object, input } = value;
  const isOfClient = frame.from === 'client';
  if (isOfClient && type === undefined) {
    return isObject(input) ? { name: 'chat request', value, shape: CHAT_REQUEST, at: 'line' } : null;
  }
  const table = typeof object === 'string' && !isOfClient ? OBJECTS : isOfClient ? CLIENT : AGENT;
  const name = stringOf(table === OBJECTS ? object : type) ?? '';
  return Object.hasOwn(table, name) ? { name, value, shape: table[name]!, at: 'line' } : null;
}

export const rfcSchemas: MessageSchemas = { source: 'qwen structured IO RFC', open: () => expect };
