/**
 * What Copilot asks its client. An event asks, with a `requestId`, and a request of the client answers it by that id:
 * so the event counts as a request, and the client's request as its answer, besides being a request itself. A few things
 * are asked by requests in the usual way.
 */
import type { Block, Cover, Decision, Event, GrantRule, Option } from '../../model/event.ts';
import { isObject, type Message, readJsonRpc } from '../../model/message.ts';
import { blocksOf, textOfBlocks } from '../common/content.ts';
import { readElicitation } from '../common/elicitation.ts';
import { errorText, flag, idOf, namesOf, objectOf, stringOf, withText } from '../common/fields.ts';
import type { DialectLine, JsonObject } from '../dialect.ts';

/** Events that need an answer, and the client's method that gives it. */
export const ANSWERED_BY: ReadonlyMap<string, string> = new Map([
  ['permission.requested', 'session.permissions.handlePendingPermissionRequest'],
  ['exit_plan_mode.requested', 'session.ui.handlePendingExitPlanMode'],
  ['user_input.requested', 'session.ui.handlePendingUserInput'],
  ['elicitation.requested', 'session.ui.handlePendingElicitation'],
  ['external_tool.requested', 'session.tools.handlePendingToolCall'],
  ['sampling.requested', 'session.ui.handlePendingSampling'],
  ['auto_mode_switch.requested', 'session.ui.handlePendingAutoModeSwitch'],
  ['session_limits_exhausted.requested', 'session.ui.handlePendingSessionLimitsExhausted'],
  ['command.execute', 'session.commands.handlePendingCommand'],
  ['mcp.oauth_required', 'session.mcp.oauth.handlePendingRequest'],
  ['mcp.headers_refresh_required', 'session.mcp.headers.handlePendingHeadersRefreshRequest'],
]);
const ANSWERS: ReadonlySet<string> = new Set(ANSWERED_BY.values());

/** The event in a `session.event`, or nothing. */
export function eventIn(message: Message): JsonObject {
  return message.method === 'session.event' || ANSWERED_BY.has(message.method ?? '')
    ? objectOf(objectOf(message.body).event)
    : {};
}

export function envelope(value: JsonObject): Message {
  const message = readJsonRpc(value);
  const params = objectOf(value.params);
  if (message.method === 'session.event') {
    const { type, data } = objectOf(params.event);
    message.type = stringOf(type);
    const { requestId, resolvedByHook } = objectOf(data);
    // A hook of the client has decided, so the client is not asked.
    if (message.type === null || !ANSWERED_BY.has(message.type) || resolvedByHook === true) return message;
    if (typeof requestId !== 'string') return message;
    return { ...message, envelope: 'request', method: message.type, id: requestId };
  }
  if (message.envelope !== 'request' || !ANSWERS.has(message.method!)) return message;
  const id = stringOf(params.requestId);
  return id === null ? message : { ...message, envelope: 'response', id, ownId: idOf(value.id) };
}

/** `name`: the type of the event, or the method of the request. */
export function readRequest(name: string, data: JsonObject): Event {
  const request = stringOf(data.requestId);
  switch (name) {
    case 'permission.requested':
    case 'permission.request':
      return readPermission(request, objectOf(data.permissionRequest));
    case 'exit_plan_mode.requested':
    case 'exitPlanMode.request':
      return readPlan(request, data);
    case 'user_input.requested':
    case 'userInput.request':
      return readQuestion(request, data);
    case 'elicitation.requested':
      return { ...readElicitation(data), request } as Event;
    case 'hooks.invoke':
      return readHook(data);
    case 'external_tool.requested':
    case 'tool.call': {
      const tool = stringOf(data.toolName);
      const call = stringOf(data.toolCallId);
      return { kind: 'client-call', call, tool, request, what: tool ?? name, arguments: data.arguments ?? null };
    }
    default:
      return { kind: 'client-call', call: null, request, what: name, arguments: data };
  }
}

/** An approval. Its call has the arguments, if there is one. */
function readPermission(request: string | null, details: JsonObject): Event {
  const { kind, toolCallId, intention, toolDescription, canOfferSessionApproval, fileName, diff } = details;
  const call = stringOf(toolCallId);
  const description = stringOf(intention) ?? stringOf(toolDescription);
  const displays: Block[] = typeof diff === 'string' ? [{ type: 'text', text: diff }] : [];
  return withText(
    {
      kind: 'approval',
      ...{ call, tool: toolOf(details), request, action: stringOf(kind), description },
      arguments: call === null ? argumentsOf(details) : null,
      options: canOfferSessionApproval === true ? [ONCE, SESSION, REJECT] : [ONCE, REJECT],
      displays,
    },
    stringOf(details.fullCommandText) ?? stringOf(fileName) ?? stringOf(details.url) ?? description,
  );
}

const ONCE: Option = { id: 'approve-once', decision: 'allow', label: null };
const SESSION: Option = { id: 'approve-for-session', decision: 'allow-always', label: null };
const REJECT: Option = { id: 'reject', decision: 'deny', label: null };

/** Only of tools that are not built in; else the call has it. */
function toolOf({ toolName }: JsonObject): string | null {
  return stringOf(toolName);
}

function argumentsOf(details: JsonObject): unknown {
  const { fullCommandText, fileName, path, url, args, toolArgs } = details;
  if (typeof fullCommandText === 'string') return { command: fullCommandText };
  if (typeof fileName === 'string' || typeof path === 'string') return { path: fileName ?? path };
  return typeof url === 'string' ? { url } : (args ?? toolArgs ?? null);
}

