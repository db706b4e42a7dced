/** What the agent asks its client, and how the answers are read. */
import type { Event, Option } from '../../model/event.ts';
import { Recent } from '../../model/recent.ts';
import { blocksOf, readable } from '../common/content.ts';
import { readElicitation, readElicitationAnswer } from '../common/elicitation.ts';
import { errorText, isAbsent, listOf, objectOf, objectsOf, say, stringOf } from '../common/fields.ts';
import { questionOf } from '../common/question.ts';
import type { Json, Line } from '../dialect.ts';
import { changeBlocks } from './changes.ts';
import {
  actionAnswer,
  actionOptions,
  decisionAnswer,
  failedAnswer,
  optionsOf,
  PERMISSION_OPTIONS,
  permissionsAnswer,
  type Version,
} from './decisions.ts';
import type { Items } from './items.ts';

type Approval = Event & { kind: 'approval' };

/** A request that is open, or was answered and may still be resolved. */
interface Asked {
  kind: string;
  /** The decision of its answer; undefined while there is none. */
  decision?: (Event & { kind: 'approval-answer' })['decision'];
}

/** Requests of the agent that are no tool calls. */
const CLIENT_CALLS = new Set(['account/chatgptAuthTokens/refresh', 'attestation/generate', 'currentTime/read']);

export class Requests {
  readonly #items: Items;
  /** By id, because the agent names it when it is resolved. */
  readonly #asked = new Recent<unknown, Asked>();

  constructor(items: Items) {
    this.#items = items;
  }

  /** Null if the method is unknown. */
  read({ message }: Line, method: string, params: Json): Event | null {
    const event = this.#event(method, params);
    if (event) this.#asked.set(message.id, { kind: event.kind });
    return event;
  }

  #event(method: string, params: Json): Event | null {
    switch (method) {
      case 'item/commandExecution/requestApproval':
        return command(params);
      case 'item/fileChange/requestApproval':
        return fileChange(params, this.#items.changesOf(stringOf(params.itemId)));
      case 'item/permissions/requestApproval':
        return permissions(params);
      case 'execCommandApproval':
        return oldCommand(params);
      case 'applyPatchApproval':
        return oldPatch(params);
      case 'mcpServer/elicitation/request':
        return this.#elicitation(params);
      case 'item/tool/requestUserInput':
        return question(params);
      case 'item/tool/call':
        return clientTool(params);
    }
    if (!CLIENT_CALLS.has(method)) return null;
    return { kind: 'client-call', call: null, request: null, what: method, arguments: params };
  }

  /** The approval of an MCP tool is a form without fields, which says so in `_meta`. */
  #elicitation(params: Json): Event {
    const meta = objectOf(params._meta);
    if (meta.codex_approval_kind !== 'mcp_tool_call') return readElicitation(params);
    const call = this.#items.mcpCall(params.serverName, meta.tool_params);
    const options = actionOptions(meta);
    return approval(call?.id ?? null, null, params.message, meta.tool_params, options, call?.tool ?? null);
  }

  answer(line: Line, method: string): Event {
    const event = answerOf(line, method, this.#asked.get(line.message.id)?.kind ?? null);
    const asked = this.#asked.get(line.message.id);
    if (asked && line.pairing?.role === 'answers')
      asked.decision = 'decision' in event ? (event.decision as null) : null;
    return event;
  }

  /** The agent has an answer, or needs none any more because the turn was interrupted. */
  resolved({ requestId }: Json): Event {
    const asked = this.#asked.get(requestId);
    const request = String(requestId);
    this.#asked.delete(requestId);
    if (!asked) return { kind: 'status', name: 'serverRequest/resolved' };
    if (asked.decision === undefined) return { kind: 'cancel', of: request, done: true };
    if (asked.kind !== 'approval') return { kind: 'status', name: 'serverRequest/resolved' };
    return { kind: 'approval-resolved', request, decision: asked.decision, feedback: null };
  }
}

function answerOf(line: Line, method: string, kind: string | null): Event {
  if (kind === 'question') return method === 'item/tool/requestUserInput' ? answers(line) : readElicitationAnswer(line);
  if (kind === 'client-call') return clientAnswer(line);
  const { body } = line.message;
  return failedAnswer(line) ?? readDecision(method, body);
}

