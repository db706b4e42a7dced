/** ACP: a tool call is announced, goes on, and ends once. */

import type { ReadFrame } from '../../../model/read-frame.ts';
import { Recent } from '../../../model/recent.ts';
import { objectOf, stringOf } from '../../common/fields.ts';
import type { Json } from '../../dialect.ts';
import type { RpcLine } from '../../rules/rpc-line.ts';
import { error, info, type Told, warning, watch, word } from '../../rules/rule.ts';
import { AcpLines } from './lines.ts';

const HEADS = {
  'acp-call-unknown': error.agent(
    'a tool call is announced before it is updated, by tool_call or by a permission request',
    'ACP v1, Tool Calls, Updating',
  ),
  'acp-call-again': warning.agent(
    'a tool call is announced once, and updated from then on',
    'ACP v1, Tool Calls, Creating',
  ),
  'acp-call-status': warning.agent(
    'a tool call does not go on after it ended, and is not pending again after it started',
    'ACP v1, Tool Calls, Status',
  ),
  'acp-call-open': info.agent(
    'when a turn ends, all its tool calls have ended',
    'ACP v1, Tool Calls, Status; claude-agent-acp#851',
  ),
};

type Id = keyof typeof HEADS;

interface Call {
  f: number;
  status: string | null;
  announced: boolean;
}

interface Session {
  /** Of this turn. */
  calls: Map<string, Call>;
  /** Announced in earlier turns: a command that was cancelled may still have something to say. */
  earlier: Recent<string, true>;
  /** It began before this process: calls of it may be known to the client from then. */
  isOld: boolean;
}

const ENDED = new Set(['completed', 'failed']);

class ToolCalls {
  readonly #lines = new AcpLines();
  readonly #sessions = new Map<string, Session>();

  take(read: ReadFrame): Told<Id>[] {
    const line = this.#lines.read(read);
    if (!line) return [];
    const { method, params, is } = line;
    const session = this.#session(stringOf(params.sessionId) ?? '');
    if (method === 'session/resume' || method === 'session/fork') this.#old(line);
    else if (method === 'session/update') return update(line, objectOf(params.update), session);
    else if (method === 'session/request_permission' && is === 'request')
      asked(read, objectOf(params.toolCall), session);
    else if (method === 'session/prompt' && is === 'answer') return turnEnds(line, session);
    return [];
  }

  #session(id: string): Session {
    let session = this.#sessions.get(id);
    if (!session) {
      session = { calls: new Map(), earlier: new Recent(), isOld: false };
      this.#sessions.set(id, session);
    }
    return session;
  }

  #old({ params, result }: RpcLine): void {
    for (const id of [params.sessionId, result.sessionId]) if (typeof id === 'string') this.#session(id).isOld = true;
  }
}

function update({ f }: RpcLine, said: Json, { calls, earlier, isOld }: Session): Told<Id>[] {
  const id = stringOf(said.toolCallId);
  if (id === null) return [];
  const status = stringOf(said.status);
  const call = calls.get(id);
  if (said.sessionUpdate === 'tool_call') {
    calls.set(id, { f, status: status ?? 'pending', announced: true });
    if (!call?.announced || ENDED.has(call.status ?? '')) return [];
    const message = `tool_call for ${word(id)}, which was announced in f${call.f}`;
    return [{ rule: 'acp-call-again', f, frames: [call.f], message }];
  }
  if (said.sessionUpdate !== 'tool_call_update') return [];
  if (!call && earlier.has(id)) return [];
  if (!call) {
    calls.set(id, { f, status, announced: false });
    return isOld
      ? []
      : [{ rule: 'acp-call-unknown', f, message: `tool_call_update for ${word(id)}, which was never announced` }];
  }
  return status === null ? [] : steps(f, id, call, status);
}

function steps(f: number, id: string, call: Call, status: string): Told<Id>[] {
  const before = call.status;
  const at = call.f;
  call.status = status;
  call.f = f;
  const back = before === 'in_progress' && status === 'pending';
  if (before === null || before === status || !(ENDED.has(before) || back)) return [];
  const message = `the status of ${word(id)} changed from ${word(before)} to ${word(status)}`;
  return [{ rule: 'acp-call-status', f, frames: [at], message }];
}

/** Some agents announce a call by asking for it. Others ask under an id of its own, which is no call. */
function asked({ frame: { f }, events }: ReadFrame, said: Json, { calls }: Session): void {
  const id = stringOf(said.toolCallId);
  const isOwnId = events.some((event) => event.kind === 'approval' && event.call !== id);
  if (id === null || isOwnId) return;
  const call = calls.get(id);
  const status = stringOf(said.status);
  if (!call || ENDED.has(call.status ?? '')) calls.set(id, { f, status: status ?? 'pending', announced: false });
}

function turnEnds({ f, ok, result }: RpcLine, { calls, earlier }: Session): Told<Id>[] {
  const open = [...calls].filter(([, { status }]) => !ENDED.has(status ?? ''));
  for (const id of calls.keys()) earlier.set(id, true);
  calls.clear();
  // What is cancelled or breaks off may leave anything behind.
  if (!ok || result.stopReason !== 'end_turn') return [];
  return open.map(([id, call]) => {
    const message = `the turn ended, but ${word(id)} is still ${word(call.status)}`;
    return { rule: 'acp-call-open', f, frames: [call.f], message };
  });
}

export const ACP_CALL_RULES = watch(['acp'], HEADS, () => new ToolCalls());
