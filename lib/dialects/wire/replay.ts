/** What a replay of Wire needs to know. */

import { objectOf, stringOf } from '../common/fields.ts';
import type { JsonObject } from '../dialect.ts';
import { type DepartedTurn, type ReplayTraits, refuseMethod, refuseWithCode } from '../traits.ts';

const NESTED = 'params.payload.event.payload';

export const wireReplay: ReplayTraits = {
  ids: [
    ...['result.request_id', 'result.tool_call_id', 'params.payload.id', 'params.payload.request_id'],
    // The call that a message is about, and the call that started a subagent.
    ...['params.payload.tool_call_id', 'params.payload.parent_tool_call_id', 'params.payload.task_tool_call_id'],
    ...[`${NESTED}.id`, `${NESTED}.tool_call_id`, 'params.payload.agent_id', 'params.payload.source_id'],
  ],
  volatile: ['params.payload.created_at', 'params.payload.duration_ms', 'params.payload.message_id'],
  // How far a replay of the history came before it was cancelled.
  volatileIn: ({ result }) => (objectOf(result).status === 'cancelled' ? ['result.events', 'result.requests'] : []),
  names: [/\.kimi\/plans\/([\w-]+)\.md/g],
  introduction: ['params.protocol_version', 'params.client'],
  // Since 0.79. Earlier versions do not answer an unknown method.
  refuse: refuseMethod('Unexpected method received'),
  refuseContent: refuseWithCode(-32602, 'Not on the tape'),
  refuseWhileBusy: refuseWithCode(-32000, 'An agent turn is already in progress'),
  answerAlways,
  endTurn,
  resend: {
    method: 'replay',
    partOf: ({ method }) => (method === 'event' || method === 'request' ? method : null),
    answer: ({ id }, { event, request }, isCancelled) =>
      makeAnswer(id, { status: isCancelled ? 'cancelled' : 'finished', events: event, requests: request }),
  },
};

export const wireLegacyReplay: ReplayTraits = {
  ids: [
    ...['params.payload.id', 'params.payload.tool_call_id', 'params.payload.task_tool_call_id'],
    ...[`${NESTED}.id`, `${NESTED}.tool_call_id`],
  ],
  refuse: refuseMethod('Unknown method'),
  refuseWhileBusy: refuseWithCode(-32000, 'An agent turn is already in progress'),
};

/** Outside a turn there is nothing to steer or to cancel (`wire-steer`, `wire-cancel`). */
function answerAlways(request: JsonObject, isBusy: boolean): JsonObject | null {
  const { id, method, params } = request;
  switch (method) {
    case 'steer':
    case 'cancel':
      if (!isBusy)
        return { jsonrpc: '2.0', id, error: { code: -32000, message: 'No agent turn is in progress', data: null } };
      return method === 'steer' ? makeAnswer(id, { status: 'steered' }) : null;
    case 'set_plan_mode':
      return makeAnswer(id, { status: 'ok', plan_mode: objectOf(params).enabled === true });
    default:
      return null;
  }
}

/** A rejection ends the turn, and a cancelled one has no result for its calls. */
function endTurn({ how, prompt, ask, answer: given, calls }: DepartedTurn): JsonObject[] {
  const lines: JsonObject[] = [];
  const { payload } = objectOf(ask?.params);
  const { id: request, tool_call_id: call } = objectOf(payload);
  if (how === 'cancelled' && given?.id !== undefined) lines.push(makeAnswer(given.id, {}));
  if (ask && objectOf(ask.params).type === 'ApprovalRequest') {
    const { response, feedback } = objectOf(given?.result);
    const chosen = stringOf(response) ?? 'reject';
    lines.push(
      makeEvent('ApprovalResponse', { request_id: request, response: chosen, feedback: stringOf(feedback) ?? '' }),
    );
  }
  if (how !== 'cancelled') {
    const open = stringOf(call) === null ? calls : [...new Set([call as string, ...calls])];
    lines.push(
      ...open.map((tool_call_id) =>
        makeEvent('ToolResult', { tool_call_id, return_value: how === 'denied' ? REJECTED : UNKNOWN }),
      ),
    );
  }
  lines.push(makeEvent('TurnEnd', {}));
  if (prompt) lines.push(makeAnswer(prompt.id, { status: how === 'cancelled' ? 'cancelled' : 'finished' }));
  return lines;
}

const REJECTED = {
  is_error: true,
  output: '',
  message:
    'The tool call is rejected by the user. Stop what you are doing and wait for the user to tell you how to proceed.',
  display: [{ type: 'brief', text: 'Rejected by user' }],
  extras: null,
};

const UNKNOWN = {
  ...REJECTED,
  message: 'The tape does not have what follows from this answer.',
  display: [{ type: 'brief', text: 'Not on the tape' }],
};

function makeAnswer(id: unknown, result: JsonObject): JsonObject {
  return { jsonrpc: '2.0', id, result };
}

export function makeEvent(type: string, payload: JsonObject): JsonObject {
  return { jsonrpc: '2.0', method: 'event', params: { type, payload } };
}
