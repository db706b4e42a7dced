/** Lines of type `system`: the agent's introduction, background agents, and other notices. */
import type { Event, Handshake } from '../../core/event.ts';
import type { Json } from '../dialect.ts';
import { namesOf, numberOf, objectOf, say, stringOf } from '../fields.ts';
import { by } from './calls.ts';

export function system(value: Json): Event[] {
  const subtype = stringOf(value.subtype) ?? '';
  // qwen puts the content under `data`, Claude next to the subtype.
  const data = value.data === undefined ? value : objectOf(value.data);
  switch (subtype) {
    case 'init':
      return [
        { kind: 'turn-begin', nested: false },
        { kind: 'handshake', about: introduction(value) },
      ];
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

function introduction(value: Json): Handshake {
  const about: Handshake = {};
  const { qwen_code_version, claude_code_version, model, session_id, cwd, tools, agents, mcp_servers } = value;
  const mode = stringOf(value.permission_mode) ?? stringOf(value.permissionMode);
  if (typeof qwen_code_version === 'string') about.agent = { name: 'qwen-code', version: qwen_code_version };
  if (typeof claude_code_version === 'string') about.agent = { name: 'claude-code', version: claude_code_version };
  if (typeof model === 'string') about.model = model;
  if (typeof session_id === 'string') about.session = session_id;
  if (typeof cwd === 'string') about.cwd = cwd;
  if (mode !== null) about.mode = mode;
  if (Array.isArray(value.slash_commands)) about.commands = namesOf(value.slash_commands);
  about.capabilities = { tools: namesOf(tools), agents: namesOf(agents), mcp_servers: namesOf(mcp_servers) };
  return about;
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
