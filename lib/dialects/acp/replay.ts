/** What a replay of ACP needs to know. */

import { objectOf, stringOf } from '../common/fields.ts';
import type { JsonObject } from '../dialect.ts';
import { type DepartedTurn, type ReplayTraits, refuseMethod, refuseWithCode } from '../traits.ts';

export const acpReplay: ReplayTraits = {
  ids: [
    ...['params.sessionId', 'result.sessionId', 'params.update.toolCallId', 'params.toolCall.toolCallId'],
    ...['params.update.messageId', 'params.update.content[*].terminalId'],
  ],
  // A client may give its prompt an id, and makes the terminals that the agent asks for.
  clientIds: [
    ...['params.messageId', 'result.userMessageId', 'result.terminalId', 'params.terminalId'],
    'params.toolCall.content[*].terminalId',
  ],
  // `$/cancel_request`.
  senderIds: ['params.requestId'],
  volatile: ['params.update._meta.durationMs', 'result.sessions[*].updatedAt', 'params.update.updatedAt'],
  introduction: ['params.clientInfo', 'params.protocolVersion', 'params.clientCapabilities'],
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

/** Calls that were begun end with an error, and the prompt is answered with what the protocol has for it. */
function endTurn({ how, prompt, ask, calls }: DepartedTurn): JsonObject[] {
  const { sessionId } = objectOf(prompt?.params ?? ask?.params);
  const requestedCall = stringOf(objectOf(objectOf(ask?.params).toolCall).toolCallId);
  const open = requestedCall === null ? calls : [...new Set([requestedCall, ...calls])];
  const text = TEXTS[how];
  const updates = open.map((toolCallId) => ({
    jsonrpc: '2.0',
    method: 'session/update',
    params: {
      sessionId,
      update: {
        sessionUpdate: 'tool_call_update',
        toolCallId,
        status: 'failed',
        content: [{ type: 'content', content: { type: 'text', text } }],
      },
    },
  }));
  const stopReason = how === 'cancelled' ? 'cancelled' : 'end_turn';
  return prompt ? [...updates, { jsonrpc: '2.0', id: prompt.id, result: { stopReason } }] : updates;
}
