/**
 * codex-exec: `codex exec --json`, and codex-sdk, which runs it with `--experimental-json`. A thread has one turn, and
 * the turn has items, each announced, updated and completed by its id.
 */
import type { Event } from '../../model/event.ts';
import { LimitedMap } from '../../model/limited-map.ts';
import { codexUsage } from '../codex/usage.ts';
import { isProgram } from '../common/command-line.ts';
import { blocksOf, readable, todoOf } from '../common/content.ts';
import {
  errorText,
  handshakeEvent,
  jsonText,
  numberOf,
  objectOf,
  objectsOf,
  stringOf,
  withText,
} from '../common/fields.ts';
import { endTurn, OneShotReader, recogniseByLines, typedEnvelope } from '../common/one-shot.ts';
import { unknownEvent } from '../common/siblings.ts';
import type { Dialect, FirstLines, JsonObject } from '../dialect.ts';
import { codexExecTraits } from './traits.ts';

const TURNS = new Set<unknown>(['thread.started', 'turn.started', 'turn.completed', 'turn.failed']);
const ITEMS = new Set<unknown>(['item.started', 'item.updated', 'item.completed']);

export const codexExec: Dialect = {
  name: 'codex-exec',
  traits: codexExecTraits,
  recognise: (first: FirstLines) => recogniseByLines(first, isExec(first.command), isOurs),
  envelope: typedEnvelope,
  open() {
    const items = new ExecItems();
    return new OneShotReader((value) => readAgentLine(value, items));
  },
};

function isExec(command: readonly string[]): boolean {
  const at = command.indexOf('exec');
  return at > 0 && isProgram(command, 'codex') && command.some((word) => /^--(?:experimental-)?json$/.test(word));
}

/** `error` has no mark of its own, but such a line is never alone. Records of a journal have a time. */
function isOurs({ type, item, time, message }: JsonObject): boolean {
  if (time !== undefined) return false;
  if (ITEMS.has(type)) return typeof objectOf(item).type === 'string';
  return TURNS.has(type) || (type === 'error' && typeof message === 'string');
}

function readAgentLine(value: JsonObject, items: ExecItems): Event[] | null {
  switch (value.type) {
    case 'thread.started':
      return [handshakeEvent({ agent: { name: 'codex', version: null }, session: stringOf(value.thread_id) })];
    case 'turn.started':
      return [{ kind: 'turn-begin', nested: false }];
    case 'turn.completed':
      return [readUsage(objectOf(value.usage)), endTurn('completed')];
    case 'turn.failed':
      return [endTurn('error', errorText(value.error))];
    case 'error':
      return [withText({ kind: 'error', code: null }, stringOf(value.message))];
    case 'item.started':
    case 'item.updated':
    case 'item.completed':
      return items.read(value.type, objectOf(value.item));
    default:
      return null;
  }
}

function readUsage({ input_tokens, cached_input_tokens, cache_write_input_tokens, output_tokens }: JsonObject): Event {
  const usage = codexUsage(input_tokens, cached_input_tokens, cache_write_input_tokens, output_tokens);
  return { kind: 'usage', usage, total: false, context: null };
}

/** Items that are calls of tools: what they are called, what they got, and what they do. */
const CALLS: Readonly<Record<string, (item: JsonObject) => { tool: string; args: unknown; action?: string }>> = {
  command_execution: ({ command }) => ({ tool: 'command_execution', args: { command }, action: 'execute' }),
  file_change: ({ changes }) => ({ tool: 'file_change', args: { changes }, action: 'edit' }),
  mcp_tool_call: ({ server, tool, arguments: args }) => ({ tool: `${server}.${tool}`, args }),
  collab_tool_call: ({ tool, prompt, receiver_thread_ids }) => ({
    tool: stringOf(tool) ?? 'collab_tool_call',
    args: prompt === null ? { receiver_thread_ids } : { prompt },
  }),
  web_search: ({ query }) => ({ tool: 'web_search', args: { query } }),
};

const MAX_RUNNING_CALLS = 10_000;

class ExecItems {
  /** Calls that were announced and have no result yet. */
  readonly #running = new LimitedMap<string, true>(MAX_RUNNING_CALLS);

  read(name: string, item: JsonObject): Event[] {
    const type = stringOf(item.type) ?? '';
    if (Object.hasOwn(CALLS, type)) return this.#readCall(name, type, item);
    if (type === 'todo_list') return [readPlan(item)];
    if (name !== 'item.completed') return [{ kind: 'status', name: `${name} ${type}` }];
    switch (type) {
      case 'agent_message':
        return [withText({ kind: 'text' }, stringOf(item.text))];
      case 'reasoning':
        return [withText({ kind: 'thinking' }, stringOf(item.text))];
      case 'error':
        return [withText({ kind: 'notice', name: 'error' }, stringOf(item.message))];
      default:
        return [unknownEvent(item)];
    }
  }

  #readCall(name: string, type: string, item: JsonObject): Event[] {
    const id = stringOf(item.id) ?? '';
    const { tool, args, action } = CALLS[type]!(item);
    const events: Event[] = [];
    if (!this.#running.has(id)) {
      const call: Event = { kind: 'tool-call', call: id, tool, args: jsonText(args), complete: true };
      if (action !== undefined) Object.assign(call, { action, writes: true });
      events.push(call);
      this.#running.set(id, true);
    } else if (name !== 'item.completed') {
      events.push(withText({ kind: 'progress', call: id }, stringOf(item.aggregated_output)));
    }
    if (name !== 'item.completed') return events;
    this.#running.delete(id);
    events.push(resultOf(id, item));
    return events;
  }
}

function resultOf(call: string, item: JsonObject): Event {
  const { aggregated_output, result, error, status, exit_code } = item;
  const output = aggregated_output ?? objectOf(result).content ?? errorText(error);
  const blocks = blocksOf(output);
  const ok = status !== 'failed' && status !== 'declined' && (numberOf(exit_code) ?? 0) === 0;
  const event: Event = { kind: 'tool-result', call, ok, blocks, displays: [] };
  if (status === 'declined') event.ruling = { decision: 'deny', by: 'agent' };
  // Only a command that was started has an exit code.
  if (typeof exit_code === 'number') event.ran = true;
  return withText(event, readable(blocks));
}

function readPlan({ items }: JsonObject): Event {
  const rows = objectsOf(items).map(({ text, completed }) => ({
    title: text,
    status: completed === true ? 'completed' : 'pending',
  }));
  return { kind: 'plan', blocks: [todoOf(rows)] };
}
