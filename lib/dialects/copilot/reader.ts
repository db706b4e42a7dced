/**
 * Reads the lines of the Copilot SDK. A prompt is taken up by the `user.message` that repeats it, and its turn ends when
 * the session is idle (rules T1 and T2). Subagents have ids of their own in the events of the same session.
 */
import type { Event } from '../../model/event.ts';
import { LimitedMap } from '../../model/limited-map.ts';
import { errorText, flag, handshakeEvent, objectOf, partyOf, stringOf, withText } from '../common/fields.ts';
import { flagRole, readStray } from '../common/stray.ts';
import type { DialectLine, DialectReader, JsonObject } from '../dialect.ts';
import { decisionOf, eventIn, readAnswer, readRequest } from './asks.ts';
import { readContextUsage, readEvent, StreamedMessages } from './events.ts';
import { CopilotSessions } from './sessions.ts';

const HANDSHAKES = new Set(['connect', 'session.create', 'session.resume']);
const PROMPTS = new Set(['session.send', 'session.sendMessages']);
const CANCELS = new Set(['session.abort', 'session.interruptMainTurn']);
/** Requests of the agent, besides the events that ask. */
const ASKS = new Set([
  ...['permission.request', 'userInput.request', 'exitPlanMode.request', 'hooks.invoke', 'tool.call'],
  ...['autoModeSwitch.request', 'systemMessage.transform'],
]);

export class CopilotReader implements DialectReader {
  readonly #sessions = new CopilotSessions();
  readonly #streamed = new StreamedMessages();
  /** Calls that a hook of the client let pass. */
  readonly #byHook = new LimitedMap<string, true>();

  read(line: DialectLine): Event[] {
    const stray = readStray(line);
    if (stray) return stray;
    const { envelope, method } = line.message;
    if (envelope === 'response' || envelope === 'error') return flagRole(this.#readAnswer(line), line);
    const params = objectOf(line.message.body);
    return flagRole(
      line.frame.from === 'client' ? this.#readClient(line, method!, params) : this.#readAgent(line, method!, params),
      line,
    );
  }

  #readClient({ frame, pairing }: DialectLine, method: string, params: JsonObject): Event[] {
    if (PROMPTS.has(method)) {
      const text = stringOf(params.prompt) ?? '';
      if (pairing?.role === 'asks') this.#sessions.prompted(params.sessionId, frame.f);
      const event: Event = { kind: 'prompt', blocks: [{ type: 'text', text }], text };
      return [pairing?.role === 'asks-again' ? { ...event, restates: true } : event];
    }
    if (HANDSHAKES.has(method)) return [readIntroduction(params)];
    if (CANCELS.has(method)) return [{ kind: 'cancel', of: null, done: false }];
    if (method === 'session.mode.set') return [{ kind: 'mode', mode: stringOf(params.mode), done: false }];
    return [{ kind: 'control', name: method }];
  }

  #readAnswer(line: DialectLine): Event[] {
    const { asker, method, askedF } = line.pairing!.exchange!;
    if (asker === 'agent') return [readAnswer(method, line)];
    const { envelope, body, code } = line.message;
    const failed = envelope === 'error' ? (errorText(body) ?? '') : null;
    if (PROMPTS.has(method)) {
      // It is only accepted.
      if (failed === null) return [{ kind: 'status', name: method }];
      this.#sessions.refused(askedF);
      return [{ kind: 'prompt-answer', prompt: askedF, status: 'error', code, text: failed }];
    }
    if (HANDSHAKES.has(method))
      return [withText(failed === null ? readGreeting(objectOf(body)) : handshakeEvent({}), failed)];
    if (CANCELS.has(method)) return [withText({ kind: 'cancel', of: null, done: failed === null }, failed)];
    if (method.includes('.handlePending')) return [readAcknowledgement(method, failed, code)];
    return [withText({ kind: 'control', name: method }, failed)];
  }

  #readAgent(line: DialectLine, method: string, params: JsonObject): Event[] {
    const { message } = line;
    if (message.envelope === 'request' && !message.type) {
      return [ASKS.has(method) ? readRequest(method, params) : readClientCall(method, params)];
    }
    const event = eventIn(message);
    if (typeof event.type === 'string') return this.#readEvent(event.type, event, params.sessionId);
    if (method === 'session.lifecycle') return [{ kind: 'status', name: stringOf(params.type) }];
    if (method === 'host.event') return [{ kind: 'status', name: stringOf(params.kind) }];
    return [{ kind: 'other', name: method }];
  }

  #readEvent(type: string, event: JsonObject, session: unknown): Event[] {
    const data = objectOf(event.data);
    const agent = stringOf(event.agentId);
    const events = this.#readNotification(type, data, session, agent);
    return agent === null ? events : this.#sessions.ofSubagent(events, agent, data);
  }

  #readNotification(type: string, data: JsonObject, session: unknown, agent: string | null): Event[] {
    switch (type) {
      case 'user.message':
        return [this.#readUserMessage(data, session, agent)];
      case 'session.idle':
        return agent === null ? this.#sessions.idle(session) : [{ kind: 'status', name: type }];
      case 'session.error':
        this.#sessions.failed(session, stringOf(data.message));
        return readEvent(type, data)!;
      case 'abort':
        this.#sessions.aborted(session);
        return [withText({ kind: 'cancel', of: null, done: true }, stringOf(data.reason))];
      case 'permission.requested':
        return [this.#readPermission(type, data)];
      case 'permission.completed':
        return [readResolved(data, decisionOf(stringOf(objectOf(data.result).kind)))];
      case 'exit_plan_mode.completed':
        return [readResolved(data, typeof data.approved !== 'boolean' ? null : data.approved ? 'allow' : 'deny')];
      case 'subagent.started':
        return [readSubagent(data)];
      case 'session.tools_updated':
        return [{ kind: 'status', name: type }];
      case 'tool.execution_complete':
        return [this.#readResult(data)];
      default:
        return this.#streamed.mark(data, readEvent(type, data) ?? [readPlain(type, data)]);
    }
  }

  #readUserMessage(data: JsonObject, session: unknown, agent: string | null): Event {
    const event: Event = withText({ kind: 'status', name: 'prompt', restates: true }, stringOf(data.content));
    if (agent === null) this.#sessions.takeUp(event, session);
    return event;
  }

  #readPermission(type: string, data: JsonObject): Event {
    if (data.resolvedByHook !== true) return readRequest(type, data);
    const call = stringOf(objectOf(data.permissionRequest).toolCallId);
    if (call !== null) this.#byHook.set(call, true);
    return { kind: 'status', name: type };
  }

  #readResult(data: JsonObject): Event {
    const event = readEvent('tool.execution_complete', data)![0]!;
    const isByHook = event.kind === 'tool-result' && event.call !== null && this.#byHook.has(event.call);
    if (isByHook) event.ruling = { decision: event.ok ? 'allow' : null, by: 'hook' };
    return event;
  }
}

