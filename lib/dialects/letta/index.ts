/**
 * letta: `letta -p --output-format stream-json`, with `--input-format stream-json` in both directions. The control channel
 * is that of stream-json; what the agent says is not: `message` lines hold the messages of Letta's API, `queue_*` lines tell
 * which prompts a turn takes up, and `auto_approval` which calls go ahead. Some versions show no results of calls.
 */
import type { Message } from '../../model/message.ts';
import { isProgram, optionOf } from '../common/command-line.ts';
import { streamEnvelope } from '../common/control-channel.ts';
import { objectOf, stringOf } from '../common/fields.ts';
import type { Dialect, FirstLines, JsonObject } from '../dialect.ts';
import { LettaReader } from './reader.ts';
import { lettaTraits } from './traits.ts';

export const letta: Dialect = {
  name: 'letta',
  traits: lettaTraits,
  recognise({ command, lines }: FirstLines): number {
    // More certain than stream-json, whose control lines and results these are too.
    if (lines.some(({ from, value }) => from === 'agent' && isOurs(value))) return 0.97;
    if (lines.some(({ from }) => from === 'agent') || !isProgram(command, 'letta')) return 0;
    return optionOf(command, '--output-format') === 'stream-json' ? 0.96 : 0;
  },
  envelope,
  open: ({ command }) => new LettaReader(command),
};

/** What only letta says: its messages, its queue, and lines that name its agent and conversation. */
function isOurs(value: JsonObject): boolean {
  const { type, agent_id, conversation_id, message_type } = value;
  if (type === 'message') return typeof message_type === 'string';
  if (type === 'stream_event') return typeof objectOf(value.event).message_type === 'string';
  if (type === 'auto_approval') return typeof objectOf(value.tool_call).tool_call_id === 'string';
  if (type === 'queue_item_enqueued' || type === 'queue_batch_dequeued') return typeof value.uuid === 'string';
  if (type !== 'system' && type !== 'result') return false;
  return typeof agent_id === 'string' && typeof conversation_id === 'string';
}

/** A message is of its own type, whether it stands in the line or in its event. */
function envelope(value: JsonObject): Message {
  const message = streamEnvelope(value);
  const type = stringOf(value.message_type) ?? stringOf(objectOf(value.event).message_type);
  if (type !== null && (value.type === 'message' || value.type === 'stream_event')) message.type = type;
  return message;
}
