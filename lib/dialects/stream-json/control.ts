/** The control channel: the requests of both sides, and what the answers mean (rules F2-F4 and A2). */
import type { Cover, Decision, Event, GrantRule, Option } from '../../model/event.ts';
import { isObject } from '../../model/message.ts';
import { Recent } from '../../model/recent.ts';
import * as channel from '../common/control-channel.ts';
import {
  errorText,
  flag,
  hasOtherFields,
  hello,
  isSame,
  listOf,
  namesOf,
  objectOf,
  objectsOf,
  say,
  stringOf,
} from '../common/fields.ts';
import { questionOf } from '../common/question.ts';
import type { Json, Line } from '../dialect.ts';
import { by, type Calls } from './calls.ts';
import type { Modes } from './modes.ts';

/** What reading an answer needs from its request. */
interface Asked {
  isQuestion?: true;
  input?: unknown;
  mode?: string | null;
}

/** Tools that ask the user something. Their permission request is the question itself (rule A8). */
const QUESTIONS: ReadonlySet<unknown> = new Set(['AskUserQuestion', 'ask_user_question']);

export class Control {
  readonly #calls: Calls;
  /** Unanswered requests by frame. */
  readonly #asked = new Recent<number, Asked>();
  /** What the client has answered. */
  readonly #answered = new Recent<string, true>();

  readonly #modes: Modes;

  constructor(calls: Calls, modes: Modes) {
    this.#calls = calls;
    this.#modes = modes;
  }

  asks({ frame, value, message, pairing }: Line): Event {
    const body = objectOf(value.request);
    const id = channel.requestName(message);
    const event = frame.from === 'client' ? this.#clientAsks(frame.f, body) : this.#agentAsks(frame.f, id, body);
    return pairing?.role === 'asks-again' ? flag(event, 'resent') : event;
  }

  #clientAsks(f: number, body: Json): Event {
    switch (body.subtype) {
      case 'initialize':
        for (const name of serversOf(body.sdkMcpServers)) this.#calls.serve(name);
        return { kind: 'handshake', about: {} };
      case 'interrupt':
        return { kind: 'cancel', of: null, done: false };
      case 'set_permission_mode': {
        const mode = stringOf(body.mode);
        this.#asked.set(f, { mode });
        return { kind: 'mode', mode, done: false };
      }
      default:
        return say({ kind: 'control', name: stringOf(body.subtype) }, stringOf(body.model) ?? stringOf(body.effort));
    }
  }

  #agentAsks(f: number, id: string | null, body: Json): Event {
    switch (body.subtype) {
      case 'can_use_tool':
        if (QUESTIONS.has(body.tool_name)) return this.#question(f, id, body);
        this.#asked.set(f, { input: body.input });
        return this.#approval(id, body);
      case 'mcp_message': {
        const event = channel.clientCall(id, body);
        if (!event.tool) return event;
        event.call = this.#calls.send(stringOf(body.server_name) ?? '', event.tool);
        if (event.call !== null) event.restates = true;
        return by(event, this.#calls.subagentOf(event.call));
      }
      case 'hook_callback':
        return channel.hook(id, body);
      default:
        return { kind: 'control', name: stringOf(body.subtype) };
    }
  }

  /** The answer is the input of the tool, with the answers. */
  #question(f: number, request: string | null, { tool_name, tool_use_id, tool_call_id, input }: Json): Event {
    this.#asked.set(f, { isQuestion: true });
    const call = stringOf(tool_use_id) ?? stringOf(tool_call_id);
    const questions = listOf(objectOf(input).questions).map(questionOf);
    const event: Event = { kind: 'question', request, call, tool: stringOf(tool_name), questions };
    return by(say(event, questions.map(({ text }) => text).join('\n')), this.#calls.subagentOf(call));
  }

  #approval(request: string | null, body: Json): Event {
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
      options: suggestions.map(option),
      displays: channel.displaysOf(body.input),
    };
    const subagent = this.#calls.subagentOf(call);
    if (subagent === null && typeof body.agent_id === 'string') event.subagent = body.agent_id;
    return by(event, subagent);
  }

  answers(line: Line): Event[] {
    const event = this.#answer(line);
    if (event.kind === 'mode' && event.done) this.#modes.current = event.mode ?? this.#modes.current;
    if (event.kind !== 'approval-answer' || event.decision !== 'allow-always') return [event];
    // The answer may also change the mode, which the agent confirms later, if at all.
    return [event, ...this.#modes.told(modeIn(objectOf(line.message.body)))];
  }

  #answer({ frame, message, pairing }: Line): Event {
    const response = objectOf(message.body);
    const id = channel.requestName(message);
    const exchange = pairing?.exchange;
    // Claude repeats the client's answers with --replay-user-messages.
    if (!exchange && frame.from === 'agent' && id !== null && this.#answered.has(id))
      return { kind: 'status', name: 'control_response', restates: true };
    if (!exchange) return flag(orphan(id, response, frame.from), 'orphan', ...(id === null ? ['no-request-id'] : []));
    const asked = this.#asked.get(exchange.askedF) ?? {};
    this.#asked.delete(exchange.askedF);
    if (exchange.asker === 'agent' && id !== null) this.#answered.set(id, true);
    const event =
      exchange.asker === 'client'
        ? agentAnswers(exchange.method, response, asked)
        : clientAnswers(exchange.method, id, response, asked);
    return pairing.role === 'duplicate' ? flag(event, 'dup') : event;
  }
}

