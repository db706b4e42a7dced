/** Messages as pi reports them: their beginning, each part of an answer as it streams, and the whole answer at the end. */
import type { Event } from '../../model/event.ts';
import { blocksOf, readable } from '../common/content.ts';
import { hello, jsonText, listOf, numberOf, objectOf, objectsOf, say, stringOf, tokensOf } from '../common/fields.ts';
import { repeated } from '../common/one-shot.ts';
import type { Json } from '../dialect.ts';

export class Messages {
  /** The parts of the current answer that have ended. */
  readonly #streamed = new Set<number>();
  #model: string | null = null;

  begins(message: Json): Event[] {
    const { role, model } = message;
    if (role === 'user') return [repeated(readable(blocksOf(message.content)))];
    const status: Event = { kind: 'status', name: 'message_start' };
    if (role !== 'assistant') return [{ ...status, restates: true }];
    this.#streamed.clear();
    if (typeof model !== 'string' || model === this.#model) return [status];
    this.#model = model;
    return [hello({ agent: { name: 'pi', version: null }, model })];
  }

  update({ assistantMessageEvent }: Json): Event {
    const said = objectOf(assistantMessageEvent);
    const type = stringOf(said.type) ?? '';
    const at = numberOf(said.contentIndex) ?? -1;
    const delta = stringOf(said.delta);
    switch (type) {
      case 'text_delta':
        return say({ kind: 'text', delta: true }, delta);
      case 'thinking_delta':
        return say({ kind: 'thinking', delta: true }, delta);
      case 'text_end':
      case 'thinking_end':
        this.#streamed.add(at);
        return say({ kind: type === 'text_end' ? 'text' : 'thinking', restates: true }, stringOf(said.content));
      case 'toolcall_start':
      case 'toolcall_delta':
      case 'toolcall_end':
        return callPart(said, at, delta);
      default:
        return { kind: 'status', name: type };
    }
  }

  ends(message: Json): Event[] {
    if (message.role !== 'assistant') return [{ kind: 'status', name: 'message_end', restates: true }];
    const events = listOf(message.content).flatMap((part, at) => (this.#streamed.has(at) ? [] : textOf(part)));
    const { input, output, cacheRead, cacheWrite } = objectOf(message.usage);
    const usage = tokensOf(input, cacheRead, cacheWrite, output);
    const isCounted = Object.values(usage).some((count) => count > 0);
    if (isCounted) events.push({ kind: 'usage', usage, total: false, context: null });
    if (message.stopReason === 'error') events.push(say({ kind: 'error', code: null }, stringOf(message.errorMessage)));
    return events.length > 0 ? events : [{ kind: 'status', name: 'message_end' }];
  }
}

/** A call is announced when it begins to run; until then its arguments are only written. */
function callPart({ partial, toolCall }: Json, at: number, delta: string | null): Event {
  const whole = objectOf(toolCall);
  const { id, name } = toolCall === undefined ? objectOf(listOf(objectOf(partial).content)[at]) : whole;
  const event: Event = { kind: 'tool-args', call: stringOf(id), tool: stringOf(name) };
  if (toolCall !== undefined) return say({ ...event, replace: true }, jsonText(whole.arguments));
  return delta === null ? event : { ...event, delta: true, text: delta };
}

/** A part of an answer that was not streamed. */
function textOf(part: unknown): Event[] {
  const { type, text, thinking } = objectOf(part);
  if (type === 'text') return [say({ kind: 'text' }, stringOf(text))];
  return type === 'thinking' ? [say({ kind: 'thinking' }, stringOf(thinking))] : [];
}

/** How a run ended: the reason of its last answer, and the error if there is one. */
export function endOf({ messages }: Json): { status: string; error: string | null } {
  const last = objectsOf(messages).findLast(({ role }) => role === 'assistant');
  return { status: stringOf(last?.stopReason) ?? 'stop', error: stringOf(last?.errorMessage) };
}
