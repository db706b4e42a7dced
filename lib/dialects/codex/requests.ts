/** What the agent asks its client, and how the answers are read. */

import type { Event, Option } from '../../model/event.ts';
import { LimitedMap } from '../../model/limited-map.ts';
import { textOfValue } from '../../model/text/text.ts';
import { blocksOf, readable } from '../common/content.ts';
import { readElicitation, readElicitationAnswer } from '../common/elicitation.ts';
import { errorText, isAbsent, listOf, objectOf, objectsOf, stringOf, withText } from '../common/fields.ts';
import { questionOf } from '../common/question.ts';
import type { DialectLine, JsonObject } from '../dialect.ts';
import { changeBlocks } from './changes.ts';
import {
  actionOptions,
  type DecisionVersion,
  optionsOf,
  PERMISSION_OPTIONS,
  readActionAnswer,
  readDecisionAnswer,
  readFailedAnswer,
  readPermissionsAnswer,
} from './decisions.ts';
import type { CodexItems } from './items.ts';

type CodexApproval = Event & { kind: 'approval' };

/** A request that is open, or was answered and may still be resolved. */
interface CodexRequest {
  kind: string;
  /** The decision of its answer; undefined while there is none. */
  decision?: (Event & { kind: 'approval-answer' })['decision'];
}

/** Requests of the agent that are no tool calls. */
const CLIENT_CALLS = new Set(['account/chatgptAuthTokens/refresh', 'attestation/generate', 'currentTime/read']);

export class CodexRequests {
  readonly #items: CodexItems;
  /** By id, because the agent names it when it is resolved. */
  readonly #requests = new LimitedMap<unknown, CodexRequest>();

  constructor(items: CodexItems) {
    this.#items = items;
  }

  /** Null if the method is unknown. */
  read({ message }: DialectLine, method: string, params: JsonObject): Event | null {
    const event = this.#readEvent(method, params);
    if (event) this.#requests.set(message.id, { kind: event.kind });
    return event;
  }

  #readEvent(method: string, params: JsonObject): Event | null {
    switch (method) {
      case 'item/commandExecution/requestApproval':
        return readCommand(params);
      case 'item/fileChange/requestApproval':
        return readFileChange(params, this.#items.changesOf(stringOf(params.itemId)));
      case 'item/permissions/requestApproval':
        return readPermissions(params);
      case 'execCommandApproval':
        return readOldCommand(params);
      case 'applyPatchApproval':
        return readOldPatch(params);
      case 'mcpServer/elicitation/request':
        return this.#readElicitation(params);
      case 'item/tool/requestUserInput':
        return readQuestion(params);
      case 'item/tool/call':
        return readClientTool(params);
    }
    if (!CLIENT_CALLS.has(method)) return null;
    return { kind: 'client-call', call: null, request: null, what: method, arguments: params };
  }

  /** The approval of an MCP tool is a form without fields, which says so in `_meta`. */
  #readElicitation(params: JsonObject): Event {
    const meta = objectOf(params._meta);
    if (meta.codex_approval_kind !== 'mcp_tool_call') return readElicitation(params);
    const call = this.#items.mcpCall(params.serverName, meta.tool_params);
    const options = actionOptions(meta);
    return makeApproval(call?.id ?? null, null, params.message, meta.tool_params, options, call?.tool ?? null);
  }

  answer(line: DialectLine, method: string): Event {
    const event = readAnswer(line, method, this.#requests.get(line.message.id)?.kind ?? null);
    const request = this.#requests.get(line.message.id);
    if (request && line.pairing?.role === 'answers')
      request.decision = 'decision' in event ? (event.decision as null) : null;
    return event;
  }

  /** The agent has an answer, or needs none any more because the turn was interrupted. */
  resolved({ requestId }: JsonObject): Event {
    const entry = this.#requests.get(requestId);
    const request = textOfValue(requestId);
    this.#requests.delete(requestId);
    if (!entry) return { kind: 'status', name: 'serverRequest/resolved' };
    if (entry.decision === undefined) return { kind: 'cancel', of: request, done: true };
    if (entry.kind !== 'approval') return { kind: 'status', name: 'serverRequest/resolved' };
    return { kind: 'approval-resolved', request, decision: entry.decision, feedback: null };
  }
}

function readAnswer(line: DialectLine, method: string, kind: string | null): Event {
  if (kind === 'question')
    return method === 'item/tool/requestUserInput' ? readAnswers(line) : readElicitationAnswer(line);
  if (kind === 'client-call') return readClientAnswer(line);
  const { body } = line.message;
  return readFailedAnswer(line) ?? readDecision(method, body);
}

