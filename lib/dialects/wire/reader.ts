/**
 * Reads a Wire session of 0.59 and later, or of 0.46-0.58. It knows the names of both: a name of the other one is
 * interpreted and flagged `foreign`. Keeps track of waiting prompts, a replay in progress, open requests, and which
 * agent made which call.
 */
import type { Event } from '../../model/event.ts';
import { type Message, textOf } from '../../model/message.ts';
import { Recent } from '../../model/recent.ts';
import { flag, objectOf, stringOf } from '../common/fields.ts';
import type { Json, Line, Reader } from '../dialect.ts';
import { kindByShape, readAnswer } from './answers.ts';
import { Asked, type Question } from './asked.ts';
import { EVENTS, LEGACY_EVENTS, type Place, type Read, type Speaker, SUBAGENT_TYPES } from './events.ts';
import { answered, isInput, LEGACY_METHODS, METHODS, runInput } from './methods.ts';
import { LEGACY_APPROVAL, REQUESTS } from './requests.ts';
import { Turns } from './turns.ts';

interface Origin {
  subagent: string;
  parent: string | null;
}

export class WireReader implements Reader {
  readonly #isLegacy: boolean;
  readonly #turns = new Turns();
  readonly #asked = new Asked();
  /** The subagent that made an open call, because requests do not always name it. */
  readonly #callers = new Recent<string, Origin>();
  readonly #speakers = new Recent<string, Speaker>();
  readonly #place: Place;
  #main: Speaker = newSpeaker();
  /** The type of the latest event, and who reads it. */
  #type: unknown;
  #read: Read | undefined;
  /** The frame of the client's `replay`, until it is answered. */
  #replay: number | null = null;

