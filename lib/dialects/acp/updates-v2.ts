/** `session/update` of ACP 2, where it differs from ACP 1: the rest is read by the same functions. */
import type { Event } from '../../model/event.ts';
import { objectOf, stringOf, withText } from '../common/fields.ts';
import type { JsonObject } from '../dialect.ts';
import type { AcpConversationV2 } from './conversation-v2.ts';
import { userMessage } from './messages.ts';
import { chunkText, updateText } from './terminals-v2.ts';
import { readSharedUpdate } from './updates.ts';

type ReadUpdateV2 = (update: JsonObject, conversation: AcpConversationV2, f: number) => Event[];

const UPDATES: ReadonlyMap<string | null, ReadUpdateV2> = new Map<string, ReadUpdateV2>([
  ['state_update', (update, at) => [at.changesTo(update)]],
  ['user_message', user],
  ['user_message_chunk', user],
  ['agent_message', (update, at, f) => at.messages.whole('text', update, at.calls.speakers.of(update), f)],
  ['agent_message_chunk', (update, at, f) => [at.messages.chunk('text', update, at.calls.speakers.of(update), f)]],
  ['agent_thought', (update, at, f) => at.messages.whole('thinking', update, at.calls.speakers.of(update), f)],
  ['agent_thought_chunk', (update, at, f) => [at.messages.chunk('thinking', update, at.calls.speakers.of(update), f)]],
  ['tool_call_update', toolCall],
  ['tool_call_content_chunk', toolCallChunk],
  ['terminal_update', terminalUpdate],
  ['terminal_output_chunk', (update, at) => terminalOutput(update, chunkText(update), at)],
]);

/** `f`: the frame that it is in. */
export function readUpdateV2(update: JsonObject, conversation: AcpConversationV2, f: number): Event[] {
  const name = stringOf(update.sessionUpdate);
  return UPDATES.get(name)?.(update, conversation, f) ?? readSharedUpdate(update, conversation);
}

function user(update: JsonObject, at: AcpConversationV2): Event[] {
  if (at.replaying) return [userMessage(update)];
  const prompt = at.repeats(update.messageId);
  const within = prompt === undefined ? {} : { within: prompt };
  return [{ ...userMessage(update), restates: true, ...within }];
}

/** The first update with an id announces its call. */
function toolCall(update: JsonObject, { calls, terminals }: AcpConversationV2): Event[] {
  const id = stringOf(update.toolCallId) ?? '';
  const commands = terminals.link(id, update.content);
  const events = calls.isKnown(id) ? calls.update(update, commands) : calls.announce(update, commands);
  return commands.length === 0 ? events : [...events, ...calls.run(id, terminals.commandsOf(id))];
}

function toolCallChunk({ toolCallId, content, _meta }: JsonObject, at: AcpConversationV2): Event[] {
  const id = stringOf(toolCallId) ?? '';
  const commands = at.terminals.link(id, [content]);
  const events = at.calls.addContent({ toolCallId, content: [content], _meta }, commands);
  return commands.length === 0 ? events : [...events, ...at.calls.run(id, at.terminals.commandsOf(id))];
}

function terminalUpdate(update: JsonObject, at: AcpConversationV2): Event[] {
  const { command, call } = at.terminals.update(update);
  const namesCommand = call !== null && typeof update.command === 'string';
  const runs = namesCommand ? at.calls.run(call, at.terminals.commandsOf(call)) : [];
  const text = updateText(update);
  if (text !== null) return [...runs, ...terminalOutput(update, text, at)];
  return runs.length > 0 ? runs : [withText({ kind: 'status', name: 'terminal_update' }, command)];
}

/** Output belongs to the call that uses the terminal; '' if the terminal has only ended. */
function terminalOutput(update: JsonObject, text: string, at: AcpConversationV2): Event[] {
  const call = at.terminals.callOf(update);
  if (call === null) return [withText({ kind: 'status', name: stringOf(update.sessionUpdate) }, text)];
  const isWhole = typeof objectOf(update.output).data === 'string';
  return at.calls.addOutput(call, text, isWhole);
}
