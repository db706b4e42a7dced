/** Messages as pi reports them: their beginning, each part of an answer as it streams, and the whole answer at the end. */
import type { Event } from '../../model/event.ts';
import { blocksOf, readable } from '../common/content.ts';
import {
  handshakeEvent,
  jsonText,
  listOf,
  numberOf,
  objectOf,
  objectsOf,
  stringOf,
  tokensOf,
  withText,
} from '../common/fields.ts';
import { repeatPrompt } from '../common/one-shot.ts';
import type { JsonObject } from '../dialect.ts';

export class PiMessages {
  /** The parts of the current answer that have ended. */
  readonly #streamed = new Set<number>();
  #model: string | null = null;

  readStart(message: JsonObject): Event[] {
    const { role, model } = message;
    if (role === 'user') return [repeatPrompt(readable(blocksOf(message.content)))];
    const status: Event = { kind: 'status', name: 'message_start' };
    if (role !== 'assistant') return [{ ...status, restates: true }];
    this.#streamed.clear();
    if (typeof model !== 'string' || model === this.#model) return [status];
    this.#model = model;
    return [handshakeEvent({ agent: { name: 'pi', version: null }, model })];
  }

  readUpdate({ assistantMessageEvent }: JsonObject): Event {
    const part = objectOf(assistantMessageEvent);
    const type = stringOf(part.type) ?? '';
    const at = numberOf(part.contentIndex) ?? -1;
    const delta = stringOf(part.delta);
    switch (type) {
      case 'text_delta':
        return withText({ kind: 'text', delta: true }, delta);
      case 'thinking_delta':
        return withText({ kind: 'thinking', delta: true }, delta);
      case 'text_end':
      case 'thinking_end':
        this.#streamed.add(at);
        return withText({ kind: type === 'text_end' ? 'text' : 'thinking', restates: true }, stringOf(part.content));
      case 'toolcall_start':
      case 'toolcall_delta':
      case 'toolcall_end':
        return readCallPart(part, at, delta);
      default:
        return { kind: 'status', name: type };
    }
  }

  readEnd(message: JsonObject): Event[] {
    if (message.role !== 'assistant') return [{ kind: 'status', name: 'message_end', restates: true }];
    const events = listOf(message.content).flatMap((part, at) => (this.#streamed.has(at) ? [] : textOf(part)));
    const { input, output, cacheRead, cacheWrite } = objectOf(message.usage);
    const usage = tokensOf(input, cacheRead, cacheWrite, output);
    const isCounted = Object.values(usage).some((count) => count > 0);
    if (isCounted) events.push({ kind: 'usage', usage, total: false, context: null });
    if (message.stopReason === 'error')
      events.push(withText({ kind: 'error', code: null }, stringOf(message.errorMessage)));
    return events.length > 0 ? events : [{ kind: 'status', name: 'message_end' }];
  }
}

/** A call is announced when it begins to run; until then its arguments are only written. */
function readCallPart({ partial, toolCall }: JsonObject, at: number, delta: string | null): Event {
  const whole = objectOf(toolCall);
  const { id, name } = toolCall === undefined ? objectOf(listOf(objectOf(partial).content)[at]) : whole;
  const event: Event = { kind: 'tool-args', call: stringOf(id), tool: stringOf(name) };
  if (toolCall !== undefined) return withText({ ...event, replace: true }, jsonText(whole.arguments));
  return delta === null ? event : { ...event, delta: true, text: delta };
}

/** A part of an answer that was not streamed. */
function textOf(part: unknown): Event[] {
  const { type, text, thinking } = objectOf(part);
  if (type === 'text') return [withText({ kind: 'text' }, stringOf(text))];
  return type === 'thinking' ? [withText({ kind: 'thinking' }, stringOf(thinking))] : [];
}

/** How a run ended: the reason of its last answer, and the error if there is one. */
export function endOf({ messages }: JsonObject): { status: string; error: string | null } {
  const last = objectsOf(messages).findLast(({ role }) => role === 'assistant');
  return { status: stringOf(last?.stopReason) ?? 'stop', error: stringOf(last?.errorMessage) };
}
