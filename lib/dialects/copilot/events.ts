/**
 * The events of a Copilot session, `{type, data, id, timestamp, parentId}`: in the SDK they are in notifications, and
 * `copilot -p --output-format json` prints them as lines.
 */
import type { Event } from '../../model/event.ts';
import { blocksOf, readable } from '../common/content.ts';
import {
  errorText,
  handshakeEvent,
  jsonText,
  numberOf,
  objectOf,
  stringOf,
  tokensOf,
  withText,
} from '../common/fields.ts';
import type { JsonObject } from '../dialect.ts';

const WRITERS = new Set(['bash', 'powershell', 'create', 'edit', 'str_replace', 'write_bash']);

/** Null for an event that is only a status. */
export function readEvent(type: unknown, data: JsonObject): Event[] | null {
  const read = typeof type === 'string' ? EVENTS.get(type) : undefined;
  return read ? read(data) : null;
}

const EVENTS: ReadonlyMap<string, (data: JsonObject) => Event[]> = new Map<string, (data: JsonObject) => Event[]>([
  ['session.start', (data) => [readGreeting(data)]],
  ['session.tools_updated', ({ model }) => [readGreeting({ selectedModel: model })]],
  ['session.error', ({ message }) => [withText({ kind: 'error', code: null }, stringOf(message))]],
  ['assistant.turn_start', () => [{ kind: 'step-begin', n: null }]],
  ['assistant.turn_end', () => [{ kind: 'step-end' }]],
  ['assistant.message_delta', ({ deltaContent }) => [withText({ kind: 'text', delta: true }, stringOf(deltaContent))]],
  [
    'assistant.reasoning_delta',
    ({ deltaContent }) => [withText({ kind: 'thinking', delta: true }, stringOf(deltaContent))],
  ],
  // It also names calls that are then started.
  ['assistant.message', ({ content }) => [withText({ kind: 'text' }, stringOf(content))]],
  ['assistant.reasoning', ({ content }) => [withText({ kind: 'thinking' }, stringOf(content))]],
  ['assistant.usage', (data) => [readUsage(data)]],
  ['tool.execution_start', (data) => [readToolCall(data)]],
  ['tool.execution_partial_result', (data) => [makeProgress(data, data.partialOutput)]],
  ['tool.execution_progress', (data) => [makeProgress(data, data.progressMessage)]],
  ['tool.shell_output', (data) => [makeProgress(data, data.text)]],
  ['tool.execution_complete', (data) => [readToolResult(data)]],
]);

/** A message that was streamed is repeated as a whole. */
export class StreamedMessages {
  readonly #ids: Record<'text' | 'thinking', unknown> = { text: null, thinking: null };

  mark(data: JsonObject, events: Event[]): Event[] {
    const [event] = events;
    if (event?.kind !== 'text' && event?.kind !== 'thinking') return events;
    const id = data.messageId ?? data.reasoningId;
    if (event.delta) this.#ids[event.kind] = id;
    else if (id !== undefined && this.#ids[event.kind] === id) event.restates = true;
    return events;
  }
}

function readGreeting({ copilotVersion, selectedModel, sessionId }: JsonObject): Event {
  const agent = { name: 'copilot', version: stringOf(copilotVersion) };
  return handshakeEvent({ agent, model: stringOf(selectedModel), session: stringOf(sessionId) });
}

/** What was read from the cache is part of the input. */
function readUsage({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }: JsonObject): Event {
  const fresh = (numberOf(inputTokens) ?? 0) - (numberOf(cacheReadTokens) ?? 0);
  const counts = tokensOf(Math.max(0, fresh), cacheReadTokens, cacheWriteTokens, outputTokens);
  return { kind: 'usage', usage: counts, total: false, context: null };
}

/** The tokens in the context, and how many fit. */
export function readContextUsage({ currentTokens, tokenLimit }: JsonObject): Event {
  const used = numberOf(currentTokens);
  return { kind: 'usage', usage: null, total: false, context: { used, size: numberOf(tokenLimit), share: null } };
}

function readToolCall({ toolCallId, toolName, arguments: args }: JsonObject): Event {
  const tool = stringOf(toolName);
  const event: Event = { kind: 'tool-call', call: stringOf(toolCallId), tool, args: jsonText(args), complete: true };
  if (tool !== null && WRITERS.has(tool)) event.writes = true;
  return event;
}

function makeProgress({ toolCallId }: JsonObject, text: unknown): Event {
  return withText({ kind: 'progress', call: stringOf(toolCallId) }, stringOf(text));
}

function readToolResult({ toolCallId, success, result, error }: JsonObject): Event {
  const blocks = blocksOf(objectOf(result).content ?? errorText(error));
  const event: Event = { kind: 'tool-result', call: stringOf(toolCallId), ok: success === true, blocks, displays: [] };
  if (objectOf(error).code === 'denied') event.ruling = { decision: 'deny', by: 'agent' };
  return withText(event, readable(blocks));
}
