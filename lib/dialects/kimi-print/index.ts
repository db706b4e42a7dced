/**
 * kimi-print: `kimi -p … --output-format stream-json`. The prompt is on the command line, and the output uses OpenAI's
 * format. The exit of the process is the answer to the prompt. If the client sends prompts as lines instead, a model
 * answer without calls ends its turn.
 */
import type { Event, ProcessEvent } from '../../model/event.ts';
import type { Frame } from '../../model/frame.ts';
import { type Message, NO_MESSAGE } from '../../model/message.ts';
import { isProgram, optionOf, promptOf, takesJsonInput } from '../common/command-line.ts';
import { answerEvents, blocksOf, readable } from '../common/content.ts';
import { jsonText, listOf, objectOf, stringOf, withText } from '../common/fields.ts';
import { unknownEvent } from '../common/siblings.ts';
import type { Dialect, DialectLine, DialectReader, FirstLines, JsonObject, SessionInfo } from '../dialect.ts';
import { PRINT_ENTRIES } from './rules/entries.ts';
import { PRINT_RULES, printSchemas } from './rules/index.ts';
import { kimiPrintTraits } from './traits.ts';

const WRITERS = new Set(['Write', 'Edit', 'Bash', 'Shell', 'WriteFile', 'StrReplaceFile']);
const DELEGATES = new Set(['Task', 'Agent']);

export const kimiPrint: Dialect = {
  name: 'kimi-print',
  traits: kimiPrintTraits,
  recognise({ command, lines }: FirstLines): number {
    if (lines.some(({ from, value }) => from === 'agent' && isOurs(value))) return 0.95;
    if (lines.length > 0 || !isProgram(command, 'kimi')) return 0;
    return optionOf(command, '--output-format') === 'stream-json' ? 0.8 : 0;
  },
  envelope(value: JsonObject): Message {
    const { role, type } = value;
    const name = typeof role === 'string' && typeof type === 'string' ? `${role}/${type}` : stringOf(role);
    return { ...NO_MESSAGE, envelope: name === null ? 'none' : 'notification', type: name, body: value };
  },
  open: (session) => new PrintReader(session),
  conformance: {
    prefix: 'print',
    title: 'kimi -p with JSON lines',
    rules: PRINT_RULES,
    shapes: printSchemas,
    entries: PRINT_ENTRIES,
  },
};

function isOurs({ role, type, jsonrpc }: JsonObject): boolean {
  if (jsonrpc !== undefined) return false;
  if (role === 'meta') return typeof type === 'string';
  return type === undefined && (role === 'assistant' || role === 'tool');
}

class PrintReader implements DialectReader {
  readonly #waiting: number[] = [];
  readonly #hasPrompt: boolean;
  #open = false;
  /** The prompt of the latest turn. */
  #taken: number | null = null;

  constructor({ command }: SessionInfo) {
    this.#hasPrompt = promptOf(command) !== null;
    if (!takesJsonInput(command) || this.#hasPrompt) this.#waiting.push(0);
  }

  /** A run that exits without output has still taken up its prompt. A killed process has not answered it. */
  readEvent({ event, detail }: Frame, happening: ProcessEvent): void {
    if (event !== 'exit') return;
    if (this.#hasPrompt && this.#waiting[0] === 0) happening.takes = this.#taken = this.#waiting.shift()!;
    if (this.#taken === 0 && typeof detail.code === 'number')
      happening.ended = detail.code === 0 ? 'finished' : 'error';
  }

  read({ frame, value }: DialectLine): Event[] {
    const { role } = value;
    if (frame.from === 'client') {
      if (role !== 'user') return [unknownEvent(value)];
      // There was no prompt on the command line after all.
      if (this.#waiting[0] === 0 && !this.#open) this.#waiting.shift();
      this.#waiting.push(frame.f);
      const blocks = blocksOf(value.content);
      return [withText({ kind: 'prompt', blocks }, readable(blocks))];
    }
    const events = readAgentLine(value);
    if (!this.#open) this.#takeUp(events[0]!, role === 'assistant' || role === 'tool');
    if (role === 'assistant' && listOf(value.tool_calls).length === 0) this.#open = false;
    return events;
  }

  /** Any first line takes up the prompt on the command line; others are taken up by a model answer. */
  #takeUp(first: Event, isAnswer: boolean): void {
    if (first.kind === 'noise' || (this.#waiting[0] !== 0 && !isAnswer)) return;
    const taken = this.#waiting.shift();
    if (taken === undefined) return;
    first.takes = taken;
    this.#taken = taken;
    this.#open = true;
  }
}

function readAgentLine(value: JsonObject): Event[] {
  switch (value.role) {
    case 'meta':
      return [readMeta(value)];
    case 'assistant':
      return readAssistant(value);
    case 'tool': {
      const blocks = blocksOf(value.content);
      const call = stringOf(value.tool_call_id);
      return [
        withText({ kind: 'tool-result', call, ok: value.is_error !== true, blocks, displays: [] }, readable(blocks)),
      ];
    }
    default:
      return [typeof value.role === 'string' ? { kind: 'other', name: value.role } : unknownEvent(value)];
  }
}

function readMeta({ type, version, content }: JsonObject): Event {
  if (type !== 'system.version') return withText({ kind: 'notice', name: stringOf(type) }, stringOf(content));
  return { kind: 'handshake', about: { agent: { name: 'kimi-code', version: stringOf(version) } } };
}

function readAssistant({ content, reasoning_content, tool_calls }: JsonObject): Event[] {
  const thoughts: Event[] =
    typeof reasoning_content === 'string' ? [{ kind: 'thinking', text: reasoning_content }] : [];
  const calls = listOf(tool_calls).map((call) => readToolCall(objectOf(call)));
  return answerEvents(content, calls, thoughts);
}

function readToolCall({ id, function: named }: JsonObject): Event {
  const { name, arguments: args } = objectOf(named);
  const tool = stringOf(name);
  const event: Event = { kind: 'tool-call', call: stringOf(id), tool, args: jsonText(args), complete: true };
  if (tool !== null && (WRITERS.has(tool) || DELEGATES.has(tool))) event.writes = WRITERS.has(tool);
  return event;
}
