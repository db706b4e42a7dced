/**
 * The items of threads: what the agent says, does and has done. Each is announced by `item/started` and ended by
 * `item/completed` with the same id. In between, deltas add to it.
 */
import type { Block, Event } from '../../model/event.ts';
import { LimitedMap } from '../../model/limited-map.ts';
import { blocksOf, readable } from '../common/content.ts';
import { errorText, jsonText, listOf, numberOf, objectOf, objectsOf, stringOf, withText } from '../common/fields.ts';
import type { JsonObject } from '../dialect.ts';
import { changeBlocks } from './changes.ts';

interface CodexCall {
  tool: string;
  args: unknown;
  action?: string;
  writes?: boolean;
  blocks?: Block[];
}

/** Items that are calls of tools: what they are called, what they got, and what they do. */
const CALLS: Readonly<Record<string, (item: JsonObject) => CodexCall>> = {
  // A command that the user typed needs nobody's approval.
  commandExecution: ({ command, cwd, source }) => {
    return { tool: 'commandExecution', args: { command, cwd }, action: 'execute', writes: source !== 'userShell' };
  },
  fileChange: ({ changes }) => {
    return { tool: 'fileChange', args: { changes }, action: 'edit', writes: true, blocks: changeBlocks(changes) };
  },
  mcpToolCall: ({ tool, arguments: args }) => ({ tool: stringOf(tool) ?? 'mcpToolCall', args }),
  dynamicToolCall: ({ tool, arguments: args }) => ({ tool: stringOf(tool) ?? 'dynamicToolCall', args }),
  collabAgentToolCall: ({ tool, prompt, receiverThreadIds }) => {
    return { tool: stringOf(tool) ?? 'collabAgentToolCall', args: prompt ? { prompt } : { receiverThreadIds } };
  },
  webSearch: ({ query, action }) => ({ tool: 'webSearch', args: { query, action } }),
  imageView: ({ path }) => ({ tool: 'imageView', args: { path } }),
  imageGeneration: ({ revisedPrompt, prompt }) => ({
    tool: 'imageGeneration',
    args: { prompt: revisedPrompt ?? prompt },
  }),
  sleep: ({ type: _type, id: _id, startedAtMs: _started, completedAtMs: _completed, ...args }) => ({
    tool: 'sleep',
    args,
  }),
};

/** What the agent says, as one text. */
const TEXTS: Readonly<Record<string, { kind: 'text' | 'thinking'; text: (item: JsonObject) => string | null }>> = {
  agentMessage: { kind: 'text', text: ({ text }) => stringOf(text) },
  plan: { kind: 'text', text: ({ text }) => stringOf(text) },
  reasoning: { kind: 'thinking', text: ({ summary, content }) => linesOf([...listOf(summary), ...listOf(content)]) },
};

/** Items that only mark something. */
const MARKS = new Set(['enteredReviewMode', 'exitedReviewMode', 'hookPrompt', 'functionCallOutput']);

/** A call of a tool of an MCP server, which an approval names only by its server and arguments. */
interface McpCall {
  id: string;
  tool: string;
  server: string;
  args: string | null;
}

/** A call that was announced and has no result yet. */
interface RunningCodexCall {
  args: string | null;
  changes: unknown;
  mcp: McpCall | null;
}

export class CodexItems {
  readonly #running = new LimitedMap<string, RunningCodexCall>();
  /** Texts that came in parts. */
  readonly #streamed = new LimitedMap<string, true>();

