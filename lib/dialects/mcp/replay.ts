/** What a replay of MCP needs to know. */
import type { Json } from '../dialect.ts';
import { type MadeUpEnd, type Replay, refusedAs, refusedWith } from '../traits.ts';

export const mcpReplay: Replay = {
  // A progress token often equals the id of its request, but is independent of it.
  senderIds: ['params.requestId', 'params._meta.progressToken'],
  receiverIds: ['params.progressToken'],
  introduction: ['params.clientInfo', 'params.protocolVersion', 'params.capabilities'],
  negotiated: { asked: 'params.protocolVersion', answered: 'result.protocolVersion' },
  refuse: refusedAs('Method not found'),
  refuseContent: refusedWith(-32602, 'Invalid params: not on the tape'),
  answerAlways: ({ id, method }) => (method === 'ping' ? { jsonrpc: '2.0', id, result: {} } : null),
  endTurn,
  // The SDK drops progress that it reads together with the answer.
  answersApart: true,
};

/** A call whose client answered in another way than on the tape. There is no turn: the request itself is the prompt. */
function endTurn({ how, prompt }: MadeUpEnd): Json[] {
  if (!prompt || how === 'cancelled') return [];
  const content = [{ type: 'text', text: 'The client answered in a way that the tape does not have.' }];
  return [{ jsonrpc: '2.0', id: prompt.id, result: { content, isError: true } }];
}
