/** The shapes of pi's commands, answers and events, as far as its documentation specifies them. */
import { isObject } from '../../../model/message.ts';
import type { ReadFrame } from '../../../model/read-frame.ts';
import { stringOf } from '../../common/fields.ts';
import {
  type ExpectedShape,
  type FieldShapes,
  type JsonShape,
  type MessageSchemas,
  tagged,
} from '../../rules/schema.ts';

export const SOURCE = 'pi-coding-agent, docs/rpc.md';

const TEXT: FieldShapes = { message: 'string', 'images?': ['object'] };

const CLIENT: Readonly<Record<string, JsonShape>> = {
  prompt: { ...TEXT, 'streamingBehavior?': "'steer'|'followUp'" },
  steer: TEXT,
  follow_up: TEXT,
  bash: { command: 'string' },
  set_model: { provider: 'string', modelId: 'string' },
  set_thinking_level: { level: 'string' },
  set_steering_mode: { mode: "'all'|'one-at-a-time'" },
  set_follow_up_mode: { mode: "'all'|'one-at-a-time'" },
  set_auto_compaction: { enabled: 'boolean' },
  set_auto_retry: { enabled: 'boolean' },
  switch_session: { sessionPath: 'string' },
  fork: { entryId: 'string' },
  set_session_name: { name: 'string' },
  extension_ui_response: { id: 'string', 'value?': 'string', 'confirmed?': 'boolean', 'cancelled?': 'boolean' },
};

const MESSAGE: JsonShape = tagged('role', {
  user: { content: 'string|list' },
  assistant: { content: [{ type: 'string' }], 'usage?': { input: 'number', output: 'number' } },
  toolResult: { toolCallId: 'string', toolName: 'string', content: 'list', isError: 'boolean' },
});

const CALL: FieldShapes = { toolCallId: 'string', toolName: 'string' };

const AGENT: Readonly<Record<string, JsonShape>> = {
  response: { command: 'string', success: 'boolean', 'error?': 'string' },
  agent_end: { messages: ['object'] },
  turn_end: { message: MESSAGE, toolResults: 'list' },
  message_start: { message: MESSAGE },
  message_update: { assistantMessageEvent: { type: 'string' } },
  message_end: { message: MESSAGE },
  tool_execution_start: CALL,
  tool_execution_update: CALL,
  tool_execution_end: { ...CALL, isError: 'boolean' },
  queue_update: { steering: ['string'], followUp: ['string'] },
  auto_retry_start: { attempt: 'integer', maxAttempts: 'integer', delayMs: 'number', errorMessage: 'string' },
  auto_retry_end: { success: 'boolean', attempt: 'integer' },
  extension_ui_request: tagged('method', {
    select: { id: 'string', title: 'string', options: ['string'] },
    confirm: { id: 'string', title: 'string', message: 'string' },
    input: { id: 'string', title: 'string' },
    editor: { id: 'string', title: 'string' },
    notify: { message: 'string' },
  }),
};

function expect({ frame, value, events }: ReadFrame): ExpectedShape | null {
  // In a one-shot run the client only writes its prompt.
  if (!isObject(value) || (frame.from === 'client' && events[0]?.kind === 'prompt' && value.type !== 'prompt'))
    return null;
  const name = stringOf(value.type) ?? '';
  const table = frame.from === 'client' ? CLIENT : AGENT;
  return Object.hasOwn(table, name) ? { name, value, shape: table[name]!, at: 'line' } : null;
}

export const piSchemas: MessageSchemas = { source: SOURCE, open: () => expect };
