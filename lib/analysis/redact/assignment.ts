/** Whether a name of a secret stands before a sign or after dashes, and what follows may be one: what the sieve asks. */
import { isTokenChar } from '../../model/text/key-formats.ts';
import { BACKSLASH, bytesOf, COLON, codeOf, DASH, DOT, EQUALS, hasBytes, isDigit, isLetter, SPACE } from './bytes.ts';
import { certaintyOf, isHarmless, mayEndName } from './secret-names.ts';

/** Whether the colon or equals sign stands behind the name of a secret, as in `assignedHit`. */
export function isAssignment(bytes: Uint8Array, at: number): boolean {
  let end = at;
  if (bytes[end - 1] === COLON && bytes[at] === EQUALS) end--;
  for (let i = 0; i < 3 && bytes[end - 1] === SPACE; i++) end--;
  const quote = bytes[end - 1];
  if (quote === 34 || quote === 39) {
    end--;
    while (bytes[end - 1] === BACKSLASH) end--;
  }
  if (end < 3 || !mayEndName(bytes[end - 3]!, bytes[end - 2]!, bytes[end - 1]!)) return false;
  let start = end;
  while (start > 0 && end - start < MAX_NAME_CHARS && isNameChar(bytes[start - 1]!)) start--;
  const name = String.fromCharCode(...bytes.subarray(start, end));
  // Its first letter may be that of an escape.
  if (isHarmless(name) && bytes[start - 1] !== BACKSLASH) return false;
  const certainty = certaintyOf(name);
  return certainty !== null && (certainty === 'any' || mayBeValue(bytes, at, certainty === 'random'));
}

const MAX_NAME_CHARS = 61;

/** Whether what follows the sign may be a secret: `isRandom` if nothing else can be one. */
function mayBeValue(bytes: Uint8Array, at: number, isRandom: boolean): boolean {
  let start = at + 1;
  if (bytes[start] === EQUALS) return false;
  if (bytes[start] === 0x3e) start++;
  while (start - at < 5 && (bytes[start] === SPACE || bytes[start] === 9)) start++;
  const isEscaped = bytes[start] === BACKSLASH;
  while (bytes[start] === BACKSLASH) start++;
  const quote = bytes[start];
  const isQuoted = quote === 34 || quote === 39 || quote === 96;
  // The escape of a blank, or of what a value begins with.
  if (isEscaped && !isQuoted) return true;
  if (isRandom) return isRandomRun(bytes, isQuoted ? start + 1 : start);
  return isQuoted || isPlainValue(bytes, start, bytes[at] === COLON);
}

/** As long as `isRandom` wants it. */
function isRandomRun(bytes: Uint8Array, from: number): boolean {
  let at = from;
  while (at - from < 20 && isTokenChar(bytes[at] ?? 0)) at++;
  return at - from >= 20 || isEscapedCharacter(bytes, at);
}

/** Behind a colon only what has a digit and a letter counts. */
function isPlainValue(bytes: Uint8Array, from: number, isColon: boolean): boolean {
  let at = from;
  let hasDigit = false;
  for (; at - from < 8192 && isInValue(bytes[at] ?? 0); at++) hasDigit ||= isDigit(bytes[at]);
  return isEscapedCharacter(bytes, at) || (isColon ? hasDigit && at - from >= 8 : at - from >= 3);
}

function isEscapedCharacter(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === BACKSLASH && bytes[at + 1] === 0x75;
}

/** Not a blank, a quote, a bracket, a separator or the end. */
function isInValue(c: number): boolean {
  return c > SPACE && OUTSIDE_VALUE[c] === 0;
}

const OUTSIDE_VALUE = new Uint8Array(256);
for (const c of '"\'`\\,;&|<>(){}[]') OUTSIDE_VALUE[codeOf(c)] = 1;

const isNameChar = (c: number): boolean => isLetter(c) || isDigit(c) || c === 95 || c === DASH || c === DOT;

const KEY_BEGIN = bytesOf('---BEGIN');

/** `--name`, or the beginning of a private key. */
export function isOption(bytes: Uint8Array, at: number): boolean {
  if (bytes[at - 1] === DASH) return false;
  if (bytes[at + 2] === DASH) return hasBytes(bytes, at + 2, KEY_BEGIN);
  let end = at + 2;
  while (end - at < 64 && (isLetter(bytes[end]) || bytes[end] === DASH || bytes[end] === 95)) end++;
  return end - at >= 5 && mayEndName(bytes[end - 3]!, bytes[end - 2]!, bytes[end - 1]!);
}
