/** What a replay of ACP needs to know. */

import { objectOf, stringOf } from '../common/fields.ts';
import type { JsonObject } from '../dialect.ts';
import { type DepartedTurn, type ReplayTraits, refuseMethod, refuseWithCode } from '../traits.ts';
import { detailsOf } from './permission-subject.ts';

export const acpReplay: ReplayTraits = {
  ids: [
    ...['params.sessionId', 'result.sessionId', 'params.update.toolCallId', 'params.toolCall.toolCallId'],
    ...['params.update.messageId', 'params.update.content[*].terminalId'],
    // ACP 2
    ...['result.messageId', 'params.update.terminalId', 'params.update.content.terminalId', 'params.toolCallId'],
    ...['params.subject.toolCall.toolCallId', 'params.subject.toolCallId', 'params.subject.terminalId'],
    ...['params.update.plan.planId', 'params.update.background[*].toolCallId'],
  ],
  // A client may give its prompt an id, and makes the terminals that the agent asks for.
  clientIds: [
    ...['params.messageId', 'result.userMessageId', 'result.terminalId', 'params.terminalId'],
    'params.toolCall.content[*].terminalId',
  ],
  // `$/cancel_request`.
  senderIds: ['params.requestId'],
  volatile: ['params.update._meta.durationMs', 'result.sessions[*].updatedAt', 'params.update.updatedAt'],
  introduction: [
    ...[
      'params.clientInfo',
      'params.protocolVersion',
      'params.clientCapabilities',
      'params.info',
      'params.capabilities',
    ],
  ],
  negotiated: { requested: 'params.protocolVersion', answered: 'result.protocolVersion' },
  refuse: refuseMethod('Method not found'),
  refuseContent: refuseWithCode(-32602, 'Invalid params: not on the tape'),
  endTurn,
};

const TEXTS = {
  cancelled: 'Cancelled',
  denied: 'The user rejected the tool call',
  otherwise: 'The tape does not have what follows from this answer',
};

/** Calls that were begun end with an error, and the turn ends as the version of the protocol has it. */
function endTurn({ how, prompt, isAccepted, ask, calls }: DepartedTurn): JsonObject[] {
  const params = objectOf(ask?.params);
  const { sessionId } = objectOf(prompt?.params ?? ask?.params);
  const requestedCall = stringOf(detailsOf(params).toolCallId);
  const open = requestedCall === null ? calls : [...new Set([requestedCall, ...calls])];
  const text = TEXTS[how];
  const send = (update: JsonObject): JsonObject => {
    return { jsonrpc: '2.0', method: 'session/update', params: { sessionId, update } };
  };
  const updates = open.map((toolCallId) =>
    send({
      sessionUpdate: 'tool_call_update',
      toolCallId,
      status: isAccepted && how === 'cancelled' ? 'cancelled' : 'failed',
      content: [{ type: 'content', content: { type: 'text', text } }],
    }),
  );
  const stopReason = how === 'cancelled' ? 'cancelled' : 'end_turn';
  // In ACP 2 the answer has come long before.
  if (isAccepted) return [...updates, send({ sessionUpdate: 'state_update', state: 'idle', stopReason })];
  return prompt ? [...updates, { jsonrpc: '2.0', id: prompt.id, result: { stopReason } }] : updates;
}