function readDecision(method: string, body: unknown): Event {
  if (method === 'item/permissions/requestApproval') return permissionsAnswer(body);
  if (method === 'mcpServer/elicitation/request') return actionAnswer(body);
  return decisionAnswer(body, versionOf(method));
}

export const versionOf = (method: string): Version => (method.startsWith('item/') ? 'v2' : 'v1');

function approval(
  call: string | null,
  action: string | null,
  said: unknown,
  args: unknown,
  options: Option[],
  tool: string | null,
): Approval {
  const description = stringOf(said);
  const event: Approval = {
    ...{ kind: 'approval', call, tool, request: null, action, description },
    ...{ arguments: args ?? null, options, displays: [] },
  };
  return say(event, description);
}

/** A command, more input for one that runs, or its access to a host. */
function command(params: Json): Approval {
  const { itemId, kind, reason, networkApprovalContext, command, cwd, availableDecisions } = params;
  const options = optionsOf(availableDecisions, 'v2');
  const isPlain = isAbsent(kind) || kind === 'command';
  const action = networkApprovalContext ? 'network' : isPlain ? 'execute' : String(kind);
  const args = isAbsent(command) ? objectOf(networkApprovalContext) : { command, cwd };
  return approval(stringOf(itemId), action, reason, args, options, null);
}

/** `grantRoot`: the agent wants to write anywhere in this folder from now on. */
function fileChange({ itemId, reason, grantRoot }: Json, changes: unknown): Approval {
  const args = isAbsent(grantRoot) ? { changes } : { changes, grantRoot };
  const asked = approval(stringOf(itemId), 'edit', reason, args, optionsOf(null, 'v2'), null);
  asked.displays = changeBlocks(changes);
  return asked;
}

function permissions({ itemId, reason, permissions, cwd }: Json): Approval {
  const args = { permissions, cwd };
  return approval(stringOf(itemId), 'permissions', reason, args, PERMISSION_OPTIONS, 'request_permissions');
}

function oldCommand({ callId, reason, command, cwd }: Json): Approval {
  return approval(stringOf(callId), 'execute', reason, { command, cwd }, optionsOf(null, 'v1'), 'exec_command');
}

function oldPatch({ callId, reason, fileChanges }: Json): Approval {
  const args = { changes: fileChanges };
  const asked = approval(stringOf(callId), 'edit', reason, args, optionsOf(null, 'v1'), 'patch_apply');
  asked.displays = changeBlocks(fileChanges);
  return asked;
}

function question({ itemId, questions }: Json): Event {
  const asked = objectsOf(questions).map(questionOf);
  const event: Event = { kind: 'question', call: stringOf(itemId), request: null, questions: asked };
  return say(event, asked.map(({ text }) => text).join('\n') || null);
}

/** `{answers: {ID: {answers: [...]}}}`, as the texts by question. */
function answers({ message }: Line): Event {
  const kind = 'question-answer';
  if (message.envelope === 'error') {
    return { kind, request: null, answers: null, ok: false, text: errorText(message.body) ?? '' };
  }
  const { answers } = objectOf(message.body);
  const entries = Object.entries(objectOf(answers)).map(([id, said]): [string, unknown] => {
    const texts = listOf(objectOf(said).answers);
    return [id, texts.length === 1 ? texts[0] : texts];
  });
  return { kind, request: null, answers: Object.fromEntries(entries), ok: true };
}

function clientTool({ callId, tool, arguments: args }: Json): Event {
  const what = stringOf(tool) ?? 'item/tool/call';
  return { kind: 'client-call', call: stringOf(callId), tool: what, request: null, what, arguments: args ?? null };
}

function clientAnswer({ message }: Line): Event {
  const kind = 'client-call-answer';
  if (message.envelope === 'error') {
    return { kind, request: null, ok: false, blocks: [], text: errorText(message.body) ?? '' };
  }
  const { contentItems, success } = objectOf(message.body);
  const blocks = objectsOf(contentItems).flatMap(({ text, ...other }) => blocksOf(text ?? [other]));
  return say({ kind, request: null, ok: success !== false, blocks }, readable(blocks));
}
