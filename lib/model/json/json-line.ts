/**
 * Decides whether a tape may store a line verbatim: JSON that `JSON.parse` and common tools accept (no unpaired
 * surrogate escape, no nesting over 128). It works on bytes and allocates nothing, because it runs for every recorded
 * frame. Bytes over 0x7f are allowed inside strings; the caller checks that they are UTF-8.
 */

export const MAX_NESTING = 128;

export type JsonVerdict = 'no' | 'ascii' | 'high';

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

let sawHighByte = false;

/** `ascii` or `high` (with bytes over 0x7f) if the bytes from `start` to `end` are acceptable JSON, else `no`. */
export function judgeJson(b: Uint8Array, start: number, end: number): JsonVerdict {
  sawHighByte = false;
  const behind = value(b, skipSpace(b, start, end), end, 0);
  if (behind < 0 || skipSpace(b, behind, end) !== end) return 'no';
  return sawHighByte ? 'high' : 'ascii';
}

/** The position after the object that begins at `at`, or -1 if none does. */
export function objectEnd(b: Uint8Array, at: number, end: number): number {
  return b[at] === OPEN_OBJECT ? object(b, at + 1, end, 1) : -1;
}

// Each of these takes the position where something starts and returns the position after it, or -1.

function value(b: Uint8Array, at: number, end: number, depth: number): number {
  if (at >= end) return -1;
  const c = b[at]!;
  if (c === QUOTE) return string(b, at + 1, end);
  if (c === OPEN_OBJECT) return depth < MAX_NESTING ? object(b, at + 1, end, depth + 1) : -1;
  if (c === OPEN_ARRAY) return depth < MAX_NESTING ? array(b, at + 1, end, depth + 1) : -1;
  return scalar(b, at, end, c);
}

function object(b: Uint8Array, from: number, end: number, depth: number): number {
  let i = skipSpace(b, from, end);
  if (i < end && b[i] === CLOSE_OBJECT) return i + 1;
  for (;;) {
    i = key(b, i, end);
    if (i >= 0) i = value(b, i, end, depth);
    if (i < 0) return -1;
    i = skipSpace(b, i, end);
    if (i >= end) return -1;
    if (b[i] === CLOSE_OBJECT) return i + 1;
    if (b[i] !== COMMA) return -1;
    i = skipSpace(b, i + 1, end);
  }
}

function array(b: Uint8Array, from: number, end: number, depth: number): number {
  let i = skipSpace(b, from, end);
  if (i < end && b[i] === CLOSE_ARRAY) return i + 1;
  for (;;) {
    i = value(b, i, end, depth);
    if (i < 0) return -1;
    i = skipSpace(b, i, end);
    if (i >= end) return -1;
    if (b[i] === CLOSE_ARRAY) return i + 1;
    if (b[i] !== COMMA) return -1;
    i = skipSpace(b, i + 1, end);
  }
}

function skipSpace(b: Uint8Array, from: number, end: number): number {
  let i = from;
  while (i < end) {
    const c = b[i]!;
    if (c !== 0x20 && c !== 0x09 && c !== 0x0d && c !== 0x0a) break;
    i++;
  }
  return i;
}

/** From the quote of a key to the value after its colon. */
function key(b: Uint8Array, from: number, end: number): number {
  if (from >= end || b[from] !== QUOTE) return -1;
  let i = string(b, from + 1, end);
  if (i < 0) return -1;
  i = skipSpace(b, i, end);
  if (i >= end || b[i] !== COLON) return -1;
  return skipSpace(b, i + 1, end);
}

/** From after the opening quote to after the closing one. */
function string(b: Uint8Array, from: number, end: number): number {
  let i = from;
  while (i < end) {
    const c = b[i]!;
    if (c === QUOTE) return i + 1;
    if (c === BACKSLASH) {
      i = escaped(b, i + 1, end);
      if (i < 0) return -1;
      continue;
    }
    if (c < 0x20) return -1;
    if (c > 0x7f) sawHighByte = true;
    i++;
  }
  return -1;
}

function escaped(b: Uint8Array, at: number, end: number): number {
  if (at >= end) return -1;
  const c = b[at]!;
  if (c !== 0x75) return '"\\/bfnrt'.includes(String.fromCharCode(c)) ? at + 1 : -1;
  const unit = hex4(b, at + 1, end);
  if (unit < 0) return -1;
  if (unit < 0xd800 || unit > 0xdfff) return at + 5;
  const paired =
    unit < 0xdc00 && at + 7 < end && b[at + 5] === BACKSLASH && b[at + 6] === 0x75 ? hex4(b, at + 7, end) : -1;
  return paired >= 0xdc00 && paired <= 0xdfff ? at + 11 : -1;
}

function hex4(b: Uint8Array, from: number, end: number): number {
  if (from + 4 > end) return -1;
  let value = 0;
  for (let i = from; i < from + 4; i++) {
    const c = b[i]!;
    const lower = c | 0x20;
    const digit = c >= 0x30 && c <= 0x39 ? c - 0x30 : lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

/** A number, true, false or null. */
function scalar(b: Uint8Array, from: number, end: number, first: number): number {
  if (first === 0x74) return literal(b, from, end, 'true');
  if (first === 0x66) return literal(b, from, end, 'false');
  if (first === 0x6e) return literal(b, from, end, 'null');
  const sign = first === 0x2d ? from + 1 : from;
  let i = sign < end && b[sign] === 0x30 ? sign + 1 : digits(b, sign, end);
  if (i > 0 && i < end && b[i] === 0x2e) i = digits(b, i + 1, end);
  if (i > 0 && i < end && (b[i]! | 0x20) === 0x65) {
    i++;
    if (i < end && (b[i] === 0x2b || b[i] === 0x2d)) i++;
    i = digits(b, i, end);
  }
  return i;
}

function digits(b: Uint8Array, from: number, end: number): number {
  let i = from;
  while (i < end && b[i]! >= 0x30 && b[i]! <= 0x39) i++;
  return i > from ? i : -1;
}

function literal(b: Uint8Array, from: number, end: number, word: string): number {
  if (from + word.length > end) return -1;
  for (let k = 0; k < word.length; k++) if (b[from + k] !== word.charCodeAt(k)) return -1;
  return from + word.length;
}
