/** Whether a text may have another reading as a person sees it: what the sieve asks about its bytes. */
import { BACKSLASH, isDigit, isLetter } from './bytes.ts';

/** First bytes of what has no width, in UTF-8, and of the escapes that stand for it or for ESC. */
const UNSEEN_STARTS =
  /^(?:\u00ad|\u034f|\u061c|\u115f|\u180e|[\u200b-\u200f\u202a-\u202e\u2060-\u206f]|\u241b|[\ufe00-\ufe0f]|\ufeff)$/;
const decoder = new TextDecoder();

const ORDINARY = 0;
const UNSEEN = 1;
const FOREIGN = 2;
const ESCAPE = 3;
const BREAK = 4;
const MARKED = 5;
const KINDS = new Uint8Array(256);
for (let c = 0; c < 0x20; c++) KINDS[c] = UNSEEN;
for (const c of [9, 13, 11, 12]) KINDS[c] = ORDINARY;
KINDS[10] = BREAK;
KINDS[0x7f] = UNSEEN;
for (const c of [0xc2, 0xcd, 0xd8, 0xe1, 0xe2, 0xef]) KINDS[c] = FOREIGN;
KINDS[BACKSLASH] = ESCAPE;
for (const c of '[^') KINDS[c.charCodeAt(0)] = MARKED;

export function mayLookDifferent(bytes: Uint8Array, length: number): boolean {
  for (let at = 0; at < length; at++) {
    const kind = KINDS[bytes[at]!]!;
    if (kind !== ORDINARY && isSuspect(bytes, at, length, kind)) return true;
  }
  return false;
}

function isSuspect(bytes: Uint8Array, at: number, length: number, kind: number): boolean {
  switch (kind) {
    case UNSEEN:
      return at < length;
    case FOREIGN:
      return isUnseenCharacter(bytes, at, length);
    case ESCAPE:
      return isSuspectEscape(bytes, at);
    case BREAK:
      return endsMixed(bytes, at);
    default:
      return isColour(bytes, at);
  }
}

function isUnseenCharacter(bytes: Uint8Array, at: number, length: number): boolean {
  // The border of a box.
  if (bytes[at] === 0xe2 && bytes[at + 1] === 0x94 && (bytes[at + 2]! & 0xfe) === 0x82) return true;
  const size = bytes[at]! < 0xe0 ? 2 : 3;
  if (bytes[at] === 0xc2) return bytes[at + 1] === 0xad || bytes[at + 1] === 0x9b || bytes[at + 1] === 0x9d;
  return UNSEEN_STARTS.test(decoder.decode(bytes.subarray(at, Math.min(length, at + size))));
}

/** `\\u001b`, `\\u200b` and other characters that are not seen, `\\x1b`, `\\033`, `\\e[`, and the end of a line that a key may end. */
function isSuspectEscape(bytes: Uint8Array, at: number): boolean {
  const next = bytes[at + 1]!;
  if (next === 0x75) {
    const text = decoder.decode(bytes.subarray(at + 2, at + 6)).toLowerCase();
    if (text.startsWith('{1b')) return true;
    const code = Number.parseInt(text, 16);
    if (code === 10 || code === 13 || code === 0x2502 || code === 0x2503) return true;
    return (
      (code < 0x20 && code !== 9) || (code >= 0x7f && code < 0xa0) || UNSEEN_STARTS.test(String.fromCharCode(code))
    );
  }
  if (next === 0x6e || next === 0x72) return endsMixed(bytes, at);
  if (next === 0x62 || next === 0x66) return true;
  if (next === 0x78) return bytes[at + 2] === 0x31;
  return (next === 0x30 && bytes[at + 2] === 0x33) || (next === 0x65 && bytes[at + 2] === 0x5b);
}

/** `[32m` and `^[`. */
function isColour(bytes: Uint8Array, at: number): boolean {
  if (bytes[at] === 0x5e) return bytes[at + 1] === 0x5b;
  let end = at + 1;
  while (end - at < 40 && (isDigit(bytes[end]) || bytes[end] === 0x3b)) end++;
  return bytes[end] === 0x6d;
}

const MIN_TAIL_BYTES = 6;
const MAX_TAIL_BYTES = 220;

/** Whether a line ends here with letters and digits, as a part of a key does; behind them may be a border or a quote. */
function endsMixed(bytes: Uint8Array, at: number): boolean {
  let end = at;
  while (at - end < MAX_TAIL_BYTES && end > 0 && !isTokenByte(bytes[end - 1])) end--;
  let [start, hasDigit, hasLetter] = [end, false, false];
  while (end - start < MAX_TAIL_BYTES && isTokenByte(bytes[start - 1])) {
    start--;
    hasDigit ||= isDigit(bytes[start]);
    hasLetter ||= isLetter(bytes[start]);
  }
  return hasDigit && hasLetter && end - start >= MIN_TAIL_BYTES;
}

const isTokenByte = (c: number | undefined): boolean =>
  isLetter(c) ||
  isDigit(c) ||
  c === 0x5f ||
  c === 0x2b ||
  c === 0x2f ||
  c === 0x3d ||
  c === 0x7e ||
  c === 0x2e ||
  c === 0x2d;
