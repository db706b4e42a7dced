/** Lines of type `system`: the agent's introduction, background agents, and other notices. */
import type { Event } from '../../model/event.ts';
import { LimitedMap } from '../../model/limited-map.ts';
import { handshakeEvent, namesOf, numberOf, objectOf, stringOf, withText } from '../common/fields.ts';
import type { JsonObject } from '../dialect.ts';
import { bySubagent, type StreamCalls } from './calls.ts';
import type { StreamModes } from './modes.ts';

/** Tasks that are remembered until they end. */
const MAX_COMMANDS = 10_000;

export class SystemReader {
  readonly #calls: StreamCalls;
  /** Commands that run in the background. They are tasks like agents, but have no output of their own. */
  readonly #commands = new LimitedMap<string, true>(MAX_COMMANDS);

  readonly #modes: StreamModes;

  constructor(calls: StreamCalls, modes: StreamModes) {
    this.#calls = calls;
    this.#modes = modes;
  }

  read(value: JsonObject): Event[] {
    const subtype = stringOf(value.subtype) ?? '';
    // qwen puts the content under `data`, Claude next to the subtype.
    const data = value.data === undefined ? value : objectOf(value.data);
    switch (subtype) {
      case 'init':
        return [
          { kind: 'turn-begin', nested: false },
          readIntroduction(value),
          ...this.#modes.begin(stringOf(value.permission_mode) ?? stringOf(value.permissionMode)),
        ];
      case 'task_started':
        return [this.#readStarted(data)];
      case 'task_notification':
        return this.#readEnded(data);
      case 'api_retry':
        return [readRetry(value)];
      case 'compact_boundary':
        return [{ kind: 'compaction', done: true }];
      case 'status':
        return [statusEvent(subtype, data), ...this.#modes.changeTo(stringOf(data.permissionMode))];
      default:
        return [subtype.startsWith('hook_') ? readHook(value) : statusEvent(subtype, data)];
    }
  }

  #readStarted(data: JsonObject): Event {
    const { task_type, task_id } = data;
    if (task_type === 'local_bash') {
      if (typeof task_id === 'string') this.#commands.set(task_id, true);
      return ofCommand(statusEvent('task_started', data), data);
    }
    const call = stringOf(data.tool_use_id);
    const name = stringOf(data.subagent_type) ?? stringOf(data.description);
    // Claude reports agents that it waits for too; qwen only others.
    const background = task_type === undefined || this.#calls.isBackground(call);
    return ofTask(withText({ kind: 'subagent', call, name, background }, stringOf(data.description)), data);
  }

  #readEnded(data: JsonObject): Event[] {
    const of = typeof data.task_id === 'string' && this.#commands.delete(data.task_id) ? ofCommand : ofTask;
    const notice: Event = { kind: 'notice', name: stringOf(data.status) };
    const tokens = numberOf(objectOf(data.usage).total_tokens);
    const used = tokens === null ? null : `${tokens} tokens`;
    const events = [of(withText(notice, stringOf(data.summary) ?? used), data)];
    if (tokens !== null) events.push(of({ kind: 'usage', usage: null, total: false, tokens, context: null }, data));
    return events;
  }
}

function readIntroduction(value: JsonObject): Event {
  const { claude_code_version, qwen_code_version, slash_commands, tools, agents, mcp_servers } = value;
  const named = (name: string, version: unknown) => (typeof version === 'string' ? { name, version } : null);
  return handshakeEvent({
    agent: named('claude-code', claude_code_version) ?? named('qwen-code', qwen_code_version),
    model: stringOf(value.model),
    session: stringOf(value.session_id),
    cwd: stringOf(value.cwd),
    mode: stringOf(value.permission_mode) ?? stringOf(value.permissionMode),
    commands: Array.isArray(slash_commands) ? namesOf(slash_commands) : null,
    capabilities: { tools: namesOf(tools), agents: namesOf(agents), mcp_servers: namesOf(mcp_servers) },
  });
}

/** Agents are named after their call, or after the task if the call is unknown. */
function ofTask(event: Event, { tool_use_id, task_id }: JsonObject): Event {
  if (typeof tool_use_id !== 'string' && typeof task_id === 'string') event.subagent = task_id;
  return bySubagent(event, stringOf(tool_use_id));
}

/** Reports about a command belong to its call. */
function ofCommand(event: Event, { tool_use_id }: JsonObject): Event {
  if (typeof tool_use_id === 'string') event.parent = tool_use_id;
  return event;
}

/** The model's API failed; the agent asks again. */
function readRetry({ attempt, max_retries, retry_delay_ms, error_status, error }: JsonObject): Event {
  const of = numberOf(max_retries) === null ? '' : ` of ${max_retries}`;
  const what = [numberOf(error_status), stringOf(error)].filter((part) => part !== null).join(' ');
  const wait = numberOf(retry_delay_ms);
  const again = wait === null ? '' : `, again in ${(wait / 1000).toFixed(1)} s`;
  return withText(
    { kind: 'notice', name: 'api_retry', retry: true },
    `attempt ${numberOf(attempt) ?? '?'}${of} failed${what && `: ${what}`}${again}`,
  );
}

/** A hook that the agent runs itself: it reports the beginning and the end. */
function readHook(value: JsonObject): Event {
  const request = stringOf(value.hook_id);
  const event = stringOf(value.hook_event) ?? '';
  const target = stringOf(value.hook_name);
  if (value.subtype !== 'hook_response') return { kind: 'hook', request, event, target };
  const { outcome, exit_code } = value;
  const output = objectOf(parseOrNull(value.stdout));
  const { permissionDecision } = objectOf(output.hookSpecificOutput);
  // An exit code of 2 blocks. A hook that fails otherwise decides nothing.
  const blocks = exit_code === 2 || output.decision === 'block' || permissionDecision === 'deny';
  const decision = blocks ? 'deny' : outcome === 'success' ? 'allow' : null;
  const reason = decision === 'allow' ? null : (stringOf(value.stderr) ?? stringOf(outcome));
  const ended: Event = { kind: 'hook-resolved', request, event, target, decision, reason };
  if (decision === null) ended.failed = true;
  return withText(ended, reason);
}

function parseOrNull(text: unknown): unknown {
  try {
    return JSON.parse(stringOf(text) ?? '');
  } catch {
    return null;
  }
}

function statusEvent(name: string, data: JsonObject): Event {
  return withText(
    { kind: 'status', name },
    stringOf(data.message) ?? stringOf(data.status) ?? stringOf(data.permissionMode),
  );
}
