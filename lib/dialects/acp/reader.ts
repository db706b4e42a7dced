/** Reads the lines of an ACP process. */
import type { Event, Option } from '../../model/event.ts';
import { LimitedMap } from '../../model/limited-map.ts';
import { addUsage, noUsage, subtractUsage } from '../../model/timeline/entries.ts';
import { blocksOf, textOfBlocks } from '../common/content.ts';
import { readElicitation, readElicitationAnswer } from '../common/elicitation.ts';
import { errorText, idText, objectOf, stringOf, withText } from '../common/fields.ts';
import { flagAll, flagRole, readStray } from '../common/stray.ts';
import type { DialectLine, DialectReader, JsonObject } from '../dialect.ts';
import { readApproval, readApprovalAnswer } from './approval.ts';
import { readClientCall, readClientCallAnswer } from './client-call.ts';
import { AcpConversation } from './conversation.ts';
import { ALLOW_ALL, isOn, modeName, modeOf, readHandshake, readHandshakeAnswer } from './handshake.ts';
import { optionsOf } from './options.ts';
import { readUpdate } from './updates.ts';

const HANDSHAKES = new Set(['initialize', 'authenticate', 'session/new', 'session/load', 'session/resume']);
/** A successful answer means that the session exists. */
const OPENERS = new Set(['session/new', 'session/load', 'session/resume', 'session/fork']);
/** Errors that reject a prompt as invalid, so it never became a turn. */
const REFUSALS = new Set([-32700, -32600, -32601, -32602]);

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
      if (asks && method === 'session/load') this.#conversation(session).loads(f);
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
    const known = method.startsWith('session/') || method === 'logout';
    return { kind: known ? 'control' : 'other', name: method };
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
    const conversation = this.#conversation(params.sessionId);
    const isUpdate = method === 'session/update';
    if (conversation.replaying) return flagAll(this.#readMessage(line, method, params, conversation), 'replayed');
    const late =
      isUpdate && objectOf(params.update).sessionUpdate === 'usage_update' ? conversation.speaksLate() : null;
    const takes =
      late === null && (isUpdate || line.message.envelope === 'request') ? conversation.speaks() : undefined;
    const events = this.#readMessage(line, method, params, conversation);
    if (takes !== undefined) events[0]!.takes = takes;
    conversation.steps(events);
    if (late === null) {
      for (const event of events) this.#within(event, params.sessionId);
      return events;
    }
    events[0]!.within = late;
    conversation.tally.level = null;
    return events;
  }

  #readMessage(line: DialectLine, method: string, params: JsonObject, conversation: AcpConversation): Event[] {
    switch (method) {
      case 'session/update':
        return readUpdate(objectOf(params.update), conversation);
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
    if (method === 'session/load') this.#conversation(session).loaded(askedF);
    if (OPENERS.has(method) && ok) {
      const conversation = this.#conversation(result.sessionId ?? session);
      conversation.opened = true;
      conversation.mode = modeOf(result) ?? conversation.mode;
    }
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
    const known = method.startsWith('session/') || method === 'logout';
    return [{ kind: known ? 'control' : 'other', name: method, ...error }];
  }

  #readPromptAnswer({ message }: DialectLine, askedF: number): Event[] {
    const conversation = this.#conversation(this.#sessions.get(askedF));
    const { code } = message;
    if (message.envelope === 'error') {
      const takes = conversation.answers(askedF, !conversation.opened || (code !== null && REFUSALS.has(code)));
      const text = errorText(message.body) ?? '';
      const answer: Event = { kind: 'prompt-answer', prompt: askedF, status: 'error', code, text };
      return [takes === undefined ? answer : { ...answer, takes }];
    }
    const result = objectOf(message.body);
    const takes = conversation.answers(askedF, false);
    const answer: Event = { kind: 'prompt-answer', prompt: askedF, status: stringOf(result.stopReason) ?? '', code };
    const events: Event[] = [takes === undefined ? answer : { ...answer, takes }];
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

  #conversation(session: unknown): AcpConversation {
    const id = stringOf(session) ?? '';
    const known = this.#conversations.get(id);
    if (known) return known;
    const conversation = new AcpConversation();
    this.#conversations.set(id, conversation);
    return conversation;
  }
}

function isClientCall(method: string): boolean {
  return method.startsWith('fs/') || method.startsWith('terminal/');
}
