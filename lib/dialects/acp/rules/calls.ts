/** ACP: a tool call is announced, goes on, and ends once. */

import { LimitedMap } from '../../../model/limited-map.ts';
import type { ReadFrame } from '../../../model/read-frame.ts';
import { objectOf, stringOf } from '../../common/fields.ts';
import type { JsonObject } from '../../dialect.ts';
import type { RpcLine } from '../../rules/rpc-line.ts';
import { defineRules, error, info, type RuleHit, textOrJson, warning } from '../../rules/rule.ts';
import { AcpLines } from './lines.ts';

const RULES = {
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

type AcpCallRule = keyof typeof RULES;

interface CheckedAcpCall {
  f: number;
  status: string | null;
  announced: boolean;
}

interface AcpCallSession {
  /** Of this turn. */
  calls: Map<string, CheckedAcpCall>;
  /** Announced in earlier turns: a command that was cancelled may still have something to say. */
  earlier: LimitedMap<string, true>;
  /** It began before this process: calls of it may be known to the client from then. */
  isOld: boolean;
}

const ENDED = new Set(['completed', 'failed']);

class AcpCallRules {
  readonly #lines = new AcpLines(1);
  readonly #sessions = new Map<string, AcpCallSession>();

  take(read: ReadFrame): RuleHit<AcpCallRule>[] {
    const line = this.#lines.read(read);
    if (!line) return [];
    const { method, params, is } = line;
    const session = this.#session(stringOf(params.sessionId) ?? '');
    if (method === 'session/resume' || method === 'session/fork') this.#markOld(line);
    else if (method === 'session/update') return checkUpdate(line, objectOf(params.update), session);
    else if (method === 'session/request_permission' && is === 'request')
      takeRequest(read, objectOf(params.toolCall), session);
    else if (method === 'session/prompt' && is === 'answer') return checkTurnEnd(line, session);
    return [];
  }

  #session(id: string): AcpCallSession {
    let session = this.#sessions.get(id);
    if (!session) {
      session = { calls: new Map(), earlier: new LimitedMap(), isOld: false };
      this.#sessions.set(id, session);
    }
    return session;
  }

  #markOld({ params, result }: RpcLine): void {
    for (const id of [params.sessionId, result.sessionId]) if (typeof id === 'string') this.#session(id).isOld = true;
  }
}

function checkUpdate(
  { f }: RpcLine,
  details: JsonObject,
  { calls, earlier, isOld }: AcpCallSession,
): RuleHit<AcpCallRule>[] {
  const id = stringOf(details.toolCallId);
  if (id === null) return [];
  const status = stringOf(details.status);
  const call = calls.get(id);
  if (details.sessionUpdate === 'tool_call') {
    calls.set(id, { f, status: status ?? 'pending', announced: true });
    if (!call?.announced || ENDED.has(call.status ?? '')) return [];
    const message = `tool_call for ${textOrJson(id)}, which was announced in f${call.f}`;
    return [{ rule: 'acp-call-again', f, frames: [call.f], message }];
  }
  if (details.sessionUpdate !== 'tool_call_update') return [];
  if (!call && earlier.has(id)) return [];
  if (!call) {
    calls.set(id, { f, status, announced: false });
    return isOld
      ? []
      : [{ rule: 'acp-call-unknown', f, message: `tool_call_update for ${textOrJson(id)}, which was never announced` }];
  }
  return status === null ? [] : checkStatus(f, id, call, status);
}

function checkStatus(f: number, id: string, call: CheckedAcpCall, status: string): RuleHit<AcpCallRule>[] {
  const before = call.status;
  const at = call.f;
  call.status = status;
  call.f = f;
  const back = before === 'in_progress' && status === 'pending';
  if (before === null || before === status || !(ENDED.has(before) || back)) return [];
  const message = `the status of ${textOrJson(id)} changed from ${textOrJson(before)} to ${textOrJson(status)}`;
  return [{ rule: 'acp-call-status', f, frames: [at], message }];
}

/** Some agents announce a call by asking for it. Others ask under an id of its own, which is no call. */
function takeRequest({ frame: { f }, events }: ReadFrame, details: JsonObject, { calls }: AcpCallSession): void {
  const id = stringOf(details.toolCallId);
  const isOwnId = events.some((event) => event.kind === 'approval' && event.call !== id);
  if (id === null || isOwnId) return;
  const call = calls.get(id);
  const status = stringOf(details.status);
  if (!call || ENDED.has(call.status ?? '')) calls.set(id, { f, status: status ?? 'pending', announced: false });
}

function checkTurnEnd({ f, ok, result }: RpcLine, { calls, earlier }: AcpCallSession): RuleHit<AcpCallRule>[] {
  const open = [...calls].filter(([, { status }]) => !ENDED.has(status ?? ''));
  for (const id of calls.keys()) earlier.set(id, true);
  calls.clear();
  // What is cancelled or breaks off may leave anything behind.
  if (!ok || result.stopReason !== 'end_turn') return [];
  return open.map(([id, call]) => {
    const message = `the turn ended, but ${textOrJson(id)} is still ${textOrJson(call.status)}`;
    return { rule: 'acp-call-open', f, frames: [call.f], message };
  });
}

export const ACP_CALL_RULES = defineRules(['acp'], RULES, () => new AcpCallRules());
