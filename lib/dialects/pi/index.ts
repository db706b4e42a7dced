/**
 * pi: `pi --mode rpc`, and its events alone, `--mode json`. The client sends commands, each of which is answered by a
 * `response`; a prompt is answered when it is accepted, and its run is what follows from `agent_start` to `agent_end`. pi
 * itself never asks; its extensions do, by dialogs (`extension_ui_request`).
 */
import { type Message, NO_MESSAGE } from '../../model/message.ts';
import { idOf, objectOf, stringOf } from '../common/fields.ts';
import type { Dialect, FirstLines, JsonObject } from '../dialect.ts';
import { isPi } from './mode.ts';
import { PiReader } from './reader.ts';
import { PI_ENTRIES } from './rules/entries.ts';
import { PI_RULES } from './rules/index.ts';
import { piSchemas } from './rules/shapes.ts';
import { piTraits } from './traits.ts';
import { DIALOGS, EVENTS, isCommand } from './words.ts';

export const pi: Dialect = {
  name: 'pi',
  traits: piTraits,
  recognise,
  envelope,
  open: ({ command }) => new PiReader(command),
  conformance: { prefix: 'pi', title: 'the RPC mode of pi', rules: PI_RULES, shapes: piSchemas, entries: PI_ENTRIES },
};

function recognise({ command, lines }: FirstLines): number {
  const agentLines = lines.filter(({ from }) => from === 'agent');
  if (agentLines.length > 0)
    return agentLines.filter(({ value }) => isOurs(value)).length * 2 >= agentLines.length ? 0.95 : 0;
  if (isPi(command)) return 0.8;
  const commands = lines.filter(({ value }) => isCommand(stringOf(value.type)) && isPlain(value));
  return lines.length > 0 && commands.length === lines.length ? 0.5 : 0;
}

/** What only pi says: its answers, dialogs, and events with the fields that it gives them. */
function isOurs(value: JsonObject): boolean {
  const { type, command, success, toolCallId, assistantMessageEvent, message } = value;
  if (type === 'response') return typeof command === 'string' && typeof success === 'boolean';
  if (type === 'message_update') return typeof objectOf(assistantMessageEvent).type === 'string';
  if (type === 'message_start' || type === 'message_end') return typeof objectOf(message).role === 'string';
  if (typeof type !== 'string') return false;
  if (type === 'session') return typeof value.version === 'number' && typeof value.cwd === 'string';
  return type.startsWith('tool_execution_') ? typeof toolCallId === 'string' : EVENTS.has(type);
}

/** A command has no envelope but its type and id. */
const isPlain = ({ jsonrpc, method, params }: JsonObject) =>
  jsonrpc === undefined && method === undefined && params === undefined;

function envelope(value: JsonObject): Message {
  const type = stringOf(value.type);
  if (type === null) return { ...NO_MESSAGE, body: value };
  const id = idOf(value.id);
  const message: Message = { envelope: 'notification', method: null, type, id, code: null, body: value };
  switch (type) {
    case 'response':
      if (value.success === false) return { ...message, envelope: 'error', body: value.error };
      // Without the id of its command, it is unknown which one it answers.
      return id === null ? message : { ...message, envelope: 'response' };
    case 'extension_ui_response':
      return { ...message, envelope: 'response' };
    case 'extension_ui_request':
      return dialog(message, stringOf(value.method));
    case 'session':
      return { ...message, id: null };
    default:
      return { ...message, envelope: id === null ? 'notification' : 'request', method: type };
  }
}

/** Other requests of an extension only show something. */
function dialog(message: Message, method: string | null): Message {
  const asks = method !== null && DIALOGS.has(method) && message.id !== null;
  return { ...message, method, envelope: asks ? 'request' : 'notification', id: asks ? message.id : null };
}
