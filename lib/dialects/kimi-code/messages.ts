/**
 * Messages in the model's context. If the journal has turns and steps, messages only repeat them. A journal converted
 * from an older program has nothing else.
 */
import type { Event } from '../../model/event.ts';
import { answerEvents, blocksOf, readable } from '../common/content.ts';
import { listOf, objectOf, say, stringOf } from '../common/fields.ts';
import type { Json } from '../dialect.ts';
import { toolCall, toolResult } from './loop.ts';
import type { Place } from './records.ts';

export function readMessage(message: Json, place: Place): Event[] {
  const { role, content, toolCallId, isError } = message;
  const { hasSteps } = place.speaker;
  switch (role) {
    case 'user':
      return [user(message, place)];
    case 'assistant':
      return hasSteps ? [again()] : assistant(message);
    case 'tool':
      return [hasSteps ? again() : toolResult(toolCallId, content, isError)];
    default:
      return [say({ kind: 'notice', name: stringOf(role) }, readable(blocksOf(content)))];
  }
}

function again(): Event {
  return { kind: 'status', name: 'context.append_message', restates: true };
}

/** Not every message in the user's name comes from the user. */
function user({ content, origin }: Json, { f, isMain, speaker, turns }: Place): Event {
  const { kind, variant } = objectOf(origin);
  const isUser = kind === undefined || kind === 'user';
  if (isUser && speaker.hasTurns) return again();
  const blocks = blocksOf(content);
  const text = readable(blocks);
  if (!isUser) return say({ kind: 'notice', name: stringOf(variant) ?? stringOf(kind) }, text);
  if (!isMain) return say({ kind: 'turn-begin', nested: true }, text);
  turns.prompted(null, f);
  return say({ kind: 'prompt', blocks, takes: f }, text);
}

function assistant({ content, toolCalls }: Json): Event[] {
  const calls = listOf(toolCalls).map((value) => {
    const { id, name, arguments: args, function: named } = objectOf(value);
    const called = objectOf(named);
    return toolCall(id, name ?? called.name, args ?? called.arguments, undefined);
  });
  return answerEvents(content, calls);
}
