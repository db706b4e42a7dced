/**
 * codex-exec: `codex exec --json`, and codex-sdk, which runs it with `--experimental-json`. A thread has one turn, and
 * the turn has items, each announced, updated and completed by its id.
 */
import type { Event } from '../../model/event.ts';
import { Recent } from '../../model/recent.ts';
import { codexUsage } from '../codex/usage.ts';
import { isProgram } from '../common/command-line.ts';
import { blocksOf, readable, todoOf } from '../common/content.ts';
import { errorText, hello, jsonText, numberOf, objectOf, objectsOf, say, stringOf } from '../common/fields.ts';
import { ended, OneShotReader, recognised, typedEnvelope } from '../common/one-shot.ts';
import { unknown } from '../common/siblings.ts';
import type { Dialect, FirstLook, Json } from '../dialect.ts';
import { codexExecTraits } from './traits.ts';

const TURNS = new Set<unknown>(['thread.started', 'turn.started', 'turn.completed', 'turn.failed']);
const ITEMS = new Set<unknown>(['item.started', 'item.updated', 'item.completed']);

export const codexExec: Dialect = {
  name: 'codex-exec',
  traits: codexExecTraits,
  recognise: (first: FirstLook) => recognised(first, isExec(first.command), isOurs),
  envelope: typedEnvelope,
  open() {
    const items = new Items();
    return new OneShotReader((value) => spoken(value, items));
  },
};

function isExec(command: readonly string[]): boolean {
  const at = command.indexOf('exec');
  return at > 0 && isProgram(command, 'codex') && command.some((word) => /^--(?:experimental-)?json$/.test(word));
}

/** `error` has no mark of its own, but such a line is never alone. Records of a journal have a time. */
function isOurs({ type, item, time, message }: Json): boolean {
  if (time !== undefined) return false;
  if (ITEMS.has(type)) return typeof objectOf(item).type === 'string';
  return TURNS.has(type) || (type === 'error' && typeof message === 'string');
}

function spoken(value: Json, items: Items): Event[] | null {
  switch (value.type) {
    case 'thread.started':
      return [hello({ agent: { name: 'codex', version: null }, session: stringOf(value.thread_id) })];
    case 'turn.started':
      return [{ kind: 'turn-begin', nested: false }];
    case 'turn.completed':
      return [usage(objectOf(value.usage)), ended('completed')];
    case 'turn.failed':
      return [ended('error', errorText(value.error))];
    case 'error':
      return [say({ kind: 'error', code: null }, stringOf(value.message))];
    case 'item.started':
    case 'item.updated':
    case 'item.completed':
      return items.read(value.type, objectOf(value.item));
    default:
      return null;
  }
}

function usage({ input_tokens, cached_input_tokens, cache_write_input_tokens, output_tokens }: Json): Event {
  const usage = codexUsage(input_tokens, cached_input_tokens, cache_write_input_tokens, output_tokens);
  return { kind: 'usage', usage, total: false, context: null };
}

/** Items that are calls of tools: what they are called, what they got, and what they do. */
const CALLS: Readonly<Record<string, (item: Json) => { tool: string; args: unknown; action?: string }>> = {
  command_execution: ({ command }) => ({ tool: 'command_execution', args: { command }, action: 'execute' }),
  file_change: ({ changes }) => ({ tool: 'file_change', args: { changes }, action: 'edit' }),
  mcp_tool_call: ({ server, tool, arguments: args }) => ({ tool: `${server}.${tool}`, args }),
  collab_tool_call: ({ tool, prompt, receiver_thread_ids }) => ({
    tool: stringOf(tool) ?? 'collab_tool_call',
    args: prompt === null ? { receiver_thread_ids } : { prompt },
  }),
  web_search: ({ query }) => ({ tool: 'web_search', args: { query } }),
};

const RUNNING = 10_000;

class Items {
  /** Calls that were announced and have no result yet. */
  readonly #running = new Recent<string, true>(RUNNING);

  read(name: string, item: Json): Event[] {
    const type = stringOf(item.type) ?? '';
    if (Object.hasOwn(CALLS, type)) return this.#call(name, type, item);
    if (type === 'todo_list') return [plan(item)];
    if (name !== 'item.completed') return [{ kind: 'status', name: `${name} ${type}` }];
    switch (type) {
      case 'agent_message':
        return [say({ kind: 'text' }, stringOf(item.text))];
      case 'reasoning':
        return [say({ kind: 'thinking' }, stringOf(item.text))];
      case 'error':
        return [say({ kind: 'notice', name: 'error' }, stringOf(item.message))];
      default:
        return [unknown(item)];
    }
  }

  #call(name: string, type: string, item: Json): Event[] {
    const id = stringOf(item.id) ?? '';
    const { tool, args, action } = CALLS[type]!(item);
    const events: Event[] = [];
    if (!this.#running.has(id)) {
      const call: Event = { kind: 'tool-call', call: id, tool, args: jsonText(args), complete: true };
      if (action !== undefined) Object.assign(call, { action, writes: true });
      events.push(call);
      this.#running.set(id, true);
    } else if (name !== 'item.completed') {
      events.push(say({ kind: 'progress', call: id }, stringOf(item.aggregated_output)));
    }
    if (name !== 'item.completed') return events;
    this.#running.delete(id);
    events.push(resultOf(id, item));
    return events;
  }
}

function resultOf(call: string, item: Json): Event {
  const { aggregated_output, result, error, status, exit_code } = item;
  const said = aggregated_output ?? objectOf(result).content ?? errorText(error);
  const blocks = blocksOf(said);
  const ok = status !== 'failed' && status !== 'declined' && (numberOf(exit_code) ?? 0) === 0;
  const event: Event = { kind: 'tool-result', call, ok, blocks, displays: [] };
  if (status === 'declined') event.ruling = { decision: 'deny', by: 'agent' };
  // Only a command that was started has an exit code.
  if (typeof exit_code === 'number') event.ran = true;
  return say(event, readable(blocks));
}

function plan({ items }: Json): Event {
  const rows = objectsOf(items).map(({ text, completed }) => ({
    title: text,
    status: completed === true ? 'completed' : 'pending',
  }));
  return { kind: 'plan', blocks: [todoOf(rows)] };
}