  started(item: JsonObject): Event[] {
    const type = stringOf(item.type) ?? '';
    if (Object.hasOwn(CALLS, type)) return [this.#announce(item, CALLS[type]!(item))];
    if (type === 'contextCompaction') return [{ kind: 'compaction', done: false }];
    if (type === 'subAgentActivity') return [readActivity(item)];
    const isKnown = Object.hasOwn(TEXTS, type) || MARKS.has(type) || type === 'userMessage';
    return [isKnown ? { kind: 'status', name: type } : { kind: 'other', name: type }];
  }

  completed(item: JsonObject): Event[] {
    const type = stringOf(item.type) ?? '';
    const id = stringOf(item.id) ?? '';
    if (Object.hasOwn(CALLS, type)) return this.#returned(id, item, CALLS[type]!(item));
    if (type === 'contextCompaction') return [{ kind: 'compaction', done: true }];
    if (type === 'subAgentActivity') return [{ ...readActivity(item), restates: true }];
    if (type === 'userMessage') return [{ kind: 'status', name: type, restates: true }];
    if (MARKS.has(type)) return [withText({ kind: 'status', name: type }, markText(item))];
    if (!Object.hasOwn(TEXTS, type)) return [{ kind: 'other', name: type }];
    const { kind, text } = TEXTS[type]!;
    const wholeText = text(item);
    if (this.#streamed.delete(id)) return [withText({ kind, restates: true }, wholeText)];
    // Reasoning may be hidden.
    return [wholeText ? { kind, text: wholeText } : { kind: 'status', name: type }];
  }

  /** A part of a text. */
  readDelta(kind: 'text' | 'thinking', { itemId, delta }: JsonObject): Event {
    this.#streamed.set(stringOf(itemId) ?? '', true);
    return { kind, delta: true, text: stringOf(delta) ?? '' };
  }

  progress({ itemId, delta, message, stdin }: JsonObject): Event {
    const text = stringOf(delta) ?? stringOf(message) ?? stringOf(stdin);
    return withText({ kind: 'progress', call: stringOf(itemId), delta: true }, text);
  }

  /** The changes of a call are still being written. */
  patched({ itemId, changes }: JsonObject): Event {
    const call = stringOf(itemId);
    const running = this.#running.get(call ?? '');
    const text = jsonText({ changes }) ?? '';
    if (running) Object.assign(running, { args: text, changes });
    return { kind: 'tool-args', call, tool: 'fileChange', blocks: changeBlocks(changes), replace: true, text };
  }

  /** The changes of a call, which its approval does not repeat. */
  changesOf(id: string | null): unknown {
    return this.#running.get(id ?? '')?.changes;
  }

  /** The running call that an approval is about: the latest of that server with these arguments. */
  mcpCall(server: unknown, args: unknown): McpCall | null {
    const calls = [...this.#running.values()].flatMap(({ mcp }) => (mcp && mcp.server === server ? [mcp] : []));
    const same = jsonText(args);
    return calls.findLast(({ args }) => args === same) ?? calls.at(-1) ?? null;
  }

  #announce(item: JsonObject, { tool, args: given, action, writes, blocks }: CodexCall): Event {
    const id = stringOf(item.id);
    const args = jsonText(given);
    const mcp = item.type === 'mcpToolCall' ? { id: id ?? '', tool, server: stringOf(item.server) ?? '', args } : null;
    this.#running.set(id ?? '', { args, changes: item.changes, mcp });
    const call: Event = { kind: 'tool-call', call: id, tool, args, complete: true };
    if (action !== undefined) call.action = action;
    if (writes !== undefined) call.writes = writes;
    if (blocks !== undefined) call.blocks = blocks;
    return call;
  }

  #returned(id: string, item: JsonObject, call: CodexCall): Event[] {
    const running = this.#running.get(id);
    const events: Event[] = running ? [] : [this.#announce(item, call)];
    this.#running.delete(id);
    const args = jsonText(call.args);
    // Some are complete only now, such as the words of a search.
    if (running && running.args !== args && args !== null) {
      events.push({ kind: 'tool-args', call: id, tool: call.tool, replace: true, text: args });
    }
    events.push(resultOf(id, item));
    return events;
  }
}

function resultOf(call: string, item: JsonObject): Event {
  const { status, exitCode, success, error } = item;
  const blocks = outputOf(item);
  const isDone = status === undefined || status === 'completed';
  const ok = isDone && success !== false && !error && (numberOf(exitCode) ?? 0) === 0;
  const event: Event = { kind: 'tool-result', call, ok, blocks, displays: [] };
  if (status === 'declined') event.ruling = { decision: 'deny', by: null };
  // Only a command that was started has an exit code.
  if (typeof exitCode === 'number') event.ran = true;
  return withText(event, readable(blocks));
}

/** What a call returned, wherever its item has it. */
function outputOf({ aggregatedOutput, contentItems, result, error, agentsStates, status }: JsonObject): Block[] {
  const output = aggregatedOutput ?? objectOf(result).content ?? errorText(error);
  if (output !== null && output !== undefined) return blocksOf(output);
  if (contentItems) return objectsOf(contentItems).flatMap(({ text, ...other }) => blocksOf(text ?? [other]));
  const states = Object.values(objectOf(agentsStates)).map((state) => stringOf(objectOf(state).message));
  const messages = states.filter((message) => message !== null);
  if (messages.length > 0) return blocksOf(messages);
  return status === 'declined' || status === 'failed' ? blocksOf(status) : [];
}

function readActivity({ agentThreadId, agentPath, kind }: JsonObject): Event {
  const event: Event = { kind: 'subagent', call: null, name: stringOf(agentPath), background: false };
  const id = stringOf(agentThreadId);
  if (id !== null) event.subagent = id;
  return withText(event, stringOf(kind));
}

function markText({ review, fragments, output, name }: JsonObject): string | null {
  return (
    stringOf(review) ?? stringOf(output) ?? linesOf(objectsOf(fragments).map(({ text }) => text)) ?? stringOf(name)
  );
}

function linesOf(parts: readonly unknown[]): string | null {
  const texts = parts.filter((part) => typeof part === 'string');
  return texts.length === 0 ? null : texts.join('\n\n');
}
