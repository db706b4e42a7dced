/** Lines that answer what letta asks on its control channel. */

import { objectOf } from '../common/fields.ts';
import { DECLINED, type DeclineTo, type ReplyTo } from '../common/reply.ts';
import type { JsonObject } from '../dialect.ts';
import { streamJsonDecline, streamJsonReply } from '../stream-json/reply.ts';

export const lettaReply: ReplyTo = (line) => {
  const { request_id, request } = line;
  const { subtype, tool_call_id } = objectOf(request);
  if (subtype !== 'execute_external_tool') return streamJsonReply(line);
  return { line: makeExecutedLine(request_id, tool_call_id, '', false), or: [] };
};

export const lettaDecline: DeclineTo = (line) => {
  const { request_id, request } = line;
  const { subtype, tool_call_id } = objectOf(request);
  if (subtype !== 'execute_external_tool') return streamJsonDecline(line);
  return makeExecutedLine(request_id, tool_call_id, DECLINED, true);
};

function makeExecutedLine(request_id: unknown, tool_call_id: unknown, text: string, is_error: boolean): JsonObject {
  const content = [{ type: 'text', text }];
  return {
    type: 'control_response',
    response: { subtype: 'external_tool_result', request_id, tool_call_id, content, is_error },
  };
}
