/**
 * Whether anything can be found in a text: one look at its bytes, before it is read in any other way. It has to let through
 * whatever the detector would find in the text or in a reading of it, and may let through more. Most lines end here.
 *
 * An escape in JSON needs no reading of its own: after `\n` a word begins as it does after a blank. Only an escape that
 * stands for a character of a secret lets the text through.
 */
import { isTokenChar, KEY_FORMATS, MIN_KEY_CHARS } from '../../model/text/key-formats.ts';
import { isAssignment, isOption } from './assignment.ts';
import { isBase64, isText, MIN_BASE64_CHARS } from './base64.ts';
import {
  BACKSLASH,
  BytePrefixes,
  bytesOf,
  COLON,
  codeOf,
  DASH,
  EQUALS,
  encoder,
  HEX_VALUES,
  hasBytes,
  hexAt,
  isBreak,
  isDigit,
  SPACE,
  startsWord,
} from './bytes.ts';
import type { HarmlessIds } from './harmless-ids.ts';
import { PEOPLE_PAIRS } from './people.ts';
import { mayBeNumber, mayBePerson, PEOPLE_STARTS } from './people-bytes.ts';
import { eachRandom } from './random.ts';
import { ANNOUNCED_SECRETS } from './secret-names.ts';
import { isChineseEscape, isSecretWord, SECRET_WORD_PAIRS } from './secret-words.ts';
import { SERVICE_WORDS } from './service-secrets.ts';
import { mayLookDifferent } from './visible-bytes.ts';

/** Nothing can be found; only in base64; anywhere. */
export const NOTHING_FOUND = 0;
export const ONLY_ENCODED = 1;
export const MAY_BE_FOUND = 2;

const WORD = 1;
const LITERAL = 2;
const ASSIGN = 4;
const AT = 8;
const DASHES = 16;
const ESCAPE = 32;
const NUMBER = 64;
const OTHER = 128;
const NAME = 256;
/** What starts only where a word does. */
const IN_WORDS = WORD | NUMBER;

const KEY_PREFIXES = new BytePrefixes();
const WORD_PREFIXES = new BytePrefixes();
const OTHER_PREFIXES = new BytePrefixes();
const BASE_MARKS = new Uint16Array(1 << 16);
const mark = (pair: number, bit: number): void => {
  BASE_MARKS[pair]! |= bit;
};
for (let c = 0; c < 256; c++) {
  mark((COLON << 8) | c, ASSIGN);
  mark((EQUALS << 8) | c, ASSIGN);
  mark((codeOf('@') << 8) | c, AT);
}
for (const c of 'uU/') mark((BACKSLASH << 8) | codeOf(c), ESCAPE);
for (let a = 48; a < 58; a++) {
  for (let b = 48; b < 58; b++) mark((a << 8) | b, NUMBER);
  mark((codeOf('%') << 8) | a, OTHER);
}
for (const c of 'abcdefABCDEF') mark((codeOf('%') << 8) | codeOf(c), OTHER);
mark((DASH << 8) | DASH, DASHES);
for (const start of ['.atlasv1.', 'Q~', ...PEOPLE_STARTS, ...SERVICE_WORDS])
  mark(OTHER_PREFIXES.add(bytesOf(start)), OTHER);
for (const { starts } of KEY_FORMATS) for (const start of starts) mark(KEY_PREFIXES.add(bytesOf(start)), WORD);
for (const { start } of ANNOUNCED_SECRETS) mark(WORD_PREFIXES.add(bytesOf(start)), WORD);
for (const pair of SECRET_WORD_PAIRS) mark(pair, NAME);
for (const pair of PEOPLE_PAIRS) mark((codeOf(pair[0]!) << 8) | codeOf(pair[1]!), OTHER);

/** Where a text is written as bytes, to be looked at. */
let scratch = new Uint8Array(1 << 16);

export class RedactionSieve {
  readonly #marks = new Uint16Array(BASE_MARKS);
  readonly #literals = new Map<number, Uint8Array[]>();
  /** Something is looked for that bytes do not tell. */
  #passesAll = false;
  /** A literal has characters beyond ASCII, which may stand there as escapes. */
  #hasNonAscii = false;

  readonly #known: HarmlessIds;

  constructor(known: HarmlessIds) {
    this.#known = known;
  }

  /** Everything passes from now on. */
  passAll(): void {
    this.#passesAll = true;
  }

  add(literal: string): void {
    // As far as no escape can be in it.
    const plain = /^[^"\\%\p{Cc}]*/u.exec(literal)![0];
    if (/[^\0-\x7f]/.test(plain)) this.#hasNonAscii = true;
    const bytes = bytesOf(plain);
    if (bytes.length < 2) this.#passesAll = true;
    else this.#mark(bytes);
  }

  #mark(literal: Uint8Array): void {
    const pair = (literal[0]! << 8) | literal[1]!;
    this.#marks[pair]! |= LITERAL;
    this.#literals.set(pair, [...(this.#literals.get(pair) ?? []), literal]);
  }

