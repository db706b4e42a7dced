/**
 * What the JSON-RPC dialects have in common: messages that belong to nothing. Answers that nobody asked for are told by
 * their shape, errors without a request are `error`, objects that are no message are noise.
 */
import type { Event } from '../core/event.ts';
import { isObject } from '../core/message.ts';
import type { Json, Line } from './dialect.ts';
import { errorText, numberOf, objectOf, stringOf } from './fields.ts';

/** Null for a message that asks, tells, or answers something that was asked. */
export function readStray({ value, message, pairing }: Line): Event[] | null {
  if (message.envelope === 'none') {
    if (isObject(value.error)) return [error(value.error)];
    return [{ kind: 'noise', name: null, flags: ['invalid'] }];
  }
  if (pairing?.role !== 'orphan') return null;
  if (message.envelope === 'error') {
    return [message.id === null ? error(message.body) : { ...error(message.body), flags: ['orphan'] }];
  }
  return [{ ...byShape(objectOf(message.body)), flags: ['orphan'] }];
}

function error(body: unknown): Event {
  return { kind: 'error', code: numberOf(objectOf(body).code), text: errorText(body) ?? '' };
}

function byShape(result: Json): Event {
  const request = stringOf(result.request_id);
  if ('response' in result || 'outcome' in result) {
    const option = stringOf(result.response) ?? stringOf(objectOf(result.outcome).optionId);
    return { kind: 'approval-answer', request, decision: null, option, feedback: null };
  }
  if ('answers' in result) return { kind: 'question-answer', request, answers: result.answers, ok: true };
  if ('return_value' in result) return { kind: 'client-call-answer', request, ok: true, blocks: [] };
  if ('action' in result) {
    const reason = stringOf(result.reason);
    return { kind: 'hook-answer', request, event: null, target: null, decision: null, reason };
  }
  return { kind: 'control', name: null };
}

/** Puts a flag on every event of a frame. */
export function flag(events: Event[], name: string): Event[] {
  for (const event of events) {
    if (event.flags) event.flags.push(name);
    else event.flags = [name];
  }
  return events;
}

/** How a frame stands to others, as flags: `resent`, `dup`. */
export function flagRole(events: Event[], line: Line): Event[] {
  const role = line.pairing?.role;
  if (role === 'asks-again') return flag(events, 'resent');
  return role === 'duplicate' ? flag(events, 'dup') : events;
}
