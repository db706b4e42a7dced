/** The traits of stream-json. */
import { traits } from '../traits.ts';
import { GREETING, streamJsonReply } from './reply.ts';

export const streamJsonTraits = traits({
  asksTimeOut: true,
  promptFirstIsDirectMode: true,
  reply: streamJsonReply,
  greeting: GREETING,
  conversations: { options: ['--resume', '-r'], paths: [['session_id']] },
  replay: {
    ids: [
      ...['session_id', 'uuid', 'request_id', 'response.request_id', 'message.id', 'event.message.id'],
      ...['message.content[*].id', 'message.content[*].tool_use_id', 'event.content_block.id'],
      ...['request.tool_use_id', 'parent_tool_use_id'],
      // An MCP message inside the control channel.
      ...['request.message.id', 'response.response.mcp_response.id'],
    ],
    volatile: ['duration_ms', 'duration_api_ms'],
    refuse: (id, method) => ({
      type: 'control_response',
      response: { subtype: 'error', request_id: id, error: `Unknown control request subtype: ${method}` },
    }),
  },
});
