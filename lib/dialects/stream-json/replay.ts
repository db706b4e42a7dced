/** What a replay of stream-json needs to know. */

import { objectOf, stringOf } from '../common/fields.ts';
import type { JsonObject } from '../dialect.ts';
import type { DepartedTurn, ReplayTraits } from '../traits.ts';

export const streamJsonReplay: ReplayTraits = {
  ids: [
    ...['session_id', 'uuid', 'message.id', 'event.message.id', 'response.response.session_id', 'task_id'],
    ...['message.content[*].id', 'message.content[*].tool_use_id', 'event.content_block.id', 'tool_use_id'],
    ...['request.tool_use_id', 'parent_tool_use_id', 'request.callback_id', 'permission_denials[*].tool_use_id'],
    // The client names the call that it decides on.
    'response.response.toolUseID',
  ],
  requestIds: ['request_id', 'response.request_id'],
  // An MCP message inside the control channel, numbered by who asks.
  senderIds: ['request.message.id'],
  receiverIds: ['response.response.mcp_response.id'],
  volatile: [
    'duration_ms',
    'duration_api_ms',
    'timestamp',
    'total_cost_usd',
    'ttft_ms',
    'apiKeySource',
    'response.response.pid',
  ],
  refuse: (id, method) => failure(id, `Unknown control request subtype: ${method}`),
  refuseContent: (id, method) => failure(id, `Not on the tape: ${method}`),
  answerAlways: ({ type, request_id, request }, isBusy) => {
    const { subtype } = objectOf(request);
    return type === 'control_request' && subtype === 'interrupt' && !isBusy ? success(request_id) : null;
  },
  endTurn,
};

const TEXTS = {
  cancelled: 'Request interrupted by user',
  denied: 'The user refused this tool call',
  otherwise: 'The tape does not have what follows from this answer',
};

/** The refused call has an error for a result, and the turn its result line. */
function endTurn({ how, ask, answer, calls, last }: DepartedTurn): JsonObject[] {
  const session_id = stringOf(last?.session_id) ?? '';
  const { request, request_id } = objectOf(answer);
  const requestedCall = stringOf(objectOf(ask?.request).tool_use_id);
  const open = requestedCall === null ? calls : [...new Set([requestedCall, ...calls])];
  const text = TEXTS[how];
  const results = open.map((tool_use_id) => ({
    type: 'user',
    session_id,
    parent_tool_use_id: null,
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id, is_error: true, content: text }] },
  }));
  const isInterrupt = how === 'cancelled' && objectOf(request).subtype === 'interrupt';
  const end: JsonObject = {
    type: 'result',
    subtype: how === 'cancelled' ? 'error_during_execution' : 'success',
    is_error: how === 'cancelled',
    session_id,
    duration_ms: 0,
    duration_api_ms: 0,
    num_turns: 1,
    usage: { input_tokens: 0, output_tokens: 0 },
    permission_denials: [],
    ...(how === 'cancelled' ? { error: { message: text } } : { result: text }),
  };
  return [...(isInterrupt ? [success(request_id)] : []), ...results, end];
}

function success(request_id: unknown): JsonObject {
  return { type: 'control_response', response: { subtype: 'success', request_id, response: {} } };
}

function failure(request_id: unknown, error: string): JsonObject {
  return { type: 'control_response', response: { subtype: 'error', request_id, error } };
}
