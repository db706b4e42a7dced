/** Lines that answer what is asked on the control channel of the RFC. */

import { DECLINED, type DeclineTo, type ReplyTo } from '../common/reply.ts';
import type { JsonObject } from '../dialect.ts';

export const qwenRfcReply: ReplyTo = ({ request_id, subtype }) => {
  const answer = (result: JsonObject, or: readonly string[] = []) => ({
    line: { type: 'control_response', request_id, response: { subtype: 'success', result } },
    or,
  });
  if (subtype === 'can_use_tool') return answer({ behavior: 'approve' }, ['deny']);
  return subtype === 'hook_callback' ? answer({}) : null;
};

export const qwenRfcDecline: DeclineTo = ({ request_id, subtype }) => {
  const answer = (result: JsonObject): JsonObject => ({
    type: 'control_response',
    request_id,
    response: { subtype: 'success', result },
  });
  if (subtype === 'can_use_tool') return answer({ behavior: 'deny', message: DECLINED });
  if (subtype === 'hook_callback') return answer({ decision: 'block', reason: DECLINED });
  const response = { subtype: 'error', error: { message: DECLINED } };
  return subtype === 'mcp_message' ? { type: 'control_response', request_id, response } : null;
};
