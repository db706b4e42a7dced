/**
 * Messages in the model's context. If the journal has turns and steps, messages only repeat them. A journal converted
 * from an older program has nothing else.
 */
import type { Event } from '../../model/event.ts';
import { answerEvents, blocksOf, readable } from '../common/content.ts';
import { listOf, objectOf, stringOf, withText } from '../common/fields.ts';
import type { JsonObject } from '../dialect.ts';
import { toolCall, toolResult } from './loop.ts';
import type { RecordPosition } from './records.ts';

export function readMessage(message: JsonObject, position: RecordPosition): Event[] {
  const { role, content, toolCallId, isError } = message;
  const { hasSteps } = position.speaker;
  switch (role) {
    case 'user':
      return [readUserMessage(message, position)];
    case 'assistant':
      return hasSteps ? [repeatedMessage()] : readAssistantMessage(message);
    case 'tool':
      return [hasSteps ? repeatedMessage() : toolResult(toolCallId, content, isError)];
    default:
      return [withText({ kind: 'notice', name: stringOf(role) }, readable(blocksOf(content)))];
  }
}

function repeatedMessage(): Event {
  return { kind: 'status', name: 'context.append_message', restates: true };
}

/** Not every message in the user's name comes from the user. */
function readUserMessage({ content, origin }: JsonObject, { f, isMain, speaker, turns }: RecordPosition): Event {
  const { kind, variant } = objectOf(origin);
  const isUser = kind === undefined || kind === 'user';
  if (isUser && speaker.hasTurns) return repeatedMessage();
  const blocks = blocksOf(content);
  const text = readable(blocks);
  if (!isUser) return withText({ kind: 'notice', name: stringOf(variant) ?? stringOf(kind) }, text);
  if (!isMain) return withText({ kind: 'turn-begin', nested: true }, text);
  turns.prompted(null, f);
  return withText({ kind: 'prompt', blocks, takes: f }, text);
}

function readAssistantMessage({ content, toolCalls }: JsonObject): Event[] {
  const calls = listOf(toolCalls).map((value) => {
    const { id, name, arguments: args, function: named } = objectOf(value);
    const called = objectOf(named);
    return toolCall(id, name ?? called.name, args ?? called.arguments, undefined);
  });
  return answerEvents(content, calls);
}
