/**
 * The events of a Copilot session, `{type, data, id, timestamp, parentId}`: in the SDK they are in notifications, and
 * `copilot -p --output-format json` prints them as lines.
 */
import type { Event } from '../../model/event.ts';
import { blocksOf, readable } from '../common/content.ts';
import { errorText, hello, jsonText, numberOf, objectOf, say, stringOf, tokensOf } from '../common/fields.ts';
import type { Json } from '../dialect.ts';

const WRITERS = new Set(['bash', 'powershell', 'create', 'edit', 'str_replace', 'write_bash']);

/** Null for an event that is only a status. */
export function readEvent(type: unknown, data: Json): Event[] | null {
  const read = typeof type === 'string' ? EVENTS.get(type) : undefined;
  return read ? read(data) : null;
}

const EVENTS: ReadonlyMap<string, (data: Json) => Event[]> = new Map<string, (data: Json) => Event[]>([
  ['session.start', (data) => [greeting(data)]],
  ['session.tools_updated', ({ model }) => [greeting({ selectedModel: model })]],
  ['session.error', ({ message }) => [say({ kind: 'error', code: null }, stringOf(message))]],
  ['assistant.turn_start', () => [{ kind: 'step-begin', n: null }]],
  ['assistant.turn_end', () => [{ kind: 'step-end' }]],
  ['assistant.message_delta', ({ deltaContent }) => [say({ kind: 'text', delta: true }, stringOf(deltaContent))]],
  ['assistant.reasoning_delta', ({ deltaContent }) => [say({ kind: 'thinking', delta: true }, stringOf(deltaContent))]],
  // It also names calls that are then started.
  ['assistant.message', ({ content }) => [say({ kind: 'text' }, stringOf(content))]],
  ['assistant.reasoning', ({ content }) => [say({ kind: 'thinking' }, stringOf(content))]],
  ['assistant.usage', (data) => [usage(data)]],
  ['tool.execution_start', (data) => [toolCall(data)]],
  ['tool.execution_partial_result', (data) => [progress(data, data.partialOutput)]],
  ['tool.execution_progress', (data) => [progress(data, data.progressMessage)]],
  ['tool.shell_output', (data) => [progress(data, data.text)]],
  ['tool.execution_complete', (data) => [toolResult(data)]],
]);

/** A message that was streamed is repeated as a whole. */
export class Streamed {
  readonly #ids: Record<'text' | 'thinking', unknown> = { text: null, thinking: null };

  mark(data: Json, events: Event[]): Event[] {
    const [event] = events;
    if (event?.kind !== 'text' && event?.kind !== 'thinking') return events;
    const id = data.messageId ?? data.reasoningId;
    if (event.delta) this.#ids[event.kind] = id;
    else if (id !== undefined && this.#ids[event.kind] === id) event.restates = true;
    return events;
  }
}

function greeting({ copilotVersion, selectedModel, sessionId }: Json): Event {
  const agent = { name: 'copilot', version: stringOf(copilotVersion) };
  return hello({ agent, model: stringOf(selectedModel), session: stringOf(sessionId) });
}

/** What was read from the cache is part of the input. */
function usage({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }: Json): Event {
  const fresh = (numberOf(inputTokens) ?? 0) - (numberOf(cacheReadTokens) ?? 0);
  const counts = tokensOf(Math.max(0, fresh), cacheReadTokens, cacheWriteTokens, outputTokens);
  return { kind: 'usage', usage: counts, total: false, context: null };
}

/** The tokens in the context, and how many fit. */
export function contextUsage({ currentTokens, tokenLimit }: Json): Event {
  const used = numberOf(currentTokens);
  return { kind: 'usage', usage: null, total: false, context: { used, size: numberOf(tokenLimit), share: null } };
}

function toolCall({ toolCallId, toolName, arguments: args }: Json): Event {
  const tool = stringOf(toolName);
  const event: Event = { kind: 'tool-call', call: stringOf(toolCallId), tool, args: jsonText(args), complete: true };
  if (tool !== null && WRITERS.has(tool)) event.writes = true;
  return event;
}

function progress({ toolCallId }: Json, text: unknown): Event {
  return say({ kind: 'progress', call: stringOf(toolCallId) }, stringOf(text));
}

function toolResult({ toolCallId, success, result, error }: Json): Event {
  const blocks = blocksOf(objectOf(result).content ?? errorText(error));
  const event: Event = { kind: 'tool-result', call: stringOf(toolCallId), ok: success === true, blocks, displays: [] };
  if (objectOf(error).code === 'denied') event.ruling = { decision: 'deny', by: 'agent' };
  return say(event, readable(blocks));
}