function readDecision(method: string, body: unknown): Event {
  if (method === 'item/permissions/requestApproval') return readPermissionsAnswer(body);
  if (method === 'mcpServer/elicitation/request') return readActionAnswer(body);
  return readDecisionAnswer(body, versionOf(method));
}

export const versionOf = (method: string): DecisionVersion => (method.startsWith('item/') ? 'v2' : 'v1');

function makeApproval(
  call: string | null,
  action: string | null,
  text: unknown,
  args: unknown,
  options: Option[],
  tool: string | null,
): CodexApproval {
  const description = stringOf(text);
  const event: CodexApproval = {
    ...{ kind: 'approval', call, tool, request: null, action, description },
    ...{ arguments: args ?? null, options, displays: [] },
  };
  return withText(event, description);
}

/** A command, more input for one that runs, or its access to a host. */
function readCommand(params: JsonObject): CodexApproval {
  const { itemId, kind, reason, networkApprovalContext, command, cwd, availableDecisions } = params;
  const options = optionsOf(availableDecisions, 'v2');
  const isPlain = isAbsent(kind) || kind === 'command';
  const action = networkApprovalContext ? 'network' : isPlain ? 'execute' : textOfValue(kind);
  const args = isAbsent(command) ? objectOf(networkApprovalContext) : { command, cwd };
  return makeApproval(stringOf(itemId), action, reason, args, options, null);
}

/** `grantRoot`: the agent wants to write anywhere in this folder from now on. */
function readFileChange({ itemId, reason, grantRoot }: JsonObject, changes: unknown): CodexApproval {
  const args = isAbsent(grantRoot) ? { changes } : { changes, grantRoot };
  const event = makeApproval(stringOf(itemId), 'edit', reason, args, optionsOf(null, 'v2'), null);
  event.displays = changeBlocks(changes);
  return event;
}

function readPermissions({ itemId, reason, permissions, cwd }: JsonObject): CodexApproval {
  const args = { permissions, cwd };
  return makeApproval(stringOf(itemId), 'permissions', reason, args, PERMISSION_OPTIONS, 'request_permissions');
}

function readOldCommand({ callId, reason, command, cwd }: JsonObject): CodexApproval {
  return makeApproval(stringOf(callId), 'execute', reason, { command, cwd }, optionsOf(null, 'v1'), 'exec_command');
}

function readOldPatch({ callId, reason, fileChanges }: JsonObject): CodexApproval {
  const args = { changes: fileChanges };
  const event = makeApproval(stringOf(callId), 'edit', reason, args, optionsOf(null, 'v1'), 'patch_apply');
  event.displays = changeBlocks(fileChanges);
  return event;
}

function readQuestion({ itemId, questions }: JsonObject): Event {
  const items = objectsOf(questions).map(questionOf);
  const event: Event = { kind: 'question', call: stringOf(itemId), request: null, questions: items };
  return withText(event, items.map(({ text }) => text).join('\n') || null);
}

/** `{answers: {ID: {answers: [...]}}}`, as the texts by question. */
function readAnswers({ message }: DialectLine): Event {
  const kind = 'question-answer';
  if (message.envelope === 'error') {
    return { kind, request: null, answers: null, ok: false, text: errorText(message.body) ?? '' };
  }
  const { answers } = objectOf(message.body);
  const entries = Object.entries(objectOf(answers)).map(([id, answer]): [string, unknown] => {
    const texts = listOf(objectOf(answer).answers);
    return [id, texts.length === 1 ? texts[0] : texts];
  });
  return { kind, request: null, answers: Object.fromEntries(entries), ok: true };
}

function readClientTool({ callId, tool, arguments: args }: JsonObject): Event {
  const what = stringOf(tool) ?? 'item/tool/call';
  return { kind: 'client-call', call: stringOf(callId), tool: what, request: null, what, arguments: args ?? null };
}

function readClientAnswer({ message }: DialectLine): Event {
  const kind = 'client-call-answer';
  if (message.envelope === 'error') {
    return { kind, request: null, ok: false, blocks: [], text: errorText(message.body) ?? '' };
  }
  const { contentItems, success } = objectOf(message.body);
  const blocks = objectsOf(contentItems).flatMap(({ text, ...other }) => blocksOf(text ?? [other]));
  return withText({ kind, request: null, ok: success !== false, blocks }, readable(blocks));
}
