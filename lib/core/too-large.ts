/**
 * What is not read for what it means, because that would take more time and memory than it is worth: a line that is
 * longer than readers hold, and JSON of more than a million values. Such a line is kept as it is, and said to be.
 */
import type { Event } from './event.ts';
import { type Frame, sizeOf } from './frame.ts';
import { humanBytes } from './text.ts';

/** The flag of such a frame. */
export const TOO_LARGE = 'too-large';

/** JSON of more values and keys is not parsed: a million of them take half a second and 200 MB. */
const MOST_VALUES = 1_000_000;
/** Text that is no longer cannot have so many. */
const SHORT = 1 << 18;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;

/** Whether text, if it is JSON, has more values than are read. Counts what stands between them, and builds nothing. */
export function hasTooManyValues(text: string, most = MOST_VALUES): boolean {
  if (text.length <= Math.min(SHORT, most)) return false;
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === QUOTE) i = stringEnd(text, i + 1);
    else if ((c === COMMA || c === COLON || c === OPEN_ARRAY || c === OPEN_OBJECT) && ++count > most) return true;
  }
  return false;
}

/** The place of the closing quote. */
function stringEnd(text: string, from: number): number {
  for (let at = from; ; at++) {
    at = text.indexOf('"', at);
    if (at < 0) return text.length;
    let before = at;
    while (before > from && text.charCodeAt(before - 1) === BACKSLASH) before--;
    if ((at - before) % 2 === 0) return at;
  }
}

/** Whether a frame was kept as it is, by what was made of it. */
export function isUnread(events: readonly Event[]): boolean {
  return events[0]?.flags?.includes(TOO_LARGE) ?? false;
}

/** Why a frame is not read, in a few words for people; null of a frame that is. `text`: its line, as far as it is there. */
export function tooLarge(frame: Frame, text: string | null): string | null {
  if (frame.cut) return `${humanBytes(sizeOf(frame))}, too long to be read`;
  if (text === null || !hasTooManyValues(text)) return null;
  return `${humanBytes(sizeOf(frame))} of more than a million values, too many to be read`;
}
