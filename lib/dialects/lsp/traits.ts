/** The traits of the Language Server Protocol. */

import { objectOf, objectsOf, stringOf } from '../common/fields.ts';
import { type DeclineTo, type ReplyTo, rpcReply } from '../common/reply.ts';
import type { JsonObject } from '../dialect.ts';
import { JSON_RPC, refuseMethod, traits } from '../traits.ts';

const GREETING: JsonObject = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { processId: null, rootUri: null, capabilities: {} },
};

/** What may be answered with nothing. */
const EMPTY = new Set([
  ...['client/registerCapability', 'client/unregisterCapability', 'window/workDoneProgress/create', 'shutdown'],
  ...['workspace/semanticTokens/refresh', 'workspace/inlayHint/refresh', 'workspace/diagnostic/refresh'],
  ...['workspace/codeLens/refresh', 'workspace/inlineValue/refresh', 'workspace/foldingRange/refresh'],
  'workspace/workspaceFolders',
]);

const lspReply: ReplyTo = (request) => {
  const method = stringOf(request.method) ?? '';
  const params = objectOf(request.params);
  if (EMPTY.has(method)) return rpcReply(request, null);
  if (method === 'initialize') return rpcReply(request, { capabilities: {} });
  if (method === 'workspace/configuration')
    return rpcReply(
      request,
      objectsOf(params.items).map(() => null),
    );
  if (method === 'workspace/applyEdit') return rpcReply(request, { applied: true });
  if (method === 'window/showDocument') return rpcReply(request, { success: true });
  if (method !== 'window/showMessageRequest') return null;
  const [first, ...others] = objectsOf(params.actions);
  return rpcReply(
    request,
    first ?? null,
    others.map(({ title }) => stringOf(title) ?? ''),
  );
};

/** What changes nothing is answered as usual. */
const lspDecline: DeclineTo = (request) => {
  const method = stringOf(request.method) ?? '';
  if (method === 'workspace/applyEdit') return rpcReply(request, { applied: false }).line;
  if (method === 'window/showDocument') return rpcReply(request, { success: false }).line;
  if (method === 'window/showMessageRequest') return rpcReply(request, null).line;
  return EMPTY.has(method) || method === 'workspace/configuration' ? (lspReply(request)?.line ?? null) : null;
};

export const lspTraits = traits({
  jsonRpc: JSON_RPC,
  hasTurns: false,
  clientCallsTools: true,
  modes: null,
  conversations: { resumes: [] },
  requestsNeedingIds: /^(?:initialize|shutdown)$/,
  readySignal: 'initialized',
  cancelWithdrawsRequest: true,
  reply: lspReply,
  decline: lspDecline,
  greeting: GREETING,
  errorMeanings: {
    [-32002]: 'the server is not initialized',
    [-32803]: 'the request failed',
    [-32802]: 'the server cancelled the request',
    [-32801]: 'the document was changed meanwhile',
    [-32800]: 'the client cancelled the request',
  },
  replay: {
    ids: ['id', 'params.id', 'params.workDoneToken'],
    // `$/cancelRequest`.
    senderIds: ['params.id'],
    tokens: { given: ['params.workDoneToken', 'params.partialResultToken'], named: ['params.token'] },
    volatile: ['params.processId'],
    refuse: refuseMethod('Unhandled method'),
  },
});
