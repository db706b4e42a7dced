/** Lines that answer what is asked on the control channel of the RFC. */
import type { Json } from '../dialect.ts';
import type { ReplyTo } from '../reply.ts';

export const qwenRfcReply: ReplyTo = ({ request_id, subtype }) => {
  const answer = (result: Json, or: readonly string[] = []) => ({
    line: { type: 'control_response', request_id, response: { subtype: 'success', result } },
    or,
  });
  if (subtype === 'can_use_tool') return answer({ behavior: 'approve' }, ['deny']);
  return subtype === 'hook_callback' ? answer({}) : null;
};
