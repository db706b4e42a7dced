/**
 * Lines that are too large to read: longer than readers keep in memory, or JSON with more than a million values. They
 * are recorded and shown as they are, but not interpreted.
 */
import type { Event } from '../event.ts';
import { type Frame, sizeOf } from '../frame.ts';
import { humanBytes } from '../text/text.ts';
import { stringEnd } from './json-number.ts';

/** The flag of such a frame. */
export const TOO_LARGE = 'too-large';

/** JSON with more values and keys is not parsed: a million take half a second and 200 MB. */
const MAX_JSON_VALUES = 1_000_000;
/** A text of this length cannot have so many. */
const MAX_UNCOUNTED_CHARS = 1 << 18;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const OPEN_OBJECT = 0x7b;

/** Whether a JSON text has too many values. Counts the separators and allocates nothing. */
export function hasTooManyValues(text: string, max = MAX_JSON_VALUES): boolean {
  if (text.length <= Math.min(MAX_UNCOUNTED_CHARS, max)) return false;
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === QUOTE) i = stringEnd(text, i) - 1;
    else if ((c === COMMA || c === COLON || c === OPEN_ARRAY || c === OPEN_OBJECT) && ++count > max) return true;
  }
  return false;
}

/** Whether the frame of these events was too large to read. */
export function isTooLargeToRead(events: readonly Event[]): boolean {
  return events[0]?.flags?.includes(TOO_LARGE) ?? false;
}

/** Why a frame is too large to read, in a few words; null if it is not. `text`: its line, or the first part of it. */
export function describeTooLarge(frame: Frame, text: string | null): string | null {
  if (frame.cut) return `${humanBytes(sizeOf(frame))}, too long to read`;
  if (text === null || !hasTooManyValues(text)) return null;
  return `${humanBytes(sizeOf(frame))} with more than a million values, too many to read`;
}
