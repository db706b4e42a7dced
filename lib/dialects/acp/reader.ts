/** Reads the lines of an ACP process, in the version of the protocol that both sides agree on. */
import type { Event, Option } from '../../model/event.ts';
import { LimitedMap } from '../../model/limited-map.ts';
import { addUsage, noUsage, subtractUsage } from '../../model/timeline/entries.ts';
import { blocksOf, textOfBlocks } from '../common/content.ts';
import { readElicitation, readElicitationAnswer } from '../common/elicitation.ts';
import { errorText, idText, isAbsent, numberOf, objectOf, stringOf, withText } from '../common/fields.ts';
import { flagAll, flagRole, readStray } from '../common/stray.ts';
import type { DialectLine, DialectReader, JsonObject } from '../dialect.ts';
import { readApproval, readApprovalAnswer } from './approval.ts';
import { readClientCall, readClientCallAnswer } from './client-call.ts';
import type { AcpConversation } from './conversation.ts';
import { AcpConversationV1 } from './conversation-v1.ts';
import { AcpConversationV2 } from './conversation-v2.ts';
import { ALLOW_ALL, isOn, modeName, modeOf, readHandshake, readHandshakeAnswer } from './handshake.ts';
import { optionsOf } from './options.ts';
import { readUpdate } from './updates.ts';
import { readUpdateV2 } from './updates-v2.ts';

const HANDSHAKES = new Set([
  ...['initialize', 'authenticate', 'auth/login', 'session/new', 'session/load', 'session/resume'],
]);
/** Methods that steer the connection or a session, and say nothing in it. */
const CONTROLS = new Set(['logout', 'auth/logout', 'tool_call/cancel', 'terminal/cancel']);
/** A successful answer means that the session exists. */
const OPENERS = new Set(['session/new', 'session/load', 'session/resume', 'session/fork']);
/** Errors that reject a prompt as invalid, so it never became a turn. */
const REFUSALS = new Set([-32700, -32600, -32601, -32602]);

/** Updates that ACP 1 does not have. */
const ONLY_IN_VERSION_2 = new Set<unknown>([
  ...['state_update', 'user_message', 'agent_message', 'agent_thought', 'terminal_update', 'terminal_output_chunk'],
]);

/** How many sessions of one process are remembered. */
const MAX_SESSIONS = 1000;

export class AcpReader implements DialectReader {
  readonly #conversations = new LimitedMap<string, AcpConversation>(MAX_SESSIONS);
  /** What reading an answer needs from its request, by the frame that asked: the session, a mode, the options. */
  readonly #sessions = new LimitedMap<number, string>();
  readonly #modes = new LimitedMap<number, string | null>();
  readonly #options = new LimitedMap<number, Option[]>();
  /** The tokens of all sessions. */
  #used = noUsage();
  #isVersion2 = false;
  /** The handshake is on the tape. Otherwise, what only ACP 2 has shows the version. */
  #isNegotiated = false;

  read(line: DialectLine): Event[] {
    const stray = readStray(line);
    if (stray) return stray;
    const { envelope, method } = line.message;
    if (envelope === 'response' || envelope === 'error') return flagRole(this.#readAnswer(line), line);
    const params = objectOf(line.message.body);
    const events =
      line.frame.from === 'client' ? [this.#readClient(line, method!, params)] : this.#readAgent(line, method!, params);
    return flagRole(events, line);
  }

  #readClient(line: DialectLine, method: string, params: JsonObject): Event {
    const session = stringOf(params.sessionId);
    const { f } = line.frame;
    const asks = line.pairing?.role === 'asks';
    if (asks && session !== null && method.startsWith('session/')) this.#sessions.set(f, session);
    if (HANDSHAKES.has(method)) {
      if (asks && repeatsHistory(method, params)) this.#conversation(session).loads(f);
      return readHandshake(method, params);
    }
    switch (method) {
      case 'session/prompt':
        return this.#readPrompt(line, params);
      case 'session/cancel':
        return this.#within({ kind: 'cancel', of: null, done: false }, session);
      case '$/cancel_request':
        return { kind: 'cancel', of: idText(params.requestId), done: false };
      case 'session/set_mode':
        return this.#readMode(f, session, modeName(params.modeId));
      case 'session/set_config_option':
        if (params.configId === 'mode') return this.#readMode(f, session, modeName(params.value));
        if (params.configId === ALLOW_ALL) return this.#readMode(f, session, isOn(params.value) ? ALLOW_ALL : null);
        return { kind: 'control', name: method };
    }
    if (method === 'tool_call/cancel' || method === 'terminal/cancel')
      return withText({ kind: 'control', name: method }, stringOf(params.toolCallId) ?? stringOf(params.terminalId));
    return { kind: isControl(method) ? 'control' : 'other', name: method };
  }

  #readPrompt({ frame, pairing }: DialectLine, params: JsonObject): Event {
    const blocks = blocksOf(params.prompt);
    const event: Event = { kind: 'prompt', blocks, text: textOfBlocks(blocks) };
    if (pairing?.role === 'asks') this.#conversation(params.sessionId).asks(frame.f);
    return pairing?.role === 'asks-again' ? { ...event, restates: true } : event;
  }

