/** Lines that answer what is asked in Codex's app-server. They have no `jsonrpc`. */

import { objectOf, objectsOf, stringOf } from '../common/fields.ts';
import {
  DECLINED,
  type DeclineTo,
  elicitationDecline,
  elicitationReply,
  type Reply,
  type ReplyTo,
} from '../common/reply.ts';
import type { Json } from '../dialect.ts';
import { optionsOf } from './decisions.ts';
import { versionOf } from './requests.ts';

export const GREETING: Json = {
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
      return decision(request, method);
    case 'item/permissions/requestApproval':
      return answer(request, { permissions: params.permissions ?? {}, scope: 'turn' }, ['session']);
    case 'mcpServer/elicitation/request':
      return elicitation(request);
    case 'item/tool/requestUserInput':
      return answer(request, { answers: answersTo(params.questions) });
    case 'turn/steer':
      return answer(request, { turnId: params.expectedTurnId });
  }
  return Object.hasOwn(RESULTS, method) ? answer(request, RESULTS[method]) : null;
};

function answer({ id }: Json, result: unknown, or: readonly string[] = []): Reply {
  return { line: { id, result }, or };
}

/** Only plain words: the others need arguments. */
function decision(request: Json, method: string): Reply {
  const [first, ...others] = optionsOf(null, versionOf(method)).map(({ id }) => id);
  return answer(request, { decision: first }, others);
}

function elicitation(request: Json): Reply {
  const { line, or } = elicitationReply(request);
  return answer(request, { content: null, ...objectOf(line.result), _meta: null }, or);
}

/** The first option of each question. */
function answersTo(questions: unknown): Json {
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
