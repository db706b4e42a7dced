/** Lines that answer what is asked in MCP. */

import { objectOf, stringOf } from '../common/fields.ts';
import {
  DECLINED,
  type DeclineTo,
  elicitationDecline,
  elicitationReply,
  type ReplyTo,
  rpcReply,
} from '../common/reply.ts';
import type { JsonObject } from '../dialect.ts';

export const GREETING: JsonObject = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'client', version: '1' } },
};

const RESULTS: Readonly<Record<string, unknown>> = {
  ping: {},
  'roots/list': { roots: [] },
  'sampling/createMessage': { role: 'assistant', content: { type: 'text', text: '' }, model: '' },
};

export const mcpReply: ReplyTo = (request) => {
  const method = stringOf(request.method) ?? '';
  if (method === 'elicitation/create') return elicitationReply(request);
  if (method === 'initialize') return rpcReply(request, makeHandshakeResult(request));
  return Object.hasOwn(RESULTS, method) ? rpcReply(request, RESULTS[method]) : null;
};

function makeHandshakeResult({ params }: JsonObject): JsonObject {
  const { protocolVersion } = objectOf(params);
  return { protocolVersion, capabilities: {}, serverInfo: { name: 'agent', version: '1' } };
}

export const mcpDecline: DeclineTo = (request) => {
  const { id, method } = request;
  if (method === 'ping') return rpcReply(request, {}).line;
  if (method === 'elicitation/create') {
    // Codex asks for approvals in this way, and needs an answer in its own form.
    const isApproval = typeof objectOf(request.params).codex_elicitation === 'string';
    return isApproval ? rpcReply(request, { decision: 'denied' }).line : elicitationDecline(request);
  }
  // The code that the specification has for a user who rejects a sampling request.
  return method === 'sampling/createMessage' ? { jsonrpc: '2.0', id, error: { code: -1, message: DECLINED } } : null;
};
