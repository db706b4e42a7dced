/**
 * The control channel that stream-json and the RFC share: requests and answers paired by `request_id`, in lines of type
 * `control_request` and `control_response`. stream-json nests the request under `request`, the RFC does not. The
 * meaning is the same.
 */
import type { Block, Decision, Event, Option } from '../../model/event.ts';
import { isObject, type Message, readJsonRpc } from '../../model/message.ts';
import type { JsonObject } from '../dialect.ts';
import { blocksOf, readable, todoOf } from './content.ts';
import { errorText, flag, idOf, isAbsent, numberOf, objectOf, stringOf, withText } from './fields.ts';

/** The envelope of both dialects, because each also reads the lines of the other. */
export function streamEnvelope(value: JsonObject): Message {
  const { type, subtype } = value;
  if (typeof type !== 'string') return readUntyped(value);
  if (type === 'control_request') return readRequest(value);
  if (type === 'control_response') return readResponse(value);
  const message: Message = { envelope: 'notification', method: null, type, id: null, code: null, body: value };
  if (type === 'control_cancel_request') message.id = idOf(value.request_id);
  else if (type === 'stream_event') message.type = `${type}/${stringOf(objectOf(value.event).type) ?? ''}`;
  else if (typeof subtype === 'string') message.type = `${type}/${subtype}`;
  return message;
}

function readRequest(value: JsonObject): Message {
  const nested = isObject(value.request);
  const body = nested ? (value.request as JsonObject) : value;
  const id = idOf(value.request_id);
  const method = stringOf(body.subtype);
  const type = (method === 'mcp_message' && stringOf(mcpOf(body).method)) || 'control_request';
  return { envelope: id === null ? 'notification' : 'request', method, type, id, code: null, body };
}

function readResponse(value: JsonObject): Message {
  const body = objectOf(value.response);
  const id = idOf(body.request_id) ?? idOf(value.request_id);
  const envelope = body.subtype === 'error' ? 'error' : 'response';
  return { envelope, method: null, type: 'control_response', id, code: null, body };
}

function readUntyped(value: JsonObject): Message {
  const type = stringOf(value.object);
  const message: Message = { envelope: 'notification', method: null, type, id: null, code: null, body: value };
  if (type !== null || isObject(value.input) || Array.isArray(value.messages)) return message;
  if (!isObject(value.error) || 'id' in value) return readJsonRpc(value);
  return { ...message, envelope: 'error', body: value.error, code: numberOf(value.error.code) };
}

/** The MCP message inside a request to the client. */
function mcpOf(body: JsonObject): JsonObject {
  return objectOf(body.message ?? objectOf(body.payload).message);
}

type ControlApprovalAnswer = Event & { kind: 'approval-answer' };

/** `body`: the answer proper. `allows`: the decision of one whose `behavior` is not `deny`; null if that is unknown. */
export function readApprovalAnswer(
  request: string | null,
  { subtype, error }: JsonObject,
  body: unknown,
  allows: (body: JsonObject) => Decision | null,
): ControlApprovalAnswer {
  const event: ControlApprovalAnswer = {
    kind: 'approval-answer',
    request,
    decision: null,
    option: null,
    feedback: null,
  };
  if (subtype === 'error') {
    event.feedback = errorText(error);
    return flag(event, 'client-error', ...(isAbsent(body) ? [] : ['both']));
  }
  if (subtype !== 'success' || !isObject(body)) return flag(event, 'bad-shape');
  const behavior = stringOf(body.behavior);
  event.feedback = stringOf(body.message);
  event.decision = behavior === 'deny' ? 'deny' : allows(body);
  if (event.decision === null) return flag(event, behavior === null ? 'bad-shape' : 'bad-word');
  event.option = behavior;
  if (!isAbsent(error)) flag(event, 'both');
  return behavior === 'deny' && isTimeout(event.feedback) ? flag(event, 'client-timeout') : event;
}

