/** The control channel of the RFC: subtype and payload at the top of the line, the answer under `response.result`. */
import type { Event } from '../../model/event.ts';
import { isObject } from '../../model/message.ts';
import * as channel from '../common/control-channel.ts';
import { errorText, flag, objectOf, stringOf, withText } from '../common/fields.ts';
import type { DialectLine, JsonObject } from '../dialect.ts';

/** Null if the line does not belong to the RFC's control channel. */
export function read(line: DialectLine): Event | null {
  const { type, subtype, request, response } = line.value;
  if (type === 'control_request') return isObject(request) || typeof subtype !== 'string' ? null : readRequest(line);
  if (type === 'control_response') return 'request_id' in objectOf(response) ? null : readAnswer(line);
  return null;
}

function readRequest({ frame, value, message, pairing }: DialectLine): Event {
  const event =
    frame.from === 'agent' ? readAgentRequest(value, channel.requestName(message)) : readClientRequest(value);
  return pairing?.role === 'asks-again' ? flag(event, 'resent') : event;
}

function readClientRequest({ subtype }: JsonObject): Event {
  return { kind: 'control', name: stringOf(subtype) };
}

function readAgentRequest(value: JsonObject, id: string | null): Event {
  if (value.subtype === 'can_use_tool') return readApproval(value, id);
  if (value.subtype === 'hook_callback') return channel.readHook(id, value);
  if (value.subtype === 'mcp_message') return channel.readClientCall(id, value);
  return { kind: 'control', name: stringOf(value.subtype) };
}

function readApproval(value: JsonObject, request: string | null): Event {
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

function readAnswer({ frame, message, pairing }: DialectLine): Event {
  const response = objectOf(message.body);
  const id = channel.requestName(message);
  const exchange = pairing?.exchange;
  if (!exchange) return flag(readOrphan(id, response, frame.from), 'orphan', ...(id === null ? ['no-request-id'] : []));
  const method = exchange.asker === 'agent' ? exchange.method : '';
  const event = readByMethod(method, id, response) ?? controlEvent(exchange.method, response);
  return pairing.role === 'duplicate' ? flag(event, 'dup') : event;
}

function readByMethod(method: string, id: string | null, response: JsonObject): Event | null {
  const result = objectOf(response.result);
  const error = response.subtype === 'error' ? (response.error ?? '') : undefined;
  if (method === 'can_use_tool') return readApprovalAnswer(id, response);
  if (method === 'hook_callback') return channel.readHookAnswer(id, result, error);
  if (method !== 'mcp_message') return null;
  return channel.readClientCallAnswer(id, response.mcp_response ?? result.mcp_response, error);
}

function readOrphan(id: string | null, response: JsonObject, from: 'client' | 'agent'): Event {
  const result = objectOf(response.result);
  if (from === 'client' && 'behavior' in result) return readApprovalAnswer(id, response);
  const mcp = response.mcp_response ?? result.mcp_response;
  if (from === 'client' && mcp !== undefined) return channel.readClientCallAnswer(id, mcp, undefined);
  if (from === 'agent' && response.subtype === 'error') {
    return withText({ kind: 'error', code: null }, errorText(response.error));
  }
  return controlEvent(null, response);
}

function controlEvent(name: string | null, response: JsonObject): Event {
  return withText({ kind: 'control', name }, response.subtype === 'error' ? errorText(response.error) : null);
}

function readApprovalAnswer(id: string | null, response: JsonObject): Event {
  const allows = ({ behavior }: JsonObject) => (behavior === 'approve' ? 'allow' : null);
  return channel.readApprovalAnswer(id, response, response.result, allows);
}
