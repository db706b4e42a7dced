/** Looks into values that a peer may have got wrong: what is not of the shape asked for is as good as absent. */
import { isObject } from '../core/message.ts';
import type { Json } from './dialect.ts';
import { shallow } from './fields.ts';

const EMPTY: Json = Object.freeze({});

export function asObject(value: unknown): Json {
  return isObject(value) ? value : EMPTY;
}

/** The objects of an array. */
export function asObjects(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function asText(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

export function asNumber(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

/** A value as JSON text, null where there is none, it is an empty object, or it is nested too deep to write. */
export function jsonText(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (isObject(value)) {
    for (const _ in value) return shallow(() => JSON.stringify(value), null);
    return null;
  }
  return shallow(() => JSON.stringify(value), null);
}

/** What an error says: its message, and the details that some agents put beside it. */
export function errorText(error: unknown): string {
  const { message, data } = asObject(error);
  const details = asText(asObject(data).details);
  return [asText(message), details].filter((text) => text !== null).join(': ');
}

/** An id as text: a string that reads as a number is quoted, because `1` is not `"1"`. */
export function idText(id: unknown): string | null {
  if (typeof id === 'number') return String(id);
  if (typeof id !== 'string') return null;
  return id.trim() !== '' && Number.isFinite(Number(id)) ? JSON.stringify(id) : id;
}
