/** The control channel of the RFC: subtype and payload at the top of the line, the answer under `response.result`. */
import type { Event } from '../../model/event.ts';
import { isObject } from '../../model/message.ts';
import * as channel from '../common/control-channel.ts';
import { errorText, flag, objectOf, say, stringOf } from '../common/fields.ts';
import type { Json, Line } from '../dialect.ts';

/** Null if the line does not belong to the RFC's control channel. */
export function read(line: Line): Event | null {
  const { type, subtype, request, response } = line.value;
  if (type === 'control_request') return isObject(request) || typeof subtype !== 'string' ? null : asks(line);
  if (type === 'control_response') return 'request_id' in objectOf(response) ? null : answers(line);
  return null;
}

function asks({ frame, value, message, pairing }: Line): Event {
  const event = frame.from === 'agent' ? agentAsks(value, channel.requestName(message)) : clientAsks(value);
  return pairing?.role === 'asks-again' ? flag(event, 'resent') : event;
}

function clientAsks({ subtype }: Json): Event {
  return { kind: 'control', name: stringOf(subtype) };
}

function agentAsks(value: Json, id: string | null): Event {
  if (value.subtype === 'can_use_tool') return approval(value, id);
  if (value.subtype === 'hook_callback') return channel.hook(id, value);
  if (value.subtype === 'mcp_message') return channel.clientCall(id, value);
  return { kind: 'control', name: stringOf(value.subtype) };
}

function approval(value: Json, request: string | null): Event {
  const payload = objectOf(value.payload);
  const tool = objectOf(value.tool ?? payload.tool);
  const { reason, description } = objectOf(value.metadata ?? payload.metadata);
  const call = [value.tool_call_id, payload.tool_call_id, tool.tool_call_id, tool.id].find(isText);
  return {
    kind: 'approval',
    request,
    call: call ?? null,
    tool: stringOf(tool.name),
    action: stringOf(reason),
    description: stringOf(description),
    arguments: tool.arguments,
    options: [...channel.APPROVE_OR_DENY],
    displays: channel.displaysOf(tool.arguments),
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function answers({ frame, message, pairing }: Line): Event {
  const response = objectOf(message.body);
  const id = channel.requestName(message);
  const exchange = pairing?.exchange;
  if (!exchange) return flag(orphan(id, response, frame.from), 'orphan', ...(id === null ? ['no-request-id'] : []));
  const method = exchange.asker === 'agent' ? exchange.method : '';
  const event = byMethod(method, id, response) ?? said(exchange.method, response);
  return pairing.role === 'duplicate' ? flag(event, 'dup') : event;
}

function byMethod(method: string, id: string | null, response: Json): Event | null {
  const result = objectOf(response.result);
  const error = response.subtype === 'error' ? (response.error ?? '') : undefined;
  if (method === 'can_use_tool') return approvalAnswer(id, response);
  if (method === 'hook_callback') return channel.hookAnswer(id, result, error);
  if (method !== 'mcp_message') return null;
  return channel.clientCallAnswer(id, response.mcp_response ?? result.mcp_response, error);
}

function orphan(id: string | null, response: Json, from: 'client' | 'agent'): Event {
  const result = objectOf(response.result);
  if (from === 'client' && 'behavior' in result) return approvalAnswer(id, response);
  const mcp = response.mcp_response ?? result.mcp_response;
  if (from === 'client' && mcp !== undefined) return channel.clientCallAnswer(id, mcp, undefined);
  if (from === 'agent' && response.subtype === 'error') {
    return say({ kind: 'error', code: null }, errorText(response.error));
  }
  return said(null, response);
}

function said(name: string | null, response: Json): Event {
  return say({ kind: 'control', name }, response.subtype === 'error' ? errorText(response.error) : null);
}

function approvalAnswer(id: string | null, response: Json): Event {
  const allows = ({ behavior }: Json) => (behavior === 'approve' ? 'allow' : null);
  return channel.approvalAnswer(id, response, response.result, allows);
}
