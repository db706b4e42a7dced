/**
 * copilot-json: `copilot -p … --output-format json`. Its lines are the events of a session, `{type, data, id, timestamp,
 * parentId}`, and a last `result` with the exit code. What needs leave is refused, unless an option allows it.
 */
import type { Event } from '../core/event.ts';
import { isProgram, optionOf } from './command-line.ts';
import { blocksOf, readable } from './content.ts';
import type { Dialect, FirstLook, Json } from './dialect.ts';
import { errorText, hello, jsonText, objectOf, say, stringOf, tokensOf } from './fields.ts';
import { ended, OneShotReader, recognised, repeated, typedEnvelope } from './one-shot.ts';

const FAMILIES = /^(?:session|user|assistant|model|tool|permission|subagent|hook|system)\./;
const WRITERS = new Set(['bash', 'powershell', 'create', 'edit', 'str_replace', 'write_bash']);

export const copilotJson: Dialect = {
  name: 'copilot-json',
  recognise: (first: FirstLook) => recognised(first, isJson(first.command), isOurs),
  envelope: typedEnvelope,
  open() {
    const streamed = new Streamed();
    return new OneShotReader((value) => streamed.mark(value, spoken(value)), true);
  },
};

function isJson(command: readonly string[]): boolean {
  return isProgram(command, 'copilot') && optionOf(command, '--output-format') === 'json';
}

function isOurs({ type, data, id, timestamp, exitCode }: Json): boolean {
  if (type === 'result') return typeof exitCode === 'number';
  const isEvent = typeof id === 'string' && typeof timestamp === 'string' && typeof data === 'object';
  return isEvent && typeof type === 'string' && FAMILIES.test(type);
}

/** A message that was streamed is repeated as a whole. */
class Streamed {
  readonly #ids: Record<'text' | 'thinking', unknown> = { text: null, thinking: null };

  mark({ data }: Json, events: Event[] | null): Event[] | null {
    const event = events?.[0];
    if (event?.kind !== 'text' && event?.kind !== 'thinking') return events;
    const { messageId, reasoningId } = objectOf(data);
    const id = messageId ?? reasoningId;
    if (event.delta) this.#ids[event.kind] = id;
    else if (id !== undefined && this.#ids[event.kind] === id) event.restates = true;
    return events;
  }
}

function spoken(value: Json): Event[] | null {
  if (value.type === 'result') return [ended(value.exitCode === 0 ? 'finished' : 'error')];
  const data = objectOf(value.data);
  const read = typeof value.type === 'string' ? EVENTS.get(value.type) : undefined;
  if (read) return read(data);
  return isOurs(value) ? [{ kind: 'status', name: stringOf(value.type) }] : null;
}

const EVENTS: ReadonlyMap<string, (data: Json) => Event[]> = new Map<string, (data: Json) => Event[]>([
  ['session.start', ({ sessionId, selectedModel }) => [greeting(selectedModel, sessionId)]],
  ['session.tools_updated', ({ model }) => [greeting(model, null)]],
  ['session.error', ({ message }) => [say({ kind: 'error', code: null }, stringOf(message))]],
  ['user.message', ({ content }) => [repeated(stringOf(content))]],
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

function greeting(model: unknown, session: unknown): Event {
  return hello({ agent: { name: 'copilot', version: null }, model: stringOf(model), session: stringOf(session) });
}

function usage({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }: Json): Event {
  const counts = tokensOf(inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens);
  return { kind: 'usage', usage: counts, total: false, context: null };
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
