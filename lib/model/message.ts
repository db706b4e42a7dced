/** A frame read as an envelope, as far as that is possible without knowing the dialect. */
import type { Frame } from './frame.ts';
import { exactJson, type Id, isId, withExactIds } from './id.ts';
import { hasTooManyValues } from './json/too-large.ts';

export type Envelope = 'request' | 'response' | 'error' | 'notification' | 'none';

export interface Message {
  envelope: Envelope;
  method: string | null;
  type: string | null;
  /** With its JSON type: `1` is not `"1"`. */
  id: Id;
  /** The code of an error. */
  code: number | null;
  /** The content of the envelope: params, result or error; the whole value if there is no envelope. */
  body: unknown;
  /** The id of an answer that is a request itself, in protocols where a request answers what an event asked. */
  ownId?: Id;
}

/** A frame without an envelope. */
export const NO_MESSAGE: Message = { envelope: 'none', method: null, type: null, id: null, code: null, body: null };

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text of a line, or null if it is not UTF-8. */
export function textOf(raw: Uint8Array): string | null {
  try {
    return utf8.decode(raw);
  } catch {
    return null;
  }
}

/** The text of a frame's line, or null if it is not UTF-8. */
export function textIn(frame: Frame): string | null {
  const { text } = frame;
  return text === undefined ? textOf(frame.raw) : text;
}

const [OPENING_BRACE, CLOSING_BRACE] = [0x7b, 0x7d];
/** How JSON may begin. A failed `JSON.parse` makes an error with a stack, which takes longer than reading a message. */
const JSON_START = /^\s*(?:[[{"tfn]|-?(?:0(?!\d)|[1-9]))/;

/** What begins as an object ends as one: in a broken file, millions of lines may not. */
function mayBeJson(text: string): boolean {
  if (text.charCodeAt(0) !== OPENING_BRACE) return JSON_START.test(text);
  return text.charCodeAt(text.length - 1) === CLOSING_BRACE || text.trimEnd().endsWith('}');
}

/** A line as JSON; undefined if it is not JSON or too large to read. */
export function parseJson(text: string | null): unknown {
  try {
    return text === null || !mayBeJson(text) || hasTooManyValues(text) ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The same for a frame; `text` is its line. The first part of a cut line is not parsed. */
export function parseFrame(frame: Frame, text: string | null = textIn(frame)): unknown {
  return frame.cut ? undefined : parseJson(text);
}

/**
 * What a frame says as JSON, with the ids of messages as they were written; undefined if it is not JSON. `known`: its line
 * as JSON, if it was parsed already.
 */
export function valueIn(frame: Frame, text: string | null, known?: unknown): unknown {
  const { form, from } = frame;
  if (form === 'event' || from === 'stderr') return undefined;
  const value = known === undefined ? parseFrame(frame, text) : known;
  return isObject(value) && from !== 'proc' ? withExactIds(value, text) : value;
}

/** Stands for a value that is nested too deep to serialise. */
export const TOO_DEEP = '…';

/** A value as JSON text for people. */
export function toJson(value: unknown): string {
  try {
    return exactJson(value) ?? '';
  } catch {
    return TOO_DEEP;
  }
}

export function readMessage(text: string | null): Message {
  const value = parseJson(text);
  return isObject(value) ? readJsonRpc(withExactIds(value, text)) : NO_MESSAGE;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** An object as a JSON-RPC envelope. */
export function readJsonRpc(value: Record<string, unknown>): Message {
  const { method, id, params, result, error, type } = value;
  const message: Message = {
    envelope: 'none',
    method: typeof method === 'string' ? method : null,
    type: typeof type === 'string' ? type : null,
    id: isId(id) ? id : null,
    code: null,
    body: value,
  };
  if (message.method !== null) {
    message.envelope = 'id' in value ? 'request' : 'notification';
    message.body = params;
    // Some libraries write `"error": null` beside a result.
  } else if (error !== undefined && error !== null && 'id' in value) {
    message.envelope = 'error';
    message.body = error;
    const { code } = (error ?? {}) as { code?: unknown };
    message.code = typeof code === 'number' ? code : null;
  } else if ('result' in value && 'id' in value) {
    message.envelope = 'response';
    message.body = result;
  }
  return message;
}
