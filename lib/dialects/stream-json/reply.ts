/** Lines that answer what is asked on the control channel of stream-json. */
import type { Json } from '../dialect.ts';
import { objectOf } from '../fields.ts';
import type { Reply, ReplyTo } from '../reply.ts';

export const GREETING: Json = { type: 'control_request', request_id: '1', request: { subtype: 'initialize' } };

export const streamJsonReply: ReplyTo = ({ request_id, request }) => {
  const { subtype, input, message } = objectOf(request);
  const success = (response: Json, or: readonly string[] = []): Reply => ({
    line: { type: 'control_response', response: { subtype: 'success', request_id, response } },
    or,
  });
  switch (subtype) {
    case 'can_use_tool':
      // Claude wants the input back.
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

function mcpAnswer({ id, method }: Json): Json {
  const result = method === 'tools/call' ? { content: [{ type: 'text', text: '' }] } : {};
  return { jsonrpc: '2.0', id, result };
}