function readIntroduction({ model, sessionId, workingDirectory, clientInfo, clientName }: JsonObject): Event {
  const name = stringOf(clientName);
  const client = partyOf(clientInfo) ?? (name === null ? null : { name, version: null });
  return handshakeEvent({
    client,
    model: stringOf(model),
    session: stringOf(sessionId),
    cwd: stringOf(workingDirectory),
  });
}

function readGreeting({ version, protocolVersion, sessionId, mode, modelState }: JsonObject): Event {
  const agent = { name: 'copilot', version: stringOf(version) };
  const protocol = typeof protocolVersion === 'number' ? String(protocolVersion) : null;
  const model = stringOf(objectOf(modelState).modelId);
  return handshakeEvent({ agent, protocol, model, session: stringOf(sessionId), mode: stringOf(mode) });
}

/** The acknowledgement of an answer matters only if the agent rejects the answer. */
function readAcknowledgement(method: string, failed: string | null, code: number | null): Event {
  return failed === null ? { kind: 'status', name: method } : { kind: 'error', code, text: failed };
}

function readClientCall(method: string, params: JsonObject): Event {
  return { kind: 'client-call', call: null, request: null, what: method, arguments: params };
}

function readResolved(data: JsonObject, decision: ReturnType<typeof decisionOf>): Event {
  const feedback = stringOf(data.feedback) ?? stringOf(objectOf(data.result).feedback);
  const event: Event = { kind: 'approval-resolved', request: stringOf(data.requestId), decision, feedback };
  return decision === null ? flag(event, 'bad-word') : event;
}

function readSubagent({ toolCallId, agentName, agentDescription, executionMode }: JsonObject): Event {
  const about = { call: stringOf(toolCallId), name: stringOf(agentName), background: executionMode === 'background' };
  return withText({ kind: 'subagent', ...about }, stringOf(agentDescription));
}

/** Events with little content, or with what other events have too. */
function readPlain(type: string, data: JsonObject): Event {
  switch (type) {
    case 'session.usage_info':
      return readContextUsage(data);
    case 'session.mode_changed':
      return { kind: 'mode', mode: stringOf(data.newMode), done: true };
    case 'session.permissions_changed':
      return { kind: 'mode', mode: stringOf(data.mode), done: true };
    case 'session.compaction_start':
      return { kind: 'compaction', done: false };
    case 'session.compaction_complete':
      return withText({ kind: 'compaction', done: true }, stringOf(data.error));
    case 'session.info':
    case 'session.warning':
      return withText({ kind: 'notice', name: type }, stringOf(data.message));
    case 'model.call_failure':
      return withText({ kind: 'notice', name: type, retry: true }, stringOf(data.errorMessage));
    case 'subagent.failed':
      return withText({ kind: 'notice', name: type }, stringOf(data.error));
    case 'session.plan_changed':
      return { kind: 'status', name: type };
    case 'model.log':
      return withText({ kind: 'log', name: stringOf(data.level) }, stringOf(data.message));
    default:
      return { kind: 'status', name: type };
  }
}
