/** Lines that answer what is asked in Wire. */

import { objectOf, objectsOf, stringOf } from '../common/fields.ts';
import { DECLINED, type DeclineTo, type ReplyLine, type ReplyTo, rpcReply } from '../common/reply.ts';
import type { JsonObject } from '../dialect.ts';
import { OPTIONS } from './decisions.ts';

const WORDS = OPTIONS.map(({ id }) => id);
const RETURNED = { is_error: false, output: '', message: '', display: [] };

export const GREETING: JsonObject = {
  jsonrpc: '2.0',
  id: '1',
  method: 'initialize',
  params: { protocol_version: '1.10', client: { name: 'client', version: '1' } },
};

export const wireReply: ReplyTo = (request) => {
  if (request.method === 'initialize') return rpcReply(request, makeHandshakeResult(request));
  if (request.method !== 'request') return null;
  const { type, payload } = objectOf(request.params);
  const { id, questions } = objectOf(payload);
  switch (type) {
    case 'ApprovalRequest':
      return makeApprovalReply(request, { request_id: id });
    case 'approval':
      return makeApprovalReply(request, {});
    case 'QuestionRequest':
      return rpcReply(request, { request_id: id, answers: Object.fromEntries(objectsOf(questions).map(chooseAnswer)) });
    case 'ToolCallRequest':
      return rpcReply(request, { tool_call_id: id, return_value: RETURNED });
    case 'HookRequest':
      return rpcReply(request, { request_id: id, action: 'allow', reason: '' }, ['block']);
    default:
      return null;
  }
};

function makeApprovalReply(request: JsonObject, about: JsonObject): ReplyLine {
  return rpcReply(request, { ...about, response: WORDS[0] }, WORDS.slice(1));
}

/** Answers refer to a question by its text. */
function chooseAnswer({ question, options }: JsonObject): [string, string] {
  return [stringOf(question) ?? '', stringOf(objectsOf(options)[0]?.label) ?? ''];
}

function makeHandshakeResult({ params }: JsonObject): JsonObject {
  const { protocol_version } = objectOf(params);
  return { protocol_version, server: { name: 'agent', version: '1' }, slash_commands: [] };
}

export const wireDecline: DeclineTo = (request) => {
  const { type, payload } = objectOf(request.params);
  const { id } = objectOf(payload);
  if (request.method !== 'request') return null;
  switch (type) {
    case 'ApprovalRequest':
      // Without feedback, which would make the agent go on in another way.
      return rpcReply(request, { request_id: id, response: 'reject' }).line;
    case 'approval':
      return rpcReply(request, { response: 'reject' }).line;
    case 'QuestionRequest':
      // Without answers it counts as dismissed.
      return rpcReply(request, { request_id: id, answers: {} }).line;
    case 'ToolCallRequest':
      return rpcReply(request, {
        tool_call_id: id,
        return_value: { ...RETURNED, is_error: true, message: DECLINED },
      }).line;
    case 'HookRequest':
      return rpcReply(request, { request_id: id, action: 'block', reason: DECLINED }).line;
    default:
      return null;
  }
};
