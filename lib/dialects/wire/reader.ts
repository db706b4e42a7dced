/**
 * Reads a Wire session of 0.59 and later, or of 0.46-0.58. It knows the names of both: a name of the other one is
 * interpreted and flagged `foreign`. Keeps track of waiting prompts, a replay in progress, open requests, and which
 * agent made which call.
 */
import type { Event } from '../../model/event.ts';
import { LimitedMap } from '../../model/limited-map.ts';
import { type Message, textOf } from '../../model/message.ts';
import { flag, objectOf, stringOf } from '../common/fields.ts';
import type { DialectLine, DialectReader, JsonObject } from '../dialect.ts';
import { kindByShape, readAnswer } from './answers.ts';
import {
  EVENTS,
  LEGACY_EVENTS,
  type ReadWireEvent,
  SUBAGENT_TYPES,
  type WireEventContext,
  type WireSpeaker,
} from './events.ts';
import { isInput, LEGACY_METHODS, METHODS, runInput, withErrorText } from './methods.ts';
import { LEGACY_APPROVAL, REQUESTS } from './requests.ts';
import { type SentRequest, SentRequests } from './sent-requests.ts';
import { WireTurns } from './turns.ts';

interface SubagentOrigin {
  subagent: string;
  parent: string | null;
}

export class WireReader implements DialectReader {
  readonly #isLegacy: boolean;
  readonly #turns = new WireTurns();
  readonly #requests = new SentRequests();
  /** The subagent that made an open call, because requests do not always name it. */
  readonly #callers = new LimitedMap<string, SubagentOrigin>();
  readonly #speakers = new LimitedMap<string, WireSpeaker>();
  readonly #context: WireEventContext;
  #main: WireSpeaker = newSpeaker();
  /** The type of the latest event, and who reads it. */
  #type: unknown;
  #read: ReadWireEvent | undefined;
  /** The frame of the client's `replay`, until it is answered. */
  #replay: number | null = null;