  constructor(isLegacy: boolean) {
    this.#isLegacy = isLegacy;
    this.#place = {
      speaker: this.#main,
      isMain: true,
      isReplayed: false,
      isLegacy,
      turns: this.#turns,
      asked: this.#asked,
    };
  }

  read(line: Line): Event[] {
    const { message, frame } = line;
    const isAgent = frame.from === 'agent';
    this.#turns.at(frame.f, isAgent);
    switch (message.envelope) {
      case 'notification':
      case 'request':
        return isAgent ? this.#agentSays(line) : [this.#clientAsks(line)];
      case 'response':
      case 'error':
        return [isAgent ? this.#agentAnswers(line) : this.#clientAnswers(line)];
      case 'none':
        return [{ kind: 'noise', name: null, text: textOf(frame.raw) ?? '', flags: ['invalid'] }];
    }
  }

  #agentSays(line: Line): Event[] {
    const { message } = line;
    const { type, payload } = objectOf(message.body);
    const isRequest = message.method === 'request';
    if (!isRequest && message.method !== 'event') return [other(message.method)];
    const events = isRequest ? [this.#request(line, type, objectOf(payload))] : this.#event(type, payload);
    if (this.#replay !== null) for (const event of events) flag(event, 'replayed');
    return events;
  }

  #event(type: unknown, payload: unknown): Event[] {
    const place = this.#place;
    place.isReplayed = this.#replay !== null;
    place.speaker = this.#main;
    place.isMain = true;
    // Most events are of the type of the one before.
    if (type !== this.#type) {
      this.#type = type;
      this.#read = (this.#isLegacy ? LEGACY_EVENTS : EVENTS).get(type);
    }
    if (this.#read) return [this.#read(objectOf(payload), place)];
    return SUBAGENT_TYPES.has(type) ? this.#subagentEvent(type, payload) : [this.#foreign(type, payload)];
  }

  /** An event inside an event, on several levels if a subagent starts another. */
  #subagentEvent(type: unknown, payload: unknown): Event[] {
    const events: Event[] = [];
    let inner = { type, payload } as Json;
    let origin: Origin | null = null;
    while (SUBAGENT_TYPES.has(inner.type)) {
      const { parent_tool_call_id, task_tool_call_id, agent_id, subagent_type, event } = objectOf(inner.payload);
      const parent = stringOf(parent_tool_call_id) ?? stringOf(task_tool_call_id);
      origin = { subagent: stringOf(agent_id) ?? parent ?? '?', parent };
      const said: Event = { kind: 'subagent', call: parent, name: stringOf(subagent_type), background: false };
      if ((inner.type === 'subagent_event') !== this.#isLegacy) flag(said, 'foreign');
      events.push(from(said, origin));
      inner = objectOf(event);
    }
    this.#place.speaker = this.#speaker(origin!.subagent);
    this.#place.isMain = false;
    const read = (this.#isLegacy ? LEGACY_EVENTS : EVENTS).get(inner.type);
    const event = read ? read(objectOf(inner.payload), this.#place) : this.#foreign(inner.type, inner.payload);
    if (event.kind === 'tool-call' && event.call !== null) this.#callers.set(event.call, origin!);
    if (event.kind === 'tool-result' && event.call !== null) this.#callers.delete(event.call);
    events.push(from(event, origin!));
    return events;
  }

  #foreign(type: unknown, payload: unknown): Event {
    const read = (this.#isLegacy ? EVENTS : LEGACY_EVENTS).get(type);
    return read ? flag(read(objectOf(payload), this.#place), 'foreign') : other(type);
  }

  #speaker(subagent: string): Speaker {
    let speaker = this.#speakers.get(subagent);
    if (!speaker) {
      speaker = newSpeaker();
      this.#speakers.set(subagent, speaker);
    }
    return speaker;
  }

  #request({ message, pairing }: Line, type: unknown, payload: Json): Event {
    const request = REQUESTS.get(type);
    const event = request ? request.read(payload) : other(type);
    if (request && (type === LEGACY_APPROVAL) !== this.#isLegacy) flag(event, 'foreign');
    const caller = this.#callers.get(stringOf(payload.tool_call_id) ?? stringOf(payload.id) ?? '');
    const subagent = stringOf(payload.agent_id);
    if (subagent !== null) from(event, { subagent, parent: caller?.parent ?? null });
    else if (caller) from(event, caller);
    if (message.id === null) return event;
    const question: Question = {
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
    if (!question.isReplayed && this.#asked.isResent(message.id, question, pairing?.role === 'asks-again'))
      return flag(event, 'resent');
    this.#asked.add(message.id, question);
    return event;
  }

  #clientAsks({ message, frame, pairing }: Line): Event {
    const name = message.method!;
    const ours = (this.#isLegacy ? LEGACY_METHODS : METHODS).get(name);
    const method = ours ?? (this.#isLegacy ? METHODS : LEGACY_METHODS).get(name);
    if (!method) return other(name);
    const params = objectOf(message.body);
    const event = method.asked(params);
    if (pairing?.role === 'asks-again') return flag(event, 'resent');
    if (!ours) return flag(event, 'foreign');
    // The agent accepts only string ids.
    if (typeof message.id === 'string') this.#begins(name, params, frame.f);
    return event;
  }

  /** A prompt waits to be taken up. A replay begins at once, or is refused because a turn is open. */
  #begins(name: string, params: Json, f: number): void {
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

  #agentAnswers({ value, message, pairing }: Line): Event {
    const exchange = message.id === null ? null : (pairing?.exchange ?? null);
    if (!exchange) return this.#agentOrphan(value, message, pairing?.role === 'orphan');
    const method = METHODS.get(exchange.method) ?? LEGACY_METHODS.get(exchange.method);
    const result = objectOf(message.envelope === 'response' ? message.body : null);
    const event = method ? method.answered(result, message, exchange.askedF) : other(exchange.method);
    answered(event, message);
    if (pairing?.role === 'duplicate') return flag(event, 'dup');
    this.#ends(exchange.askedF, event);
    return event;
  }

  #ends(f: number, event: Event): void {
    if (event.kind === 'prompt-answer') this.#turns.answered(f);
    else if (event.kind === 'cancel' && event.done) this.#turns.cancelled();
    else if (this.#replay === f) this.#setReplay(null);
  }

  /** An answer that matches no request. Most errors have no id, because the rejected line had no readable one. */
  #agentOrphan(value: Json, message: Message, isOrphan: boolean): Event {
    const event: Event =
      message.envelope === 'error'
        ? answered({ kind: 'error', code: message.code }, message)
        : this.#answer(value, message, undefined);
    return isOrphan && !(message.id === null && message.envelope === 'error') ? flag(event, 'orphan') : event;
  }

  #clientAnswers({ value, message, pairing }: Line): Event {
    const question = pairing?.exchange ? this.#asked.get(message.id) : undefined;
    const event = this.#answer(value, message, question);
    if (event.kind === 'approval-answer' && question) question.decision ??= event.decision;
    if (pairing?.role === 'orphan') flag(event, 'orphan');
    return pairing?.role === 'duplicate' ? flag(event, 'dup') : event;
  }

  #answer(value: Json, message: Message, question: Question | undefined): Event {
    const isError = message.envelope === 'error';
    const kind = question?.kind ?? kindByShape(value.result);
    return readAnswer(kind, { value, isError, question, isLegacy: this.#isLegacy });
  }
}

function newSpeaker(): Speaker {
  return { call: null, thought: false };
}

function other(name: unknown): Event {
  return { kind: 'other', name: stringOf(name) };
}

function from(event: Event, { subagent, parent }: Origin): Event {
  event.subagent = subagent;
  if (parent !== null) event.parent = parent;
  return event;
}
