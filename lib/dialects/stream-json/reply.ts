/** Lines that answer what is asked on the control channel of stream-json. */

import { objectOf } from '../common/fields.ts';
import { DECLINED, type DeclineTo, type ReplyLine, type ReplyTo } from '../common/reply.ts';
import type { JsonObject } from '../dialect.ts';

export const GREETING: JsonObject = { type: 'control_request', request_id: '1', request: { subtype: 'initialize' } };

export const streamJsonReply: ReplyTo = ({ request_id, request }) => {
  const { subtype, input, message } = objectOf(request);
  const success = (response: JsonObject, or: readonly string[] = []): ReplyLine => ({
    line: { type: 'control_response', response: { subtype: 'success', request_id, response } },
    or,
  });
  switch (subtype) {
    case 'can_use_tool':
      // Claude needs the input back.
      return success({ behavior: 'allow', updatedInput: objectOf(input) }, ['deny']);
    case 'mcp_message':
      return success({ mcp_response: mcpAnswer(objectOf(message)) });
    case 'hook_callback':
    case 'initialize':
      return success({});
    default:
      return null;
  }
};

function mcpAnswer({ id, method }: JsonObject): JsonObject {
  const result = method === 'tools/call' ? { content: [{ type: 'text', text: '' }] } : {};
  return { jsonrpc: '2.0', id, result };
}

export const streamJsonDecline: DeclineTo = ({ request_id, request }) => {
  const { subtype, message } = objectOf(request);
  const answer = (response: JsonObject): JsonObject => ({
    type: 'control_response',
    response: { subtype: 'success', request_id, response },
  });
  switch (subtype) {
    case 'can_use_tool':
      return answer({ behavior: 'deny', message: DECLINED });
    case 'mcp_message':
      return answer({
        mcp_response: { jsonrpc: '2.0', id: objectOf(message).id, error: { code: -32601, message: DECLINED } },
      });
    case 'hook_callback':
      return answer({ decision: 'block', reason: DECLINED });
    default:
      return null;
  }
};
