/** `chat.completion`, a model message, and `chat.completion.chunk`, a piece of one. */
import type { Event } from '../../model/event.ts';
import { isObject } from '../../model/message.ts';
import { blocksOf, readable } from '../common/content.ts';
import {
  errorText,
  handshakeEvent,
  isAbsent,
  jsonText,
  listOf,
  numberOf,
  objectOf,
  stringOf,
  withText,
} from '../common/fields.ts';
import type { JsonObject } from '../dialect.ts';
import { writes } from '../stream-json/calls.ts';

export class CompletionReader {
  #introduced = false;
  /** Calls that arrive in pieces, by index. */
  readonly #calls = new Map<number, string | null>();

  readWhole(value: JsonObject): Event[] {
    const { message, finish_reason } = objectOf(listOf(value.choices)[0]);
    const { content, tool_calls } = objectOf(message);
    const events: Event[] = [];
    if (!isAbsent(content) && content !== '') {
      events.push(withText({ kind: 'text' }, readable(blocksOf(content))));
    }
    for (const call of listOf(tool_calls)) events.push(readToolCall(objectOf(call)));
    if (events[0]) events[0].step = true;
    events.push(...this.#readExtras(value));
    if (isEnd(finish_reason)) events.push(makeAnswer(finish_reason, value));
    if (events.length === 0) events.push({ kind: 'text', text: '' });
    return this.#addIntroduction(value, events);
  }

  readChunk(value: JsonObject): Event[] {
    const { delta, finish_reason } = objectOf(listOf(value.choices)[0]);
    const { role, content, tool_calls } = objectOf(delta);
    const events: Event[] = [];
    if (typeof role === 'string') this.#calls.clear();
    const isEmpty = listOf(tool_calls).length === 0 && typeof finish_reason !== 'string';
    if (typeof content === 'string' || isEmpty) {
      events.push({ kind: 'text', text: stringOf(content) ?? '', delta: true });
    }
    for (const call of listOf(tool_calls)) events.push(this.#readPiece(objectOf(call)));
    if (typeof role === 'string' && events[0]) events[0].step = true;
    if (typeof finish_reason === 'string') events.push({ kind: 'step-end' });
    events.push(...this.#readExtras(value));
    if (isEnd(finish_reason)) events.push(makeAnswer(finish_reason, value));
    return this.#addIntroduction(value, events);
  }

  /** The first piece of a call has its id and name, the others only add arguments. */
  #readPiece({ index, id, function: named }: JsonObject): Event {
    const { name, arguments: text } = objectOf(named);
    const at = numberOf(index) ?? 0;
    const call = stringOf(id);
    if (call === null || this.#calls.get(at) === call) {
      return { kind: 'tool-args', call: this.#calls.get(at) ?? call, text: stringOf(text) ?? '', delta: true };
    }
    this.#calls.set(at, call);
    const args = stringOf(text);
    return withWrites({ kind: 'tool-call', call, tool: stringOf(name), args, complete: false, delta: true });
  }

  #readExtras({ usage, metadata }: JsonObject): Event[] {
    const events: Event[] = [];
    if (isObject(usage)) events.push(usageOf(usage));
    const { control_errors } = objectOf(metadata);
    const text = errorText(control_errors) ?? jsonText(control_errors);
    if (!isAbsent(control_errors)) events.push(withText({ kind: 'notice', name: 'control_errors' }, text));
    return events;
  }

  /** The first message names the protocol, in `metadata` or in `system_fingerprint`. */
  #addIntroduction({ metadata, system_fingerprint, model }: JsonObject, events: Event[]): Event[] {
    const introduction = [metadata, system_fingerprint].map(objectOf).find((about) => 'protocol_version' in about);
    if (this.#introduced || !introduction) return events;
    this.#introduced = true;
    const { protocol_version, capabilities } = introduction;
    const protocol = stringOf(protocol_version) ?? jsonText(protocol_version) ?? '';
    return [handshakeEvent({ protocol, capabilities, model: stringOf(model) }), ...events];
  }
}

function readToolCall({ id, function: named }: JsonObject): Event {
  const { name, arguments: args } = objectOf(named);
  return withWrites({
    kind: 'tool-call',
    call: stringOf(id),
    tool: stringOf(name),
    args: jsonText(args),
    complete: true,
  });
}

function withWrites(event: Event & { kind: 'tool-call' }): Event {
  const known = writes(event.tool ?? null);
  if (known !== undefined) event.writes = known;
  return event;
}

function isEnd(reason: unknown): reason is string {
  return reason === 'stop' || reason === 'error';
}

/** The reader fills in the prompt. */
function makeAnswer(status: string, { metadata }: JsonObject): Event {
  return withText({ kind: 'prompt-answer', prompt: null, status, code: null }, errorText(objectOf(metadata).error));
}

/** As OpenAI counts: the prompt tokens include the cached ones. */
function usageOf(usage: JsonObject): Event {
  const cache_read = numberOf(objectOf(usage.prompt_tokens_details).cached_tokens) ?? 0;
  const input = Math.max(0, (numberOf(usage.prompt_tokens) ?? 0) - cache_read);
  const output = numberOf(usage.completion_tokens) ?? 0;
  return { kind: 'usage', usage: { input, cache_read, cache_write: 0, output }, total: false, context: null };
}
