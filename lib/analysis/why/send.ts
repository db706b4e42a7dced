/** What to send: the line that answers a request, or the request as it should have been. */

import { formatLine } from '../../dialects/common/reply.ts';
import type { JsonObject } from '../../dialects/dialect.ts';
import type { Traits } from '../../dialects/traits.ts';
import { headerOf } from '../../model/content-length.ts';
import { type From, sizeOf } from '../../model/frame.ts';
import { isObject } from '../../model/message.ts';
import type { ReadFrame } from '../../model/read-frame.ts';

export interface SendableLines {
  /** The line that answers it, and what can replace its decision. */
  answer: string | null;
  or: readonly string[];
  /** The same request with an id that the agent takes, if it has another. */
  better: string | null;
}

/** Lines of up to this many bytes may be kept. */
export const MAX_KEPT_LINE_BYTES = 1024;

export const NOTHING_TO_SEND: SendableLines = { answer: null, or: [], better: null };

/** Made on demand: almost every request is answered. Of a long line at once, which would be kept for it. */
export function sendableLinesFor({ frame, message, value }: ReadFrame, traits: Traits): () => SendableLines {
  const { from } = frame;
  if (sizeOf(frame) <= MAX_KEPT_LINE_BYTES) return () => makeSendableLines(from, message, value, traits);
  const lines = makeSendableLines(from, message, value, traits);
  return () => lines;
}

function makeSendableLines(from: From, message: ReadFrame['message'], value: unknown, traits: Traits): SendableLines {
  if (!isObject(value)) return NOTHING_TO_SEND;
  const { id } = message;
  const isNumber = typeof id === 'number' || typeof id === 'bigint';
  const better = traits.idsMustBeStrings && isNumber && from === 'client' ? { ...value, id: String(id) } : null;
  const reply = traits.reply(value) ?? (from === 'agent' ? refusal(message, traits) : null);
  return { answer: reply && formatLine(reply.line), or: reply?.or ?? [], better: better && formatLine(better) };
}

/** What the client does not have, it refuses. */
function refusal({ id, method }: ReadFrame['message'], { replay }: Traits): { line: JsonObject; or: string[] } | null {
  if (id === null || method === null || !replay.refuse) return null;
  return { line: replay.refuse(id, method), or: [] };
}

/** The header to send before a line, if the session has Content-Length frames. */
export function headFor(line: string, { lines }: { lines: { isFramed: boolean } }): string | null {
  return lines.isFramed ? headerOf(line) : null;
}

/** The first line of a client. */
export function greetingOf({ greeting }: Traits): string | null {
  return greeting && formatLine(greeting);
}

/** What a client says after the handshake. */
export function readyLine({ readySignal }: Traits): string | null {
  return readySignal === null ? null : formatLine({ jsonrpc: '2.0', method: readySignal });
}
