/** The traits of the qwen-code RFC. */
import { traits } from '../traits.ts';
import { qwenRfcDecline, qwenRfcReply } from './reply.ts';

export const qwenRfcTraits = traits({
  asksTimeOut: true,
  promptFirstIsDirectMode: true,
  reply: qwenRfcReply,
  decline: qwenRfcDecline,
  replay: {
    ids: [
      ...['id', 'session_id', 'prompt_id', 'request_id', 'tool_call_id'],
      ...['choices[*].message.tool_calls[*].id', 'choices[*].delta.tool_calls[*].id'],
    ],
    volatile: ['created', 'timestamp'],
  },
});