  lookAtText(text: string): number {
    if (this.#passesAll) return MAY_BE_FOUND;
    if (scratch.length <= text.length * 3) scratch = new Uint8Array(text.length * 3 + 1);
    const { written } = encoder.encodeInto(text, scratch);
    // What is left of the text before must not go on with this one.
    scratch[written] = 0;
    return this.look(scratch, written);
  }

  /** The bytes are UTF-8. */
  look(bytes: Uint8Array, length = bytes.length): number {
    if (this.#passesAll || mayLookDifferent(bytes, length)) return MAY_BE_FOUND;
    const marks = this.#marks;
    let pair = bytes[0]!;
    for (let i = 1; i < length; i++) {
      pair = ((pair & 255) << 8) | bytes[i]!;
      const bits = marks[pair]!;
      if (bits === 0 || ((bits & ~IN_WORDS) === 0 && !startsWord(bytes, i - 1))) continue;
      if (this.#isSuspect(bytes, i - 1, length, pair, bits)) return MAY_BE_FOUND;
    }
    if (eachRandom(bytes, length, this.#known, stopAtFirst)) return MAY_BE_FOUND;
    return hasEncoded(bytes, length) ? ONLY_ENCODED : NOTHING_FOUND;
  }

  #isSuspect(bytes: Uint8Array, at: number, length: number, pair: number, bits: number): boolean {
    if (bits & LITERAL && this.#literals.get(pair)!.some((literal) => hasBytes(bytes, at, literal))) return true;
    if (bits & NAME && isSecretWord(bytes, at, pair)) return true;
    if (bits & ASSIGN && (isAssignment(bytes, at) || isPort(bytes, at))) return true;
    if (bits & AT && mayPrecedeAt(bytes[at - 1])) return true;
    if (bits & DASHES && isOption(bytes, at)) return true;
    if (bits & ESCAPE && this.#isMeantEscape(bytes, at)) return true;
    if (bits & OTHER && isOther(bytes, at, length, pair)) return true;
    if (!(bits & IN_WORDS) || !startsWord(bytes, at)) return false;
    if (bits & NUMBER && mayBeNumber(bytes, at)) return true;
    return (bits & WORD) !== 0 && isWord(bytes, at, pair);
  }

  /** `\/`, `\U` of a path, and `\u` of a character that a secret may have. */
  #isMeantEscape(bytes: Uint8Array, at: number): boolean {
    if (bytes[at + 1] !== 0x75) return true;
    if (isChineseEscape(bytes, at)) return true;
    const code = hexAt(bytes, at + 2);
    return code >= 0 && ((code >= 0x20 && code < 0x7f) || (code >= 0x7f && this.#hasNonAscii));
  }
}

const stopAtFirst = (): boolean => true;

/** Before the `@` of an address or a URL: no blank, quote, slash or angle bracket. */
function mayPrecedeAt(c: number | undefined): boolean {
  return c !== undefined && c > SPACE && c !== 34 && c !== 39 && c !== 47 && c !== 60 && c !== 62 && c !== BACKSLASH;
}

function isOther(bytes: Uint8Array, at: number, length: number, pair: number): boolean {
  if (bytes[at] === 0x25) return HEX_VALUES[bytes[at + 2] ?? 0]! >= 0;
  return OTHER_PREFIXES.standsAt(bytes, at, pair) || mayBePerson(bytes, at, length);
}

/** A port, or any, between two colons. */
function isPort(bytes: Uint8Array, at: number): boolean {
  if (bytes[at] !== COLON) return false;
  let end = at + 1;
  if (bytes[end] === 0x2a) end++;
  else while (end - at < 7 && isDigit(bytes[end])) end++;
  return bytes[end] === COLON && (end - at >= 5 || bytes[at + 1] === 0x2a);
}

/** A key, or a word that announces one. */
function isWord(bytes: Uint8Array, at: number, pair: number): boolean {
  return WORD_PREFIXES.standsAt(bytes, at, pair) || (KEY_PREFIXES.standsAt(bytes, at, pair) && isLong(bytes, at));
}

/** As long as keys are, or broken by the end of a line. */
function isLong(bytes: Uint8Array, at: number): boolean {
  let end = at;
  while (end - at < MIN_KEY_CHARS && isTokenChar(bytes[end] ?? 0)) end++;
  return end - at >= MIN_KEY_CHARS || isBreak(bytes, end);
}

const MAX_SAMPLED_BYTES = 96;

/** Whether a run of base64 may stand for text. In front of it may be the letters of an escape. */
function hasEncoded(bytes: Uint8Array, length: number): boolean {
  for (let start = 0; start + MIN_BASE64_CHARS <= length; ) {
    let at = start + MIN_BASE64_CHARS - 1;
    while (at >= start && isBase64(bytes[at]!)) at--;
    if (at >= start) start = at + 1;
    else {
      const end = runEnd(bytes, start + MIN_BASE64_CHARS, length);
      if (end - start > MAX_SAMPLED_BYTES || mayBeText(bytes, start, end)) return true;
      start = end + 1;
    }
  }
  return false;
}

function runEnd(bytes: Uint8Array, from: number, length: number): number {
  let at = from;
  while (at < length && isBase64(bytes[at]!)) at++;
  return at;
}

function mayBeText(bytes: Uint8Array, start: number, end: number): boolean {
  const before = bytes[start - 1] !== BACKSLASH ? 0 : bytes[start] === 0x75 ? 5 : 1;
  for (let from = start; from < start + 4 + before && end - from >= MIN_BASE64_CHARS; from++)
    if (isText(bytes, from, end)) return true;
  return false;
}
