/** Lines that answer what is asked in Codex's app-server. They have no `jsonrpc`. */

import { objectOf, objectsOf, stringOf } from '../common/fields.ts';
import {
  DECLINED,
  type DeclineTo,
  elicitationDecline,
  elicitationReply,
  type ReplyLine,
  type ReplyTo,
} from '../common/reply.ts';
import type { JsonObject } from '../dialect.ts';
import { optionsOf } from './decisions.ts';
import { versionOf } from './requests.ts';

export const GREETING: JsonObject = {
  method: 'initialize',
  id: 0,
  params: { clientInfo: { name: 'client', title: 'client', version: '1' } },
};

const TURN = { turn: { id: '1', items: [], status: 'inProgress', error: null } };

const RESULTS: Readonly<Record<string, unknown>> = {
  initialize: { userAgent: 'codex/1', codexHome: '', platformFamily: 'unix', platformOs: 'linux' },
  'thread/start': { thread: { id: '1' } },
  'thread/resume': { thread: { id: '1' } },
  'turn/start': TURN,
  'review/start': { ...TURN, reviewThreadId: '1' },
  'turn/interrupt': {},
  'item/tool/call': { contentItems: [{ type: 'inputText', text: '…' }], success: true },
  'currentTime/read': { currentTimeAt: 0 },
};

export const codexReply: ReplyTo = (request) => {
  const method = stringOf(request.method) ?? '';
  const params = objectOf(request.params);
  switch (method) {
    case 'item/commandExecution/requestApproval':
    case 'item/fileChange/requestApproval':
    case 'execCommandApproval':
    case 'applyPatchApproval':
      return makeDecisionReply(request, method);
    case 'item/permissions/requestApproval':
      return makeReply(request, { permissions: params.permissions ?? {}, scope: 'turn' }, ['session']);
    case 'mcpServer/elicitation/request':
      return makeElicitationReply(request);
    case 'item/tool/requestUserInput':
      return makeReply(request, { answers: answerQuestions(params.questions) });
    case 'turn/steer':
      return makeReply(request, { turnId: params.expectedTurnId });
  }
  return Object.hasOwn(RESULTS, method) ? makeReply(request, RESULTS[method]) : null;
};

function makeReply({ id }: JsonObject, result: unknown, or: readonly string[] = []): ReplyLine {
  return { line: { id, result }, or };
}

/** Only plain words: the others need arguments. */
function makeDecisionReply(request: JsonObject, method: string): ReplyLine {
  const [first, ...others] = optionsOf(null, versionOf(method)).map(({ id }) => id);
  return makeReply(request, { decision: first }, others);
}

function makeElicitationReply(request: JsonObject): ReplyLine {
  const { line, or } = elicitationReply(request);
  return makeReply(request, { content: null, ...objectOf(line.result), _meta: null }, or);
}

/** The first option of each question. */
function answerQuestions(questions: unknown): JsonObject {
  const answers = objectsOf(questions).map(({ id, options }) => {
    return [stringOf(id) ?? '', { answers: [objectsOf(options)[0]?.label ?? '…'] }];
  });
  return Object.fromEntries(answers);
}

export const codexDecline: DeclineTo = (request) => {
  const { id, method } = request;
  switch (method) {
    case 'item/commandExecution/requestApproval':
    case 'item/fileChange/requestApproval':
      return { id, result: { decision: 'decline' } };
    case 'execCommandApproval':
    case 'applyPatchApproval':
      return { id, result: { decision: 'denied' } };
    case 'item/permissions/requestApproval':
      return { id, result: { permissions: {}, scope: 'turn' } };
    case 'mcpServer/elicitation/request':
      return { id, result: { ...objectOf(elicitationDecline(request).result), content: null, _meta: null } };
    case 'item/tool/requestUserInput':
      return { id, result: { answers: {} } };
    case 'item/tool/call':
      return { id, result: { contentItems: [{ type: 'inputText', text: DECLINED }], success: false } };
    default:
      return null;
  }
};