function readPlan(request: string | null, { summary, planContent }: JsonObject): Event {
  const text = stringOf(planContent) ?? stringOf(summary);
  const about = { call: null, tool: null, request, action: 'leave plan mode', description: stringOf(summary) };
  return withText({ kind: 'approval', ...about, arguments: null, options: [], displays: [] }, text);
}

function readQuestion(request: string | null, { question, choices, toolCallId }: JsonObject): Event {
  const text = stringOf(question) ?? '';
  const labels = Array.isArray(choices) ? choices.filter((one) => typeof one === 'string') : [];
  const options = labels.map((label) => ({ label, description: null }));
  const questions = [{ id: null, text, options, multiple: false }];
  return { kind: 'question', call: stringOf(toolCallId), request, questions, text };
}

function readHook({ hookType, input }: JsonObject): Event {
  const { toolName, toolCallId } = objectOf(input);
  const event = stringOf(hookType) ?? '';
  return { kind: 'hook', request: null, event, target: stringOf(toolName), call: stringOf(toolCallId) };
}

/** `name`: what was asked. */
export function readAnswer(name: string, line: DialectLine): Event {
  const { message, value } = line;
  const isError = message.envelope === 'error';
  const params = message.ownId === undefined ? objectOf(value.result) : objectOf(value.params);
  const request = message.ownId === undefined ? null : stringOf(params.requestId);
  const failed = isError ? (errorText(message.body) ?? '') : null;
  switch (name) {
    case 'permission.requested':
    case 'permission.request':
      return readDecision(request, objectOf(params.result), failed);
    case 'exit_plan_mode.requested':
    case 'exitPlanMode.request':
      return readPlanAnswer(request, objectOf(params.response ?? params), failed);
    case 'user_input.requested':
    case 'userInput.request': {
      const { answer = null } = objectOf(params.response ?? params);
      return withText({ kind: 'question-answer', request, answers: answer, ok: !isError }, failed ?? stringOf(answer));
    }
    case 'elicitation.requested': {
      const { action, content = null } = objectOf(params.result);
      const ok = action === 'accept';
      return withText({ kind: 'question-answer', request, answers: content, ok }, failed ?? stringOf(action));
    }
    case 'hooks.invoke':
      return readHookAnswer(objectOf(params.output), failed);
    default:
      return readClientAnswer(request, params, failed);
  }
}

function readDecision(request: string | null, result: JsonObject, failed: string | null): Event {
  const option = stringOf(result.kind);
  const decision = failed === null ? decisionOf(option) : null;
  const feedback = stringOf(result.feedback);
  const event: Event = { kind: 'approval-answer', request, decision, option, feedback };
  if (failed !== null) return withText(flag(event, 'client-error'), failed);
  const covers = decision === 'allow-always' ? coverOf(objectOf(result.approval)) : null;
  if (covers) event.covers = covers;
  return withText(decision === null ? flag(event, option === null ? 'bad-shape' : 'bad-word') : event, feedback);
}

/** A grant for commands names them: each, whatever follows it. */
function coverOf({ kind, commandIdentifiers }: JsonObject): Cover | null {
  if (kind !== 'commands') return null;
  const rules = namesOf(commandIdentifiers).map((name): GrantRule => ({ tool: null, pattern: `${name} *` }));
  return rules.length > 0 ? { is: 'rules', rules, more: [] } : null;
}

/** Both what the client answers and what the agent makes of it. */
export function decisionOf(kind: string | null): Decision | null {
  if (kind === null) return null;
  if (/^approved?(?:-once)?$/.test(kind)) return 'allow';
  if (/^approved?-(?:for-|permanently)/.test(kind)) return 'allow-always';
  if (kind === 'reject' || kind === 'user-not-available' || kind.startsWith('denied')) return 'deny';
  return kind === 'cancelled' ? 'cancelled' : null;
}

function readPlanAnswer(
  request: string | null,
  { approved, selectedAction, feedback }: JsonObject,
  failed: string | null,
): Event {
  const decision = failed !== null || typeof approved !== 'boolean' ? null : approved ? 'allow' : 'deny';
  const about = { request, decision, option: stringOf(selectedAction), feedback: stringOf(feedback) } as const;
  const event: Event = { kind: 'approval-answer', ...about };
  if (decision !== null) return withText(event, about.feedback);
  return withText(flag(event, failed === null ? 'bad-shape' : 'client-error'), failed);
}

function readHookAnswer(output: JsonObject, failed: string | null): Event {
  const { permissionDecision, permissionDecisionReason, modifiedArgs } = output;
  const decision =
    failed !== null || permissionDecision === 'ask' ? null : permissionDecision === 'deny' ? 'deny' : 'allow';
  const reason = failed ?? stringOf(permissionDecisionReason);
  const event: Event = { kind: 'hook-answer', request: null, event: null, target: null, decision, reason };
  if (permissionDecision === 'allow' && failed === null) event.permits = true;
  if (permissionDecision === 'ask') flag(event, 'asks');
  if (isObject(modifiedArgs) && failed === null && decision !== 'deny') event.edited = modifiedArgs;
  return withText(failed === null ? event : flag(event, 'client-error'), reason);
}

function readClientAnswer(request: string | null, { result, error }: JsonObject, failed: string | null): Event {
  const { textResultForLlm, resultType } = objectOf(result);
  const text = failed ?? stringOf(error) ?? stringOf(result) ?? stringOf(textResultForLlm);
  const blocks = text === null ? [] : blocksOf(text);
  const ok = failed === null && error === undefined && resultType !== 'failure';
  return { kind: 'client-call-answer', request, ok, blocks, text: textOfBlocks(blocks) };
}