  constructor(isLegacy: boolean) {
    this.#isLegacy = isLegacy;
    this.#context = {
      speaker: this.#main,
      isMain: true,
      isReplayed: false,
      isLegacy,
      turns: this.#turns,
      requests: this.#requests,
    };
  }

  read(line: DialectLine): Event[] {
    const { message, frame } = line;
    const isAgent = frame.from === 'agent';
    this.#turns.at(frame.f, isAgent);
    switch (message.envelope) {
      case 'notification':
      case 'request':
        return isAgent ? this.#readAgentMessage(line) : [this.#readClientRequest(line)];
      case 'response':
      case 'error':
        return [isAgent ? this.#readAgentAnswer(line) : this.#readClientAnswer(line)];
      case 'none':
        return [{ kind: 'noise', name: null, text: textOf(frame.raw) ?? '', flags: ['invalid'] }];
    }
  }

  #readAgentMessage(line: DialectLine): Event[] {
    const { message } = line;
    const { type, payload } = objectOf(message.body);
    const isRequest = message.method === 'request';
    if (!isRequest && message.method !== 'event') return [otherEvent(message.method)];
    const events = isRequest ? [this.#readRequest(line, type, objectOf(payload))] : this.#readEvent(type, payload);
    if (this.#replay !== null) for (const event of events) flag(event, 'replayed');
    return events;
  }

  #readEvent(type: unknown, payload: unknown): Event[] {
    const context = this.#context;
    context.isReplayed = this.#replay !== null;
    context.speaker = this.#main;
    context.isMain = true;
    // Most events are of the type of the one before.
    if (type !== this.#type) {
      this.#type = type;
      this.#read = (this.#isLegacy ? LEGACY_EVENTS : EVENTS).get(type);
    }
    if (this.#read) return [this.#read(objectOf(payload), context)];
    return SUBAGENT_TYPES.has(type) ? this.#readSubagentEvent(type, payload) : [this.#readForeign(type, payload)];
  }

  /** An event inside an event, on several levels if a subagent starts another. */
  #readSubagentEvent(type: unknown, payload: unknown): Event[] {
    const events: Event[] = [];
    let inner = { type, payload } as JsonObject;
    let origin: SubagentOrigin | null = null;
    while (SUBAGENT_TYPES.has(inner.type)) {
      const { parent_tool_call_id, task_tool_call_id, agent_id, subagent_type, event } = objectOf(inner.payload);
      const parent = stringOf(parent_tool_call_id) ?? stringOf(task_tool_call_id);
      origin = { subagent: stringOf(agent_id) ?? parent ?? '?', parent };
      const announcement: Event = { kind: 'subagent', call: parent, name: stringOf(subagent_type), background: false };
      if ((inner.type === 'subagent_event') !== this.#isLegacy) flag(announcement, 'foreign');
      events.push(fromSubagent(announcement, origin));
      inner = objectOf(event);
    }
    this.#context.speaker = this.#speaker(origin!.subagent);
    this.#context.isMain = false;
    const read = (this.#isLegacy ? LEGACY_EVENTS : EVENTS).get(inner.type);
    const event = read ? read(objectOf(inner.payload), this.#context) : this.#readForeign(inner.type, inner.payload);
    if (event.kind === 'tool-call' && event.call !== null) this.#callers.set(event.call, origin!);
    if (event.kind === 'tool-result' && event.call !== null) this.#callers.delete(event.call);
    events.push(fromSubagent(event, origin!));
    return events;
  }

  #readForeign(type: unknown, payload: unknown): Event {
    const read = (this.#isLegacy ? EVENTS : LEGACY_EVENTS).get(type);
    return read ? flag(read(objectOf(payload), this.#context), 'foreign') : otherEvent(type);
  }

  #speaker(subagent: string): WireSpeaker {
    let speaker = this.#speakers.get(subagent);
    if (!speaker) {
      speaker = newSpeaker();
      this.#speakers.set(subagent, speaker);
    }
    return speaker;
  }

  #readRequest({ message, pairing }: DialectLine, type: unknown, payload: JsonObject): Event {
    const request = REQUESTS.get(type);
    const event = request ? request.read(payload) : otherEvent(type);
    if (request && (type === LEGACY_APPROVAL) !== this.#isLegacy) flag(event, 'foreign');
    const caller = this.#callers.get(stringOf(payload.tool_call_id) ?? stringOf(payload.id) ?? '');
    const subagent = stringOf(payload.agent_id);
    if (subagent !== null) fromSubagent(event, { subagent, parent: caller?.parent ?? null });
    else if (caller) fromSubagent(event, caller);
    if (message.id === null) return event;
    const question: SentRequest = {
      kind: request?.answer ?? 'other',
      type: stringOf(type) ?? '',
      request: stringOf(payload.id),
      event: stringOf(payload.event),
      target: stringOf(payload.target) || null,
      isReplayed: this.#replay !== null,
      turn: this.#turns.open,
      decision: null,
      isSettled: false,
    };
    if (!question.isReplayed && this.#requests.isResent(message.id, question, pairing?.role === 'asks-again'))
      return flag(event, 'resent');
    this.#requests.add(message.id, question);
    return event;
  }

  #readClientRequest({ message, frame, pairing }: DialectLine): Event {
    const name = message.method!;
    const ours = (this.#isLegacy ? LEGACY_METHODS : METHODS).get(name);
    const method = ours ?? (this.#isLegacy ? METHODS : LEGACY_METHODS).get(name);
    if (!method) return otherEvent(name);
    const params = objectOf(message.body);
    const event = method.readRequest(params);
    if (pairing?.role === 'asks-again') return flag(event, 'resent');
    if (!ours) return flag(event, 'foreign');
    // The agent accepts only string ids.
    if (typeof message.id === 'string') this.#trackRequest(name, params, frame.f);
    return event;
  }

  /** A prompt waits to be taken up. A replay begins at once, or is refused because a turn is open. */
  #trackRequest(name: string, params: JsonObject, f: number): void {
    const input = name === 'run' ? runInput(params) : params.user_input;
    if ((name === 'prompt' || name === 'run') && isInput(input)) this.#turns.sent(f, input);
    else if (name === 'steer') this.#turns.steered(input);
    else if (name === 'replay' && this.#replay === null && !this.#turns.isBusy) this.#setReplay(f);
  }

  #setReplay(f: number | null): void {
    this.#replay = f;
    this.#main = newSpeaker();
    this.#speakers.clear();
    this.#callers.clear();
  }

  #readAgentAnswer({ value, message, pairing }: DialectLine): Event {
    const exchange = message.id === null ? null : (pairing?.exchange ?? null);
    if (!exchange) return this.#readOrphan(value, message, pairing?.role === 'orphan');
    const method = METHODS.get(exchange.method) ?? LEGACY_METHODS.get(exchange.method);
    const result = objectOf(message.envelope === 'response' ? message.body : null);
    const event = method ? method.readAnswer(result, message, exchange.askedF) : otherEvent(exchange.method);
    withErrorText(event, message);
    if (pairing?.role === 'duplicate') return flag(event, 'dup');
    this.#trackAnswer(exchange.askedF, event);
    return event;
  }

  #trackAnswer(f: number, event: Event): void {
    if (event.kind === 'prompt-answer') this.#turns.answered(f);
    else if (event.kind === 'cancel' && event.done) this.#turns.cancelled();
    else if (this.#replay === f) this.#setReplay(null);
  }

  /** An answer that matches no request. Most errors have no id, because the rejected line had no readable one. */
  #readOrphan(value: JsonObject, message: Message, isOrphan: boolean): Event {
    const event: Event =
      message.envelope === 'error'
        ? withErrorText({ kind: 'error', code: message.code }, message)
        : this.#readAnswer(value, message, undefined);
    return isOrphan && !(message.id === null && message.envelope === 'error') ? flag(event, 'orphan') : event;
  }

  #readClientAnswer({ value, message, pairing }: DialectLine): Event {
    const question = pairing?.exchange ? this.#requests.get(message.id) : undefined;
    const event = this.#readAnswer(value, message, question);
    if (event.kind === 'approval-answer' && question) question.decision ??= event.decision;
    if (pairing?.role === 'orphan') flag(event, 'orphan');
    return pairing?.role === 'duplicate' ? flag(event, 'dup') : event;
  }

  #readAnswer(value: JsonObject, message: Message, question: SentRequest | undefined): Event {
    const isError = message.envelope === 'error';
    const kind = question?.kind ?? kindByShape(value.result);
    return readAnswer(kind, { value, isError, question, isLegacy: this.#isLegacy });
  }
}

function newSpeaker(): WireSpeaker {
  return { call: null, thought: false };
}

function otherEvent(name: unknown): Event {
  return { kind: 'other', name: stringOf(name) };
}

function fromSubagent(event: Event, { subagent, parent }: SubagentOrigin): Event {
  event.subagent = subagent;
  if (parent !== null) event.parent = parent;
  return event;
}
