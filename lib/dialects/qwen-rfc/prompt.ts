/** What a client sends to the model: chat requests, and the plain messages of the RFC's debugging examples. */
import type { Block, Event } from '../../model/event.ts';
import { isObject } from '../../model/message.ts';
import { blocksOf, readable } from '../common/content.ts';
import { jsonText, namesOf, objectOf, stringOf, withText } from '../common/fields.ts';
import type { JsonObject } from '../dialect.ts';

/** A prompt, a command, or the result of a tool that the client ran. */
export function readChatRequest(value: JsonObject, input: JsonObject): Event {
  const blocks = blocksOf(input.parts);
  if (input.origin === 'tool_response') {
    const request = stringOf(value.tool_call_id) ?? stringOf(input.tool_call_id);
    const ok = !blocks.some((block) => block.type === 'unknown' && hasError(block.value));
    return withText({ kind: 'client-call-answer', request, ok, blocks }, readable(blocks) ?? responseText(blocks));
  }
  const text = isObject(input.command) ? commandText(input.command) : readable(blocks);
  return withText({ kind: 'prompt', blocks }, text);
}

/** The command as a person would type it. */
function commandText({ kind, path, args }: JsonObject): string {
  const sign = kind === 'at' ? '@' : kind === 'slash' || kind === undefined ? '/' : '';
  return `${sign}${[...namesOf(path), stringOf(args)].filter((word) => word).join(' ')}`;
}

/** Tool results in Google's format. */
function responseText(blocks: Block[]): string | null {
  const texts = blocks.map((block) => {
    const { response } = objectOf(block.type === 'unknown' && objectOf(block.value).function_response);
    const { output, error } = objectOf(response);
    return jsonText(output ?? error ?? response);
  });
  return texts.filter((text) => text !== null).join('\n') || null;
}

function hasError(part: unknown): boolean {
  const { function_response } = objectOf(part);
  return 'error' in objectOf(objectOf(function_response).response);
}

/** A whole conversation; the prompt is the user's last message. */
export function readMessages(list: unknown[]): Event {
  const last = list.findLast((message) => objectOf(message).role === 'user') ?? list.at(-1);
  const blocks = blocksOf(objectOf(last).content);
  return withText({ kind: 'prompt', blocks }, readable(blocks));
}