function agentAnswers(method: string, response: Json, { mode = null }: Asked): Event {
  const done = response.subtype === 'success';
  const body = objectOf(response.response);
  const error = done ? null : errorText(response.error);
  if (method === 'initialize') return say(hello(done ? introduction(body) : {}), error);
  if (method === 'interrupt') return say({ kind: 'cancel', of: null, done }, error);
  if (method === 'set_permission_mode') return say({ kind: 'mode', mode: stringOf(body.mode) ?? mode, done }, error);
  return say({ kind: 'control', name: method }, error);
}

function clientAnswers(method: string, id: string | null, response: Json, asked: Asked): Event {
  const error = response.subtype === 'error' ? (response.error ?? '') : undefined;
  if (asked.isQuestion) return channel.questionAnswer(id, response);
  if (method === 'can_use_tool') return approvalAnswer(id, response, asked.input);
  if (method === 'mcp_message') return channel.clientCallAnswer(id, objectOf(response.response).mcp_response, error);
  if (method === 'hook_callback') return channel.hookAnswer(id, objectOf(response.response), error);
  return say({ kind: 'control', name: method }, errorText(error));
}

/** An answer that matches no request, read by its shape. */
function orphan(id: string | null, response: Json, from: 'client' | 'agent'): Event {
  const body = objectOf(response.response);
  if (from === 'client' && 'behavior' in body) return approvalAnswer(id, response, undefined);
  if (from === 'client' && 'mcp_response' in body) return channel.clientCallAnswer(id, body.mcp_response, undefined);
  const isError = response.subtype === 'error';
  if (from === 'agent' && isError) return say({ kind: 'error', code: null }, errorText(response.error));
  return say({ kind: 'control', name: null }, isError ? errorText(response.error) : null);
}

function approvalAnswer(id: string | null, response: Json, input: unknown): Event {
  const decide = (body: Json) => (body.behavior === 'allow' ? allows(body) : null);
  const event = channel.approvalAnswer(id, response, response.response, decide);
  const { updatedInput } = objectOf(response.response);
  if (event.decision === 'allow-always') event.covers = coverOf(objectOf(response.response).updatedPermissions);
  const edits = isObject(updatedInput) && input !== undefined && !isSame(updatedInput, input);
  if (!edits || event.decision === null || event.decision === 'deny') return event;
  event.edited = updatedInput;
  return hasOtherFields(input, updatedInput) ? flag(event, 'edited') : event;
}

/** Claude's clients may add rules that make it a standing grant. */
function allows({ updatedPermissions }: Json): Decision {
  const grants = updatesIn(updatedPermissions).some(isGrant);
  return grants ? 'allow-always' : 'allow';
}

const updatesIn = (updatedPermissions: unknown) => listOf(updatedPermissions).map(objectOf);

/** The mode that an answer sets. */
function modeIn(response: Json): string | null {
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

function ruleOf({ toolName, ruleContent }: Json): GrantRule {
  return { tool: stringOf(toolName), pattern: stringOf(ruleContent) };
}

function isGrant({ type, behavior }: Json): boolean {
  return type === 'setMode' || type === 'addDirectories' || (behavior === 'allow' && type !== 'removeRules');
}

function option(suggestion: Json): Option {
  const { type, label, behavior } = suggestion;
  const id = stringOf(type) ?? '';
  const decision =
    id === 'allow' || id === 'deny' ? id : behavior === 'allow' && isGrant(suggestion) ? 'allow-always' : null;
  return { id, decision, label: stringOf(label) };
}

function introduction({ session_id, capabilities, commands }: Json) {
  return { session: stringOf(session_id), capabilities, commands: Array.isArray(commands) ? namesOf(commands) : null };
}

/** qwen uses an object with the names as keys, Claude a list of names. */
function serversOf(servers: unknown): string[] {
  return isObject(servers) ? Object.keys(servers) : namesOf(servers);
}
