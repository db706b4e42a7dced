/** The lines of a session as texts, and back. */
import type { Frame } from '../../model/frame.ts';
import { textIn } from '../../model/message.ts';

/** A line as text; byte by byte if it is not UTF-8. */
export function lineOf(frame: Frame): string {
  return textIn(frame) ?? Array.from(frame.raw, (byte) => String.fromCharCode(byte)).join('');
}

/** The bytes of a text that was read byte by byte. */
export function bytesOfLatin1(text: string): Uint8Array {
  return Uint8Array.from(text, (c) => c.charCodeAt(0));
}

export function isJsonText(text: string): boolean {
  if (!/^\s*[[{"]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The header with the length that the body has now; what was missing of it is missing still. */
export function addToLength(head: string, more: number): string {
  return head.replace(
    /(content-length:[ \t]*)(\d+)/i,
    (_, name: string, length: string) => `${name}${Number(length) + more}`,
  );
}
