/** The traits of Codex's app-server. */
import { JSON_RPC, traits } from '../traits.ts';
import { BYPASS } from './modes.ts';
import { codexDecline, codexReply, GREETING } from './reply.ts';

export const codexTraits = traits({
  jsonRpc: { ...JSON_RPC, saysVersion: false },
  turnsSideBySide: true,
  modes: { options: [], shortcuts: [], bypass: BYPASS },
  planIsSeparate: true,
  // Subagents have threads too, so only those that the client asked for count.
  conversations: { paths: [['result', 'thread', 'id']] },
  requestsNeedingIds: /^(?!initialized$)/,
  reply: codexReply,
  decline: codexDecline,
  greeting: GREETING,
  replay: {
    ids: [
      ...['id', 'params.threadId', 'params.turnId', 'params.itemId', 'params.item.id', 'params.requestId'],
      ...['params.callId', 'params.expectedTurnId', 'params.thread.id', 'params.thread.sessionId'],
      ...['params.turn.id', 'params.turn.rootTurnId', 'params.turn.items[*].id'],
      ...['params.item.senderThreadId', 'params.item.receiverThreadIds[*]', 'params.item.processId'],
      ...['result.thread.id', 'result.thread.sessionId', 'result.turn.id', 'result.turn.rootTurnId', 'result.turnId'],
      'result.reviewThreadId',
    ],
    // Of a message, a process, a watched path, a search.
    clientIds: [
      ...['params.clientUserMessageId', 'params.item.clientId', 'params.turn.items[*].clientId', 'params.processId'],
      ...['params.processHandle', 'params.watchId', 'params.sessionId'],
    ],
    volatile: [
      ...['emittedAtMs', 'params.startedAtMs', 'params.completedAtMs', 'params.item.startedAtMs'],
      ...['params.item.completedAtMs', 'params.item.durationMs', 'params.turn.durationMs', 'params.turn.startedAt'],
      ...['params.turn.completedAt', 'params.turn.items[*].startedAtMs', 'params.turn.items[*].completedAtMs'],
      ...['params.thread.createdAt', 'params.thread.updatedAt', 'params.thread.recencyAt', 'params.thread.path'],
      ...['result.thread.createdAt', 'result.thread.updatedAt', 'result.thread.recencyAt', 'result.thread.path'],
      ...['params.readState.revision', 'params.installationId'],
    ],
    refuse: (id, method) => ({
      id,
      error: { code: -32600, message: `Invalid request: unknown variant \`${method}\`` },
    }),
  },
});
