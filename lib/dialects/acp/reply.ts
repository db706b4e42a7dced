/** Lines that answer what is asked in ACP. */

import { objectOf, objectsOf, stringOf } from '../common/fields.ts';
import {
  type DeclineTo,
  elicitationDecline,
  elicitationReply,
  type ReplyLine,
  type ReplyTo,
  rpcReply,
} from '../common/reply.ts';
import type { JsonObject } from '../dialect.ts';
import { optionsOf } from './options.ts';

export const GREETING: JsonObject = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: 1, clientCapabilities: {} },
};

const RESULTS: Readonly<Record<string, unknown>> = {
  initialize: { protocolVersion: 1, agentCapabilities: {} },
  authenticate: {},
  'session/new': { sessionId: '1' },
  'session/load': {},
  'session/resume': {},
  'fs/read_text_file': { content: '' },
  'fs/write_text_file': {},
  'terminal/create': { terminalId: '1' },
  'terminal/output': { output: '', truncated: false },
  'terminal/wait_for_exit': { exitCode: 0 },
  'terminal/kill': {},
  'terminal/release': {},
};

export const acpReply: ReplyTo = (request) => {
  const method = stringOf(request.method) ?? '';
  if (method === 'session/request_permission') return makePermissionReply(request);
  if (method === 'elicitation/create') return elicitationReply(request);
  return Object.hasOwn(RESULTS, method) ? rpcReply(request, RESULTS[method]) : null;
};

/** The first option that allows, else the first. */
function makePermissionReply(request: JsonObject): ReplyLine {
  const options = optionsOf(objectOf(request.params));
  const chosen = options.find(({ decision }) => decision === 'allow') ?? options[0];
  if (!chosen) return rpcReply(request, { outcome: { outcome: 'cancelled' } });
  const others = options.filter((option) => option !== chosen).map(({ id }) => id);
  return rpcReply(request, { outcome: { outcome: 'selected', optionId: chosen.id } }, others);
}

/** The option that denies this once, else any that denies. Files and terminals have only an error. */
export const acpDecline: DeclineTo = (request) => {
  if (request.method === 'elicitation/create') return elicitationDecline(request);
  if (request.method !== 'session/request_permission') return null;
  const options = objectsOf(objectOf(request.params).options);
  const chosen = ['reject_once', 'reject_always']
    .map((word) => options.find(({ kind }) => kind === word))
    .find(Boolean);
  const outcome = chosen ? { outcome: 'selected', optionId: chosen.optionId } : { outcome: 'cancelled' };
  return rpcReply(request, { outcome }).line;
};
