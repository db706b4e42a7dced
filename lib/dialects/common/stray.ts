/**
 * Messages in JSON-RPC dialects that belong to nothing. The kind of an answer without a request follows from its shape,
 * an error without a request is `errorEvent`, and an object that is not a message is noise.
 */
import type { Event } from '../../model/event.ts';
import { isObject } from '../../model/message.ts';
import type { DialectLine, JsonObject } from '../dialect.ts';
import { errorText, flag, numberOf, objectOf, stringOf } from './fields.ts';

/** Null for a request, a notification, or an answer to a request. */
export function readStray({ value, message, pairing }: DialectLine): Event[] | null {
  if (message.envelope === 'none') {
    if (isObject(value.error)) return [errorEvent(value.error)];
    return [{ kind: 'noise', name: null, flags: ['invalid'] }];
  }
  if (!pairing || pairing.exchange) return null;
  const event = message.envelope === 'error' ? errorEvent(message.body) : readByShape(objectOf(message.body));
  const isOrphan = pairing.role === 'orphan' && !(message.envelope === 'error' && message.id === null);
  return [isOrphan ? flag(event, 'orphan') : event];
}

function errorEvent(body: unknown): Event {
  return { kind: 'error', code: numberOf(objectOf(body).code), text: errorText(body) ?? '' };
}

/** Any other action answers an elicitation. */
const HOOK_ACTIONS = new Set<unknown>(['allow', 'block']);

function readByShape(result: JsonObject): Event {
  const request = stringOf(result.request_id);
  if ('response' in result || 'outcome' in result) {
    const option = stringOf(result.response) ?? stringOf(objectOf(result.outcome).optionId);
    return { kind: 'approval-answer', request, decision: null, option, feedback: null };
  }
  if ('answers' in result) return { kind: 'question-answer', request, answers: result.answers, ok: true };
  if ('return_value' in result) return { kind: 'client-call-answer', request, ok: true, blocks: [] };
  if ('roots' in result) return { kind: 'client-call-answer', request, ok: true, blocks: [] };
  if ('action' in result && !HOOK_ACTIONS.has(result.action)) {
    return { kind: 'question-answer', request, answers: result.content ?? null, ok: result.action === 'accept' };
  }
  if ('action' in result) {
    const reason = stringOf(result.reason);
    return { kind: 'hook-answer', request, event: null, target: null, decision: null, reason };
  }
  return { kind: 'control', name: null };
}

export function flagAll(events: Event[], name: string): Event[] {
  for (const event of events) flag(event, name);
  return events;
}

/** Flags repeated requests `resent` and second answers `dup`. */
export function flagRole(events: Event[], line: DialectLine): Event[] {
  const role = line.pairing?.role;
  if (role === 'asks-again') return flagAll(events, 'resent');
  return role === 'duplicate' ? flagAll(events, 'dup') : events;
}
