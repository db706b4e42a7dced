/** The control channel: the requests of both sides, and what the answers mean (rules F2-F4 and A2). */
import type { Cover, Decision, Event, GrantRule, Option } from '../../model/event.ts';
import { LimitedMap } from '../../model/limited-map.ts';
import { isObject } from '../../model/message.ts';
import * as channel from '../common/control-channel.ts';
import {
  errorText,
  flag,
  handshakeEvent,
  hasOtherFields,
  isSame,
  listOf,
  namesOf,
  objectOf,
  objectsOf,
  stringOf,
  withText,
} from '../common/fields.ts';
import { questionOf } from '../common/question.ts';
import type { DialectLine, JsonObject } from '../dialect.ts';
import { bySubagent, type StreamCalls } from './calls.ts';
import type { StreamModes } from './modes.ts';

/** What reading an answer needs from its request. */
interface ControlRequest {
  isQuestion?: true;
  input?: unknown;
  mode?: string | null;
}

/** Tools that ask the user something. Their permission request is the question itself (rule A8). */
const QUESTIONS: ReadonlySet<unknown> = new Set(['AskUserQuestion', 'ask_user_question']);

export class ControlReader {
  readonly #calls: StreamCalls;
  /** Unanswered requests by frame. */
  readonly #requests = new LimitedMap<number, ControlRequest>();
  /** What the client has answered. */
  readonly #answered = new LimitedMap<string, true>();

  readonly #modes: StreamModes;

  constructor(calls: StreamCalls, modes: StreamModes) {
    this.#calls = calls;
    this.#modes = modes;
  }

  readRequest({ frame, value, message, pairing }: DialectLine): Event {
    const body = objectOf(value.request);
    const id = channel.requestName(message);
    const event =
      frame.from === 'client' ? this.#readClientRequest(frame.f, body) : this.#readAgentRequest(frame.f, id, body);
    return pairing?.role === 'asks-again' ? flag(event, 'resent') : event;
  }

  #readClientRequest(f: number, body: JsonObject): Event {
    switch (body.subtype) {
      case 'initialize':
        for (const name of serversOf(body.sdkMcpServers)) this.#calls.serve(name);
        return { kind: 'handshake', about: {} };
      case 'interrupt':
        return { kind: 'cancel', of: null, done: false };
      case 'set_permission_mode': {
        const mode = stringOf(body.mode);
        this.#requests.set(f, { mode });
        return { kind: 'mode', mode, done: false };
      }
      default:
        return withText(
          { kind: 'control', name: stringOf(body.subtype) },
          stringOf(body.model) ?? stringOf(body.effort),
        );
    }
  }

  #readAgentRequest(f: number, id: string | null, body: JsonObject): Event {
    switch (body.subtype) {
      case 'can_use_tool':
        if (QUESTIONS.has(body.tool_name)) return this.#readQuestion(f, id, body);
        this.#requests.set(f, { input: body.input });
        return this.#readApproval(id, body);
      case 'mcp_message': {
        const event = channel.readClientCall(id, body);
        if (!event.tool) return event;
        event.call = this.#calls.send(stringOf(body.server_name) ?? '', event.tool);
        if (event.call !== null) event.restates = true;
        return bySubagent(event, this.#calls.subagentOf(event.call));
      }
      case 'hook_callback':
        return channel.readHook(id, body);
      default:
        return { kind: 'control', name: stringOf(body.subtype) };
    }
  }

  /** The answer is the input of the tool, with the answers. */
  #readQuestion(f: number, request: string | null, { tool_name, tool_use_id, tool_call_id, input }: JsonObject): Event {
    this.#requests.set(f, { isQuestion: true });
    const call = stringOf(tool_use_id) ?? stringOf(tool_call_id);
    const questions = listOf(objectOf(input).questions).map(questionOf);
    const event: Event = { kind: 'question', request, call, tool: stringOf(tool_name), questions };
    return bySubagent(withText(event, questions.map(({ text }) => text).join('\n')), this.#calls.subagentOf(call));
  }

  #readApproval(request: string | null, body: JsonObject): Event {
    const call = stringOf(body.tool_use_id) ?? stringOf(body.tool_call_id);
    const suggestions = listOf(body.permission_suggestions).map(objectOf);
    const allow = suggestions.find(({ type }) => type === 'allow');
    const description = stringOf(body.title) ?? stringOf(body.description) ?? stringOf(body.decision_reason);
    const event: Event = {
      kind: 'approval',
      request,
      call,
      tool: stringOf(body.tool_name),
      action: null,
      description: description ?? stringOf(allow?.description),
      arguments: body.input,
      options: suggestions.map(readOption),
      displays: channel.displaysOf(body.input),
    };
    const subagent = this.#calls.subagentOf(call);
    if (subagent === null && typeof body.agent_id === 'string') event.subagent = body.agent_id;
    return bySubagent(event, subagent);
  }

  readAnswers(line: DialectLine): Event[] {
    const event = this.#readAnswer(line);
    if (event.kind === 'mode' && event.done) this.#modes.current = event.mode ?? this.#modes.current;
    if (event.kind !== 'approval-answer' || event.decision === null || event.decision === 'deny') return [event];
    // The answer may also change the mode, which the agent confirms later, if at all.
    return [event, ...this.#modes.changeTo(modeIn(objectOf(line.message.body)))];
  }

  #readAnswer({ frame, message, pairing }: DialectLine): Event {
    const response = objectOf(message.body);
    const id = channel.requestName(message);
    const exchange = pairing?.exchange;
    // Claude repeats the client's answers with --replay-user-messages.
    if (!exchange && frame.from === 'agent' && id !== null && this.#answered.has(id))
      return { kind: 'status', name: 'control_response', restates: true };
    if (!exchange)
      return flag(readOrphan(id, response, frame.from), 'orphan', ...(id === null ? ['no-request-id'] : []));
    const request = this.#requests.get(exchange.askedF) ?? {};
    this.#requests.delete(exchange.askedF);
    if (exchange.asker === 'agent' && id !== null) this.#answered.set(id, true);
    const event =
      exchange.asker === 'client'
        ? readAgentAnswer(exchange.method, response, request)
        : readClientAnswer(exchange.method, id, response, request);
    return pairing.role === 'duplicate' ? flag(event, 'dup') : event;
  }
}

