/** What to send: the line that answers a request, or the request as it should have been. */

import { lineOf } from '../../dialects/common/reply.ts';
import type { Json } from '../../dialects/dialect.ts';
import type { Traits } from '../../dialects/traits.ts';
import { headerOf } from '../../model/content-length.ts';
import { type From, sizeOf } from '../../model/frame.ts';
import { isObject } from '../../model/message.ts';
import type { ReadFrame } from '../../model/read-frame.ts';

export interface Mending {
  /** The line that answers it, and what can replace its decision. */
  answer: string | null;
  or: readonly string[];
  /** The same request with an id that the agent takes, if it has another. */
  better: string | null;
}

/** Lines of up to this many bytes may be kept. */
export const SHORT = 1024;

export const NOTHING_TO_SEND: Mending = { answer: null, or: [], better: null };

/** Made when somebody asks for it: almost every request is answered. Of a long line at once, which would be kept for it. */
export function mendingOf({ frame, message, value }: ReadFrame, traits: Traits): () => Mending {
  const { from } = frame;
  if (sizeOf(frame) <= SHORT) return () => makeMending(from, message, value, traits);
  const made = makeMending(from, message, value, traits);
  return () => made;
}

function makeMending(from: From, message: ReadFrame['message'], value: unknown, traits: Traits): Mending {
  if (!isObject(value)) return NOTHING_TO_SEND;
  const { id } = message;
  const isNumber = typeof id === 'number' || typeof id === 'bigint';
  const better = traits.idsMustBeStrings && isNumber && from === 'client' ? { ...value, id: String(id) } : null;
  const reply = traits.reply(value) ?? (from === 'agent' ? refusal(message, traits) : null);
  return { answer: reply && lineOf(reply.line), or: reply?.or ?? [], better: better && lineOf(better) };
}

/** What the client does not have, it refuses. */
function refusal({ id, method }: ReadFrame['message'], { replay }: Traits): { line: Json; or: string[] } | null {
  if (id === null || method === null || !replay.refuse) return null;
  return { line: replay.refuse(id, method), or: [] };
}

/** The header to send before a line, if the session has Content-Length frames. */
export function headFor(line: string, { lines }: { lines: { isFramed: boolean } }): string | null {
  return lines.isFramed ? headerOf(line) : null;
}

/** The first line of a client. */
export function greetingOf({ greeting }: Traits): string | null {
  return greeting && lineOf(greeting);
}

/** What a client says after the handshake. */
export function readyLine({ readySignal }: Traits): string | null {
  return readySignal === null ? null : lineOf({ jsonrpc: '2.0', method: readySignal });
}
