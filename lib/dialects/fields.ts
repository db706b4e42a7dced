/** What a peer sends may have any shape: a field that is not what it should be reads as absent. */
import type { Event } from '../core/event.ts';
import { type Id, isId } from '../core/id.ts';
import { isObject } from '../core/message.ts';
import type { Json } from './dialect.ts';

const NONE: Json = Object.freeze({});

export function objectOf(value: unknown): Json {
  return isObject(value) ? value : NONE;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The objects of a list. */
export function objectsOf(value: unknown): Json[] {
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

/** The strings of a list, or the names of its objects. */
export function namesOf(value: unknown): string[] {
  return listOf(value)
    .map((entry) => stringOf(entry) ?? stringOf(objectOf(entry).name))
    .filter((name) => name !== null);
}

/** What an error says, which some send as a string and some as an object, with details that some put beside it. */
export function errorText(error: unknown): string | null {
  const { message, data } = objectOf(error);
  const texts = [stringOf(error), stringOf(message), stringOf(objectOf(data).details)].filter((text) => text !== null);
  return texts.length === 0 ? null : texts.join(': ');
}

/** A value as JSON text: arguments that came as text stay as they came; what is nested too deep to write is left out. */
export function jsonText(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : shallow(() => JSON.stringify(value), null);
}

/** The same JSON value, whatever the order of the keys; no, if it is nested too deep to tell. */
export function isSame(a: unknown, b: unknown): boolean {
  return shallow(() => equal(a, b), false);
}

function equal(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((value, index) => equal(value, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return a === b;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && equal(a[key], b[key]));
}

/** A peer may nest deeper than the stack is high: parsing stands that, walking does not. */
export function shallow<T>(walk: () => T, otherwise: T): T {
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

/** Gives the event a text, unless there is none. */
export function say<E extends Event>(event: E, text: string | null): E {
  if (text !== null) event.text = text;
  return event;
}
