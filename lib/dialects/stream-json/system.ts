/** Lines of type `system`: the agent's introduction, background agents, and other notices. */
import type { Event } from '../../core/event.ts';
import type { Json } from '../dialect.ts';
import { hello, namesOf, numberOf, objectOf, say, stringOf } from '../fields.ts';
import { by } from './calls.ts';

export function system(value: Json): Event[] {
  const subtype = stringOf(value.subtype) ?? '';
  // qwen puts the content under `data`, Claude next to the subtype.
  const data = value.data === undefined ? value : objectOf(value.data);
  switch (subtype) {
    case 'init':
      return [{ kind: 'turn-begin', nested: false }, introduction(value)];
    case 'task_started':
      return [taskStarted(data)];
    case 'task_notification':
      return taskEnded(data);
    case 'compact_boundary':
      return [{ kind: 'compaction', done: true }];
    default:
      return [subtype.startsWith('hook_') ? hook(value) : status(subtype, data)];
  }
}

function introduction(value: Json): Event {
  const { claude_code_version, qwen_code_version, slash_commands, tools, agents, mcp_servers } = value;
  const named = (name: string, version: unknown) => (typeof version === 'string' ? { name, version } : null);
  return hello({
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
function ofTask(event: Event, { tool_use_id, task_id }: Json): Event {
  if (typeof tool_use_id !== 'string' && typeof task_id === 'string') event.subagent = task_id;
  return by(event, stringOf(tool_use_id));
}

function taskStarted(data: Json): Event {
  const name = stringOf(data.subagent_type) ?? stringOf(data.description);
  const event: Event = { kind: 'subagent', call: stringOf(data.tool_use_id), name, background: true };
  return ofTask(say(event, stringOf(data.description)), data);
}

function taskEnded(data: Json): Event[] {
  const notice: Event = { kind: 'notice', name: stringOf(data.status) };
  const tokens = numberOf(objectOf(data.usage).total_tokens);
  const used = tokens === null ? null : `${tokens} tokens`;
  const events = [ofTask(say(notice, stringOf(data.summary) ?? used), data)];
  if (tokens !== null) events.push(ofTask({ kind: 'usage', usage: null, total: false, tokens, context: null }, data));
  return events;
}

function hook({ hook_id, hook_event, hook_name }: Json): Event {
  return { kind: 'hook', request: stringOf(hook_id), event: stringOf(hook_event) ?? '', target: stringOf(hook_name) };
}

function status(name: string, data: Json): Event {
  return say({ kind: 'status', name }, stringOf(data.message) ?? stringOf(data.status));
}