  #readMode(f: number, session: string | null, mode: string | null): Event {
    this.#modes.set(f, mode);
    this.#conversation(session).requestedMode = mode;
    return { kind: 'mode', mode, done: false };
  }

  #readAgent(line: DialectLine, method: string, params: JsonObject): Event[] {
    if (typeof params.sessionId !== 'string') return this.#readMessage(line, method, params, this.#conversation(null));
    const isUpdate = method === 'session/update';
    const type = isUpdate ? objectOf(params.update).sessionUpdate : null;
    if (!this.#isNegotiated && ONLY_IN_VERSION_2.has(type)) this.#useVersion2(params.sessionId);
    const conversation = this.#conversation(params.sessionId);
    // The state after the history is not part of it.
    if (conversation.replaying && type !== 'state_update')
      return flagAll(this.#readMessage(line, method, params, conversation), 'replayed');
    const late = type === 'usage_update' ? conversation.speaksLate() : null;
    const takes =
      late === null && (isUpdate || line.message.envelope === 'request') ? conversation.speaks() : undefined;
    const events = this.#readMessage(line, method, params, conversation);
    if (takes !== undefined) events[0]!.takes = takes;
    conversation.steps(events);
    if (late === null) {
      for (const event of events) if (event.within === undefined) this.#within(event, params.sessionId);
      return events;
    }
    events[0]!.within = late;
    conversation.tally.level = null;
    return events;
  }

  #readMessage(line: DialectLine, method: string, params: JsonObject, conversation: AcpConversation): Event[] {
    switch (method) {
      case 'session/update':
        return conversation instanceof AcpConversationV2
          ? readUpdateV2(objectOf(params.update), conversation, line.frame.f)
          : readUpdate(objectOf(params.update), conversation);
      case 'session/request_permission': {
        const options = optionsOf(params);
        this.#options.set(line.frame.f, options);
        return readApproval(params, options, conversation.calls);
      }
      case 'elicitation/create':
        return [readElicitation(params)];
      case 'elicitation/complete':
        return [{ kind: 'status', name: method }];
      case '$/cancel_request':
        return [{ kind: 'cancel', of: idText(params.requestId), done: false }];
    }
    if (isClientCall(method)) return [readClientCall(method, params)];
    if (method.startsWith('craft/')) return [{ kind: 'control', name: method }];
    if (method === '_auth/status_update')
      return [withText({ kind: 'status', name: method }, stringOf(objectOf(params.authStatus).label))];
    if (!method.startsWith('qwen/notify/')) return [{ kind: 'other', name: method }];
    const text = stringOf(params.suggestion) ?? stringOf(params.message);
    return [withText({ kind: 'notice', name: method }, text)];
  }

  #readAnswer(line: DialectLine): Event[] {
    const { asker, method, askedF } = line.pairing!.exchange!;
    if (asker === 'agent') return [this.#readClientAnswer(line, method, askedF)];
    if (method === 'session/prompt') return this.#readPromptAnswer(line, askedF);
    const session = this.#sessions.get(askedF) ?? null;
    const result = objectOf(line.message.body);
    const ok = line.message.envelope === 'response';
    if (method === 'initialize' && ok) this.#negotiated(result.protocolVersion);
    if (method === 'session/load' || method === 'session/resume') this.#conversation(session).loaded(askedF);
    if (OPENERS.has(method) && ok) this.#conversation(result.sessionId ?? session).opensWith(result);
    if (HANDSHAKES.has(method)) return [readHandshakeAnswer(line, session)];
    const error = ok ? {} : { text: errorText(line.message.body) ?? '' };
    if (this.#modes.has(askedF)) {
      const mode = modeOf(result) ?? this.#modes.get(askedF)!;
      const conversation = this.#conversation(session);
      conversation.requestedMode = null;
      if (ok) conversation.mode = mode;
      return [{ kind: 'mode', mode, done: ok, ...error }];
    }
    if (method === 'session/cancel') return [{ kind: 'cancel', of: null, done: ok, ...error }];
    return [{ kind: isControl(method) ? 'control' : 'other', name: method, ...error }];
  }

  #readPromptAnswer({ message }: DialectLine, askedF: number): Event[] {
    const conversation = this.#conversation(this.#sessions.get(askedF));
    const ok = message.envelope !== 'error';
    const result = objectOf(message.body);
    const code = ok ? null : message.code;
    const refused = !ok && (!conversation.opened || (code !== null && REFUSALS.has(code)));
    const text = ok ? '' : (errorText(message.body) ?? '');
    const events: Event[] = [conversation.answers(askedF, { ok, result, code, text, refused })];
    if (!ok) return events;
    const usage = this.#usage(result, conversation);
    return usage ? [...events, usage] : events;
  }

  /** The sum of the process, which is that of its sessions. What is known of an earlier turn may change it. */
  #usage(result: JsonObject, { tally }: AcpConversation): Event | null {
    const before = tally.sum;
    const ofTurn = tally.answer(result);
    if (!ofTurn) return null;
    const sum = { ...this.#used };
    addUsage(sum, tally.sum);
    this.#used = subtractUsage(sum, before);
    return { kind: 'usage', usage: this.#used, total: true, ofTurn, context: null };
  }

  #readClientAnswer(line: DialectLine, method: string, askedF: number): Event {
    if (method === 'session/request_permission') return readApprovalAnswer(line, this.#options.get(askedF) ?? []);
    if (method === 'elicitation/create') return readElicitationAnswer(line);
    if (isClientCall(method)) return readClientCallAnswer(line);
    const error = line.message.envelope === 'error' ? { text: errorText(line.message.body) ?? '' } : {};
    return { kind: method.startsWith('craft/') ? 'control' : 'other', name: method, ...error };
  }

  /** Names the turn of an event if several are open. */
  #within(event: Event, session: string | null): Event {
    if (this.#conversations.size < 2) return event;
    const prompt = this.#conversation(session).prompt;
    let open = 0;
    for (const conversation of this.#conversations.values()) if (conversation.prompt !== undefined) open += 1;
    if (open > 1 && prompt !== undefined) event.within = prompt;
    return event;
  }

  #negotiated(version: unknown): void {
    this.#isNegotiated = true;
    this.#isVersion2 = (numberOf(version) ?? 1) >= 2;
  }

  #useVersion2(session: unknown): void {
    this.#isNegotiated = true;
    this.#isVersion2 = true;
    const waiting = this.#conversations.get(stringOf(session) ?? '')?.prompt;
    this.#conversations.clear();
    if (waiting !== undefined) this.#conversation(session).asks(waiting);
  }

  #conversation(session: unknown): AcpConversation {
    const id = stringOf(session) ?? '';
    const known = this.#conversations.get(id);
    if (known) return known;
    const conversation = this.#isVersion2 ? new AcpConversationV2() : new AcpConversationV1();
    this.#conversations.set(id, conversation);
    return conversation;
  }
}

function isControl(method: string): boolean {
  return method.startsWith('session/') || CONTROLS.has(method);
}

/** The agent sends the history again before it answers. In ACP 2, only if it is told where to begin. */
function repeatsHistory(method: string, { replayFrom }: JsonObject): boolean {
  return method === 'session/load' || (method === 'session/resume' && !isAbsent(replayFrom));
}

function isClientCall(method: string): boolean {
  return method.startsWith('fs/') || method.startsWith('terminal/');
}
