/** Lines that answer what is asked in the Copilot SDK. An event is answered by a request of the client. */

import { objectOf, stringOf } from '../common/fields.ts';
import { DECLINED, type DeclineTo, elicitationReply, type ReplyLine, type ReplyTo, rpcReply } from '../common/reply.ts';
import type { JsonObject } from '../dialect.ts';
import { ANSWERED_BY } from './asks.ts';

export const GREETING: JsonObject = {
  jsonrpc: '2.0',
  id: 0,
  method: 'connect',
  params: { supportedTaskKinds: ['agent', 'client', 'shell'] },
};

export const copilotReply: ReplyTo = (request) => {
  const { event, sessionId } = objectOf(request.params);
  const { type, data } = objectOf(event);
  const name = stringOf(type);
  if (name !== null) return toEvent(name, objectOf(data), sessionId);
  const method = stringOf(request.method) ?? '';
  if (method === 'permission.request') return rpcReply(request, { result: { kind: 'approve-once' } }, ['reject']);
  if (method === 'userInput.request') return rpcReply(request, { answer: '…', wasFreeform: true });
  if (method === 'exitPlanMode.request') return rpcReply(request, { approved: true });
  if (method === 'hooks.invoke') return rpcReply(request, { output: {} });
  if (method === 'connect') return rpcReply(request, { ok: true, protocolVersion: 3 });
  if (method === 'session.create') return rpcReply(request, { sessionId: '…' });
  return method === 'session.send' ? rpcReply(request, { messageId: '…' }) : null;
};

function toEvent(type: string, data: JsonObject, sessionId: unknown): ReplyLine | null {
  const made = answerTo(type, data);
  const line = made && requestFor(type, data, sessionId, made.params);
  return line && { line, or: made.or };
}

/** The request that answers an event. Its id is the client's own, which nothing else has. */
function requestFor(
  type: string,
  { requestId }: JsonObject,
  sessionId: unknown,
  answer: JsonObject,
): JsonObject | null {
  const method = ANSWERED_BY.get(type);
  if (!method || typeof requestId !== 'string') return null;
  return { jsonrpc: '2.0', id: `answer-${requestId}`, method, params: { sessionId, requestId, ...answer } };
}

function answerTo(type: string, data: JsonObject): { params: JsonObject; or: string[] } | null {
  switch (type) {
    case 'permission.requested': {
      const more = objectOf(data.permissionRequest).canOfferSessionApproval === true ? ['approve-for-session'] : [];
      return { params: { result: { kind: 'approve-once' } }, or: ['reject', ...more] };
    }
    case 'exit_plan_mode.requested':
      return { params: { response: { approved: true } }, or: [] };
    case 'user_input.requested':
      return { params: { response: { answer: choice(data), wasFreeform: choice(data) === '…' } }, or: [] };
    case 'elicitation.requested': {
      const { line, or } = elicitationReply({ params: data });
      return { params: { result: line.result }, or: [...or] };
    }
    case 'external_tool.requested':
      return { params: { result: '…' }, or: [] };
    default:
      return null;
  }
}

function choice({ choices }: JsonObject): string {
  return (Array.isArray(choices) ? stringOf(choices[0]) : null) ?? '…';
}

const NO: Readonly<Record<string, JsonObject>> = {
  'permission.requested': { result: { kind: 'reject' } },
  'exit_plan_mode.requested': { response: { approved: false } },
  'user_input.requested': { response: { answer: '', wasFreeform: true } },
  'elicitation.requested': { result: { action: 'decline' } },
  'external_tool.requested': { error: DECLINED },
};

export const copilotDecline: DeclineTo = (request) => {
  const { event, sessionId } = objectOf(request.params);
  const { type, data } = objectOf(event);
  const name = stringOf(type);
  if (name !== null) return Object.hasOwn(NO, name) ? requestFor(name, objectOf(data), sessionId, NO[name]!) : null;
  if (request.method === 'permission.request') return rpcReply(request, { result: { kind: 'reject' } }).line;
  return request.method === 'exitPlanMode.request' ? rpcReply(request, { approved: false }).line : null;
};
