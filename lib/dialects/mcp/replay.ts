/** What a replay of MCP needs to know. */
import type { JsonObject } from '../dialect.ts';
import { type DepartedTurn, type ReplayTraits, refuseMethod, refuseWithCode } from '../traits.ts';

export const mcpReplay: ReplayTraits = {
  // Tasks of the client, which the server asks about.
  clientIds: ['result.task.taskId', 'result.taskId', 'params.taskId'],
  // `notifications/cancelled`.
  senderIds: ['params.requestId'],
  // The call that an event of `codex mcp-server` belongs to.
  receiverIds: ['params._meta.requestId'],
  tokens: { given: ['params._meta.progressToken'], named: ['params.progressToken'] },
  introduction: ['params.clientInfo', 'params.protocolVersion', 'params.capabilities'],
  negotiated: { requested: 'params.protocolVersion', answered: 'result.protocolVersion' },
  refuse: refuseMethod('Method not found'),
  refuseContent: refuseWithCode(-32602, 'Invalid params: not on the tape'),
  answerPing: ({ id, method }) => (method === 'ping' ? { jsonrpc: '2.0', id, result: {} } : null),
  endTurn,
  // The SDK drops progress that it reads together with the answer.
  answersApart: true,
};

/** A call whose client answered in another way than on the tape. There is no turn: the request itself is the prompt. */
function endTurn({ how, prompt }: DepartedTurn): JsonObject[] {
  if (!prompt || how === 'cancelled') return [];
  const content = [{ type: 'text', text: 'The client answered in a way that the tape does not have.' }];
  return [{ jsonrpc: '2.0', id: prompt.id, result: { content, isError: true } }];
}