/** The answer to a question that was sent as a request for permission. */
export function readQuestionAnswer(request: string | null, { subtype, error, response }: JsonObject): Event {
  const event: Event = { kind: 'question-answer', request, answers: null, ok: false };
  if (subtype === 'error') return withText(flag(event, 'client-error'), errorText(error));
  const { behavior, updatedInput } = objectOf(response);
  if (behavior === 'deny') return withText(event, 'decline');
  if (behavior !== 'allow') return flag(event, 'bad-shape');
  return { ...event, ok: true, answers: objectOf(updatedInput).answers ?? {} };
}

/** A denial that nobody chose: the client's own time limit ran out. */
export function isTimeout(feedback: string | null): boolean {
  return feedback !== null && /time[ds]?[ -]?out/i.test(feedback.slice(0, 200));
}

/** Display blocks made from a tool's input, because these dialects send none with an approval. */
export function displaysOf(input: unknown): Block[] {
  const { command, file_path, old_string, new_string, todos } = objectOf(input);
  if (typeof command === 'string') return [{ type: 'shell', command, language: null }];
  if (Array.isArray(todos)) return [todoOf(todos)];
  if (typeof file_path !== 'string' || typeof old_string !== 'string' || typeof new_string !== 'string') return [];
  return [{ type: 'diff', path: file_path, before: old_string, after: new_string }];
}

export const APPROVE_OR_DENY: readonly Option[] = [
  { id: 'approve', decision: 'allow', label: null },
  { id: 'deny', decision: 'deny', label: null },
];

export function readClientCall(id: string | null, body: JsonObject): Event & { kind: 'client-call' } {
  const { method, params } = mcpOf(body);
  const what = stringOf(method) ?? '';
  const { name, arguments: given } = objectOf(params);
  const calls = what === 'tools/call';
  return {
    kind: 'client-call',
    request: id,
    what,
    call: null,
    tool: calls ? stringOf(name) : null,
    arguments: calls ? given : params,
  };
}

/** `mcp`: the JSON-RPC answer that the client forwards, if it did not fail. */
export function readClientCallAnswer(id: string | null, mcp: unknown, error: unknown): Event {
  const { result, error: refused } = objectOf(mcp);
  const failure = error ?? refused;
  const { content, isError } = objectOf(result);
  const blocks = blocksOf(content);
  const ok = isObject(mcp) && isAbsent(failure) && isError !== true;
  return withText({ kind: 'client-call-answer', request: id, ok, blocks }, errorText(failure) ?? readable(blocks));
}

export function readHook(id: string | null, body: JsonObject): Event {
  const { hook_event_name, tool_name } = objectOf(body.input ?? objectOf(body.payload).input);
  const event = stringOf(hook_event_name) ?? stringOf(body.callback_id) ?? '';
  return { kind: 'hook', request: id, event, target: stringOf(tool_name), call: stringOf(body.tool_use_id) };
}

export function readHookAnswer(id: string | null, output: JsonObject, error: unknown): Event {
  const { permissionDecision, permissionDecisionReason, updatedInput } = objectOf(output.hookSpecificOutput);
  const blocks = output.decision === 'block' || permissionDecision === 'deny' || output.continue === false;
  const isError = !isAbsent(error);
  const reason = stringOf(output.reason) ?? stringOf(permissionDecisionReason) ?? stringOf(output.stopReason);
  const why = isError ? errorText(error) : reason;
  const event: Event & { kind: 'hook-answer' } = {
    kind: 'hook-answer',
    request: id,
    event: null,
    target: null,
    decision: isError ? null : blocks ? 'deny' : 'allow',
    reason: why,
  };
  if (!isError && !blocks && isObject(updatedInput)) event.edited = updatedInput;
  // It leaves the decision to an approval.
  if (!isError && !blocks && permissionDecision === 'ask')
    return withText(flag({ ...event, decision: null }, 'asks'), why);
  if (!isError && !blocks && (permissionDecision === 'allow' || output.decision === 'approve')) event.permits = true;
  return withText(isError ? flag(event, 'client-error') : event, why);
}

/** The id in the form that events use. */
export function requestName(message: Message): string | null {
  return message.id === null ? null : String(message.id);
}