function readAgentAnswer(method: string, response: JsonObject, { mode = null }: ControlRequest): Event {
  const done = response.subtype === 'success';
  const body = objectOf(response.response);
  const error = done ? null : errorText(response.error);
  if (method === 'initialize') return withText(handshakeEvent(done ? readIntroduction(body) : {}), error);
  if (method === 'interrupt') return withText({ kind: 'cancel', of: null, done }, error);
  if (method === 'set_permission_mode')
    return withText({ kind: 'mode', mode: stringOf(body.mode) ?? mode, done }, error);
  return withText({ kind: 'control', name: method }, error);
}

function readClientAnswer(method: string, id: string | null, response: JsonObject, request: ControlRequest): Event {
  const error = response.subtype === 'error' ? (response.error ?? '') : undefined;
  if (request.isQuestion) return channel.readQuestionAnswer(id, response);
  if (method === 'can_use_tool') return readApprovalAnswer(id, response, request.input);
  if (method === 'mcp_message')
    return channel.readClientCallAnswer(id, objectOf(response.response).mcp_response, error);
  if (method === 'hook_callback') return channel.readHookAnswer(id, objectOf(response.response), error);
  return withText({ kind: 'control', name: method }, errorText(error));
}

/** An answer that matches no request, read by its shape. */
function readOrphan(id: string | null, response: JsonObject, from: 'client' | 'agent'): Event {
  const body = objectOf(response.response);
  if (from === 'client' && 'behavior' in body) return readApprovalAnswer(id, response, undefined);
  if (from === 'client' && 'mcp_response' in body)
    return channel.readClientCallAnswer(id, body.mcp_response, undefined);
  const isError = response.subtype === 'error';
  if (from === 'agent' && isError) return withText({ kind: 'error', code: null }, errorText(response.error));
  return withText({ kind: 'control', name: null }, isError ? errorText(response.error) : null);
}

function readApprovalAnswer(id: string | null, response: JsonObject, input: unknown): Event {
  const decide = (body: JsonObject) => (body.behavior === 'allow' ? decideGrant(body) : null);
  const event = channel.readApprovalAnswer(id, response, response.response, decide);
  const { updatedInput } = objectOf(response.response);
  if (event.decision === 'allow-always') event.covers = coverOf(objectOf(response.response).updatedPermissions);
  const edits = isObject(updatedInput) && input !== undefined && !isSame(updatedInput, input);
  if (!edits || event.decision === null || event.decision === 'deny') return event;
  event.edited = updatedInput;
  return hasOtherFields(input, updatedInput) ? flag(event, 'edited') : event;
}

/** Claude's clients may add rules that make it a standing grant. */
function decideGrant({ updatedPermissions }: JsonObject): Decision {
  const grants = updatesIn(updatedPermissions).some(isGrant);
  return grants ? 'allow-always' : 'allow';
}

const updatesIn = (updatedPermissions: unknown) => listOf(updatedPermissions).map(objectOf);

/** The mode that an answer sets. */
function modeIn(response: JsonObject): string | null {
  const updates = updatesIn(objectOf(response.response).updatedPermissions);
  return stringOf(updates.findLast(({ type }) => type === 'setMode')?.mode);
}

/** What an answer grants: its rules, and folders and a mode besides. */
function coverOf(updatedPermissions: unknown): Cover {
  const granted = updatesIn(updatedPermissions).filter(isGrant);
  const rules = granted.flatMap((update) => objectsOf(update.rules)).map(ruleOf);
  const more = granted.flatMap(({ type, directories, mode }) =>
    type === 'setMode' ? [`mode ${stringOf(mode) ?? ''}`] : namesOf(directories).map((folder) => `folder ${folder}`),
  );
  return { is: 'rules', rules, more };
}

function ruleOf({ toolName, ruleContent }: JsonObject): GrantRule {
  return { tool: stringOf(toolName), pattern: stringOf(ruleContent) };
}

/** Modes in which every call that writes or runs something is asked about, or refused: to set one grants nothing. */
const STRICT_MODES: ReadonlySet<unknown> = new Set(['default', 'plan', 'dontAsk']);

function isGrant({ type, behavior, mode }: JsonObject): boolean {
  if (type === 'setMode') return !STRICT_MODES.has(mode);
  return type === 'addDirectories' || (behavior === 'allow' && type !== 'removeRules');
}

function readOption(suggestion: JsonObject): Option {
  const { type, label, behavior } = suggestion;
  const id = stringOf(type) ?? '';
  const decision =
    id === 'allow' || id === 'deny' ? id : behavior === 'allow' && isGrant(suggestion) ? 'allow-always' : null;
  return { id, decision, label: stringOf(label) };
}

function readIntroduction({ session_id, capabilities, commands }: JsonObject) {
  return { session: stringOf(session_id), capabilities, commands: Array.isArray(commands) ? namesOf(commands) : null };
}

/** qwen uses an object with the names as keys, Claude a list of names. */
function serversOf(servers: unknown): string[] {
  return isObject(servers) ? Object.keys(servers) : namesOf(servers);
}
