/**
 * The events of Codex's own protocol, `{type, ...}`, as old app-servers and `codex mcp-server` pass them on. Most things are
 * reported several times, for old clients and for new ones: the first way counts, the others are a `status`.
 */
import type { Event } from '../../model/event.ts';
import { LimitedMap } from '../../model/limited-map.ts';
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
import type { JsonObject } from '../dialect.ts';
import { changeBlocks } from './changes.ts';
import { modeOf, settingsIn } from './modes.ts';
import { codexUsage } from './usage.ts';

type ReadOldEvent = (msg: JsonObject, type: string) => Event[];

export class OldEvents {
  /** The texts that came in parts since the last whole one. */
  readonly #streamed = new Set<'text' | 'thinking'>();
  /** Calls without a result, and whether each was seen to begin. */
  readonly #running = new LimitedMap<string, boolean>();
  /** All tokens so far, which are reported again with each new limit. */
  #total = '';
  readonly #readers: ReadonlyMap<string, ReadOldEvent> = new Map<string, ReadOldEvent>([
    ['session_configured', (msg) => [readConfigured(msg)]],
    ['agent_message_delta', ({ delta }) => this.#readPart('text', delta)],
    ['agent_message', ({ message }) => this.#readWhole('text', message)],
    ['agent_reasoning_delta', ({ delta }) => this.#readPart('thinking', delta)],
    ['agent_reasoning_raw_content_delta', ({ delta }) => this.#readPart('thinking', delta)],
    ['agent_reasoning', ({ text }) => this.#readWhole('thinking', text)],
    ['agent_reasoning_raw_content', ({ text }) => this.#readWhole('thinking', text)],
    ['exec_command_begin', ({ command, cwd, ...msg }) => [this.#readCommand(msg, { command, cwd })]],
    [
      'exec_command_end',
      (msg) => this.#readEnd(msg, () => this.#readCommand(msg, { command: msg.command, cwd: msg.cwd })),
    ],
    ['exec_command_output_delta', ({ call_id }) => [{ kind: 'progress', call: stringOf(call_id) }]],
    ['patch_apply_begin', (msg) => [this.#readPatch(msg)]],
    ['patch_apply_end', (msg) => this.#readEnd(msg, () => this.#readPatch(msg))],
    ['mcp_tool_call_begin', (msg) => [this.#readMcpCall(msg)]],
    ['mcp_tool_call_end', (msg) => this.#readEnd(msg, () => this.#readMcpCall(msg))],
    ['raw_response_item', ({ item }, name) => this.#readRaw(objectOf(item), name)],
    ['web_search_begin', (msg) => [this.#makeCall(msg, 'web_search', { query: msg.query })]],
    ['web_search_end', (msg) => this.#readEnd(msg, () => this.#makeCall(msg, 'web_search', { query: msg.query }))],
    ['plan_update', ({ plan, explanation }) => [readPlan(plan, explanation)]],
    ['token_count', ({ info }) => [this.#readUsage(objectOf(info))]],
    ['context_compacted', () => [{ kind: 'compaction', done: true }]],
    ['stream_error', ({ message }, name) => [withText({ kind: 'notice', name, retry: true }, stringOf(message))]],
    ['error', ({ message }) => [withText({ kind: 'error', code: null }, stringOf(message))]],
    ['warning', ({ message }, name) => [withText({ kind: 'notice', name }, stringOf(message))]],
    ['background_event', ({ message }, name) => [withText({ kind: 'notice', name }, stringOf(message))]],
    ['deprecation_notice', ({ summary }, name) => [withText({ kind: 'notice', name }, stringOf(summary))]],
  ]);

  read(msg: JsonObject): Event[] {
    const type = stringOf(msg.type) ?? '';
    return this.#readers.get(type)?.(msg, type) ?? [{ kind: STATES.test(type) ? 'status' : 'other', name: type }];
  }

  /** It was announced and has no result. */
  isRunning(call: string): boolean {
    return this.#running.has(call);
  }

  #readPart(kind: 'text' | 'thinking', delta: unknown): Event[] {
    this.#streamed.add(kind);
    return [{ kind, delta: true, text: stringOf(delta) ?? '' }];
  }

  #readWhole(kind: 'text' | 'thinking', text: unknown): Event[] {
    return [withText(this.#streamed.delete(kind) ? { kind, restates: true } : { kind }, stringOf(text))];
  }

  /** What the model said and got. A call waits here for its approval; one that has an answer and never began was refused. */
  #readRaw({ type, name, call_id, arguments: args, input, output }: JsonObject, status: string): Event[] {
    const tool = RAW_TOOLS[stringOf(name) ?? ''];
    if (tool && (type === 'function_call' || type === 'custom_tool_call')) {
      return [this.#makeCall({ call_id }, tool, args ?? { input }, false)];
    }
    const isRefused =
      /_call_output$/.test(stringOf(type) ?? '') && this.#running.get(stringOf(call_id) ?? '') === false;
    if (!isRefused) return [{ kind: 'status', name: status }];
    this.#running.delete(stringOf(call_id) ?? '');
    return [resultOf(stringOf(call_id), { status: 'declined', stdout: stringOf(output) })];
  }

  #makeCall({ call_id }: JsonObject, tool: string, args: unknown, begun = true): Event & { kind: 'tool-call' } {
    const call = stringOf(call_id);
    const restates = this.#running.has(call ?? '');
    this.#running.set(call ?? '', begun);
    return { kind: 'tool-call', call, tool, args: jsonText(args), complete: true, ...(restates ? { restates } : {}) };
  }

  #readCommand(msg: JsonObject, args: JsonObject): Event {
    return { ...this.#makeCall(msg, 'exec_command', args), action: 'execute', writes: true };
  }

  #readPatch(msg: JsonObject): Event {
    const { changes } = msg;
    const call = this.#makeCall(msg, 'patch_apply', { changes });
    return { ...call, action: 'edit', writes: true, blocks: changeBlocks(changes) };
  }

  #readMcpCall(msg: JsonObject): Event {
    const { tool, arguments: args } = objectOf(msg.invocation);
    return this.#makeCall(msg, stringOf(tool) ?? 'mcp_tool_call', args);
  }

  /** `announce`: for a call whose beginning was not reported. */
  #readEnd(msg: JsonObject, announce: () => Event): Event[] {
    const call = stringOf(msg.call_id);
    const events = this.#running.has(call ?? '') ? [] : [announce()];
    this.#running.delete(call ?? '');
    return [...events, resultOf(call, msg)];
  }

  #readUsage({ total_token_usage, last_token_usage, model_context_window }: JsonObject): Event {
    const sum = jsonText(total_token_usage) ?? '';
    const isNew = sum !== '' && sum !== this.#total;
    this.#total = sum;
    const last = objectOf(last_token_usage);
    const used = numberOf(last.total_tokens);
    const size = numberOf(model_context_window);
    const usage = isNew ? codexUsage(last.input_tokens, last.cached_input_tokens, 0, last.output_tokens) : null;
    const context = { used, size, share: used !== null && size ? used / size : null };
    return { kind: 'usage', usage, total: false, context: used === null ? null : context };
  }
}

/** Tools that have an event of their own when they begin, and the name of the tool there. */
const RAW_TOOLS: Readonly<Record<string, string>> = {
  ...{ exec_command: 'exec_command', shell: 'exec_command', shell_command: 'exec_command' },
  apply_patch: 'patch_apply',
};

/** Markers, and what other events report too. */
const STATES = new RegExp(
  [
    '^(?:task_started|task_complete|turn_started|turn_complete|turn_aborted|shutdown_complete|user_message)$',
    '^(?:item_(?:started|completed)|agent_(?:message|reasoning)_content_delta|plan_delta)$',
    '^(?:agent_reasoning_section_break|reasoning_(?:raw_)?content_delta|turn_diff|thread_name_updated)$',
    '^(?:exec_approval_request|apply_patch_approval_request|elicitation_request|request_\\w+)$',
    '^(?:mcp_\\w+|terminal_interaction|view_image_tool_call|\\w*review_mode|skills_update_available)$',
    '^(?:\\w*_response|collab_\\w+|model_\\w+|hook_\\w+|guardian_\\w+|undo_\\w+|thread_rolled_back)$',
  ].join('|'),
);

function resultOf(call: string | null, msg: JsonObject): Event {
  const { exit_code, success, status, result, aggregated_output, stdout } = msg;
  const { Ok: content, Err: error } = objectOf(result);
  const output = aggregated_output ?? stdout ?? objectOf(content).content ?? errorText(error);
  const blocks = blocksOf(output);
  const isDone = status === undefined || status === 'completed';
  const ok = isDone && success !== false && error === undefined && (numberOf(exit_code) ?? 0) === 0;
  const event: Event = { kind: 'tool-result', call, ok, blocks, displays: [] };
  if (typeof exit_code === 'number') event.ran = true;
  if (status === 'declined') event.ruling = { decision: 'deny', by: null };
  return withText(event, readable(blocks));
}

function readConfigured({ session_id, model, cwd, approval_policy, sandbox_policy }: JsonObject): Event {
  const settings = settingsIn({ approvalPolicy: approval_policy, sandboxPolicy: sandbox_policy });
  return handshakeEvent({
    session: stringOf(session_id),
    model: stringOf(model),
    cwd: stringOf(cwd),
    mode: modeOf(settings),
  });
}

function readPlan(plan: unknown, explanation: unknown): Event {
  const rows = objectsOf(plan).map(({ step, status }) => ({ title: step, status }));
  return withText({ kind: 'plan', blocks: [todoOf(rows)], replace: true }, stringOf(explanation));
}
