/** Reads fields of untrusted messages. A field of the wrong type counts as absent. */
import type { Event, Handshake, Usage } from '../../model/event.ts';
import { type Id, isId } from '../../model/id.ts';
import { isObject } from '../../model/message.ts';
import type { JsonObject } from '../dialect.ts';

const NONE: JsonObject = Object.freeze({});

export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : NONE;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

/** The objects in a list. */
export function objectsOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function stringOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

export function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

export function idOf(value: unknown): Id {
  return isId(value) ? value : null;
}

/** An id as text: a string that reads as a number is quoted, because `1` is not `"1"`. */
export function idText(id: unknown): string | null {
  if (typeof id === 'number' || typeof id === 'bigint') return String(id);
  if (typeof id !== 'string') return null;
  return id.trim() !== '' && Number.isFinite(Number(id)) ? JSON.stringify(id) : id;
}

/** The name and version of a client or an agent, as handshakes write them. */
export function partyOf(value: unknown): { name: string; version: string | null } | null {
  const { name, version } = objectOf(value);
  return typeof name === 'string' ? { name, version: stringOf(version) } : null;
}

/** A handshake that contains what is given. Null means absent, except for capabilities. */
export function handshakeEvent(given: { [K in keyof Handshake]: Handshake[K] | null | undefined }): Event {
  const present = Object.entries(given).filter(
    ([key, value]) => value !== undefined && (value !== null || key === CAPABILITIES_KEY),
  );
  return { kind: 'handshake', about: Object.fromEntries(present) };
}

const CAPABILITIES_KEY: keyof Handshake = 'capabilities';

/** Token counts; a missing one is 0. */
export function tokensOf(input: unknown, cacheRead: unknown, cacheWrite: unknown, output: unknown): Usage {
  const count = (value: unknown) => numberOf(value) ?? 0;
  return {
    input: count(input),
    cache_read: count(cacheRead),
    cache_write: count(cacheWrite),
    output: count(output),
  };
}

/** The strings in a list, and the names of its objects. */
export function namesOf(value: unknown): string[] {
  return listOf(value)
    .map((entry) => stringOf(entry) ?? stringOf(objectOf(entry).name))
    .filter((name) => name !== null);
}

/** The text of an error, which may be a string or an object with details. */
export function errorText(error: unknown): string | null {
  const { message, data } = objectOf(error);
  const texts = [stringOf(error), stringOf(message), stringOf(objectOf(data).details)].filter((text) => text !== null);
  return texts.length === 0 ? null : texts.join(': ');
}

/** A value as JSON text. A string is returned as it is; a value that is nested too deep is null. */
export function jsonText(value: unknown): string | null {
  if (isAbsent(value)) return null;
  return typeof value === 'string' ? value : walkOrDefault(() => JSON.stringify(value), null);
}

/** Whether two JSON values are equal, ignoring the order of keys. False if they are nested too deep. */
export function isSame(a: unknown, b: unknown): boolean {
  return walkOrDefault(() => equal(a, b), false);
}

function equal(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((value, index) => equal(value, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return a === b;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && equal(a[key], b[key]));
}

/** Whether a field of `requested` has another value or is gone, if `missing` counts. Further fields do not (rule A9). */
export function hasOtherFields(requested: unknown, ran: unknown, missing = true): boolean {
  if (!isObject(requested) || !isObject(ran)) return false;
  return Object.keys(requested).some((key) => (Object.hasOwn(ran, key) ? !isSame(requested[key], ran[key]) : missing));
}

/** A peer may nest deeper than the stack allows. Parsing survives that, but walking the value does not. */
export function walkOrDefault<T>(walk: () => T, otherwise: T): T {
  try {
    return walk();
  } catch {
    return otherwise;
  }
}

export function flag<E extends Event>(event: E, ...words: string[]): E {
  if (words.length > 0) event.flags = event.flags ? [...event.flags, ...words] : words;
  return event;
}

/** Sets the text of an event, unless it is null. */
export function withText<E extends Event>(event: E, text: string | null): E {
  if (text !== null) event.text = text;
  return event;
}
