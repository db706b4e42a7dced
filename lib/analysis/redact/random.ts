/**
 * What looks as if a machine had drawn it: a run of at least twenty characters whose letters do not follow each other as in
 * words, and change with digits and capitals as in no name. It asks bytes of ASCII, and takes linear time.
 */
import { BACKSLASH, codeOf, EQUALS, hexAt } from './bytes.ts';
import { asciiText, type HarmlessIds } from './harmless-ids.ts';
import { LETTER_PAIRS } from './letter-pairs.ts';

/** Shorter runs are too uncertain, and no key is shorter that is any good. */
export const MIN_RANDOM_CHARS = 20;
/** A longer run is a file or a picture, not a key. */
export const MAX_RANDOM_CHARS = 512;

const [LOWER, UPPER, DIGIT, JOINT, SIGN] = [1, 2, 3, 4, 5];
/** Letters and digits, what stands between them in paths, names and base64, and the signs of generated passwords. */
const CHARACTER_CLASS = new Uint8Array(256);
for (let c = 97; c < 123; c++) CHARACTER_CLASS[c] = LOWER!;
for (let c = 65; c < 91; c++) CHARACTER_CLASS[c] = UPPER!;
for (let c = 48; c < 58; c++) CHARACTER_CLASS[c] = DIGIT!;
for (const c of '-_/+') CHARACTER_CLASS[c.charCodeAt(0)] = JOINT!;
for (const c of '!#$%&*?@^~') CHARACTER_CLASS[c.charCodeAt(0)] = SIGN!;

/** In half bits: how much less likely each of these is in a name than in what is random. */
const CAPITAL = -2;
const TO_OR_FROM_DIGIT = -3;
const BETWEEN_DIGITS = 1;
/** A number of three digits or more. */
const IN_NUMBER = 4;
const AT_SIGN = -4;
const AT_JOINT = 2;
/** One after the other in the alphabet, or the same twice: a pattern. */
const IN_ORDER = 1;
/** A part that is as likely as this is a word, and nothing random goes on over it. */
const WORD_SCORE = 12;
/** Together this unlikely. */
const MAX_SCORE = -20;
/** Without a digit. */
const MAX_SCORE_WITHOUT_DIGIT = -40;
/** On average, for each character. */
const MAX_SCORE_PER_CHAR = -0.6;

const [PERCENT, AND, QUESTION, UNDERSCORE] = [codeOf('%'), codeOf('&'), codeOf('?'), codeOf('_')];
const [SMALL_U, SMALL_X, ZERO] = [codeOf('u'), codeOf('x'), codeOf('0')];
const isHexDigit = (c: number): boolean => (c >= 48 && c <= 57) || ((c | 32) >= 97 && (c | 32) <= 102);

/** Of a number in hexadecimal, and of one that may be a key. */
const MIN_HEX_NUMBER_CHARS = 4;
const MIN_HEX_KEY_CHARS = 32;
/** A commit of git. */
const COMMIT_CHARS = 40;

/** Called with the position of something random, and that of its run; returns true to stop. */
export type OnRandom = (start: number, end: number, run: number, runEnd: number) => boolean;

/**
 * Calls `found` with everything random in these bytes, in order, until it returns true, and returns that. Other bytes than
 * those of ASCII end a run, and so does an escape of JSON before it.
 */
export function eachRandom(bytes: Uint8Array, length: number, known: HarmlessIds, found: OnRandom): boolean {
  for (let from = 0; from + MIN_RANDOM_CHARS <= length; ) {
    // A run that is long enough has no other byte in so many places: most of them need not be looked at.
    let at = from + MIN_RANDOM_CHARS - 1;
    while (at >= from && CHARACTER_CLASS[bytes[at]!] !== 0) at--;
    if (at >= from) {
      from = at + 1;
      continue;
    }
    let end = from + MIN_RANDOM_CHARS;
    while (end < length && CHARACTER_CLASS[bytes[end]!] !== 0) end++;
    if (findInRun(bytes, afterEscape(bytes, from), end, known, found)) return true;
    from = end + 1;
  }
  return false;
}

/** Where a run begins, if a backslash before it may make its first letter that of an escape. */
function afterEscape(bytes: Uint8Array, from: number): number {
  if (bytes[from - 1] !== BACKSLASH) return from;
  return bytes[from] === SMALL_U && hexAt(bytes, from + 1) >= 0 ? from + 5 : from + 1;
}

function findInRun(bytes: Uint8Array, from: number, to: number, known: HarmlessIds, found: OnRandom): boolean {
  if (to - from < MIN_RANDOM_CHARS) return false;
  if (to - from > MAX_RANDOM_CHARS) return isSealed(bytes, from) && found(from, to, from, to);
  const span = new RandomSpan(bytes, (start, end) => found(start, end, from, to));
  for (let at = from; at < to; ) {
    let end = at + (isCode(bytes, at) ? 3 : 1);
    const isPart = CHARACTER_CLASS[bytes[at]!]! < JOINT!;
    while (isPart && end < to && CHARACTER_CLASS[bytes[end]!]! < JOINT!) end++;
    if (isPart ? takePart(bytes, at, end, known, span) : takeSign(bytes, at, to, span)) return true;
    at = end;
  }
  return span.close();
}

/** What stands between parts. */
function takeSign(bytes: Uint8Array, at: number, to: number, span: RandomSpan): boolean {
  const isJoint = CHARACTER_CLASS[bytes[at]!] === JOINT;
  if (!isJoint && isOfUrl(bytes, at, to)) return span.close();
  span.sum += isJoint ? AT_JOINT : AT_SIGN;
  return false;
}

/** A part of letters and digits: a word, a number, something known, or something random. */
function takePart(bytes: Uint8Array, from: number, end: number, known: HarmlessIds, span: RandomSpan): boolean {
  const start = end - from > MIN_HEX_KEY_CHARS && bytes[from] === ZERO && bytes[from + 1] === SMALL_X ? from + 2 : from;
  if (end - start >= MIN_HEX_NUMBER_CHARS && isHexadecimal(bytes, start, end)) {
    if (end - start < MIN_HEX_KEY_CHARS) return span.add(start, end, 0);
    if (span.close()) return true;
    return isRandomHex(bytes, start, end) && !known.has(bytes, start, end) && span.found(start, end);
  }
  const score = scoreOf(bytes, start, end);
  if (score >= WORD_SCORE || (score < 0 && known.has(bytes, start, end))) return span.close();
  return span.add(start, end, score);
}

/** Names of what models encrypt for themselves, and how the base64 of a private key without its first line begins. */
const SEALED_NAME =
  /(?:signature|encrypted_content|encryptedContent|reasoning_opaque|reasoningOpaque)\\*"\s?:\s?\\*"$/i;
const KEYS_IN_BASE64 = /^(?:MII[EJCG]|MHcCAQE|MIGkAgE|MC4CAQA|MIGHAgE|b3BlbnNzaC1r)/;
const CHARS_BEFORE = 40;

/** Whether a run that is too long to be looked at is something that nobody should have. */
function isSealed(bytes: Uint8Array, from: number): boolean {
  if (KEYS_IN_BASE64.test(asciiText(bytes, from, from + 10))) return true;
  return from >= CHARS_BEFORE && SEALED_NAME.test(asciiText(bytes, from - CHARS_BEFORE, from));
}

/** Whether the sign has a meaning in a URL: a percent sign before a code, or what a parameter begins after. */
function isOfUrl(bytes: Uint8Array, at: number, to: number): boolean {
  const sign = bytes[at];
  if (isCode(bytes, at)) return true;
  if (sign !== AND && sign !== QUESTION) return false;
  let end = at + 1;
  while (end < to && (CHARACTER_CLASS[bytes[end]!]! < JOINT! || bytes[end] === UNDERSCORE)) end++;
  return bytes[end] === EQUALS;
}

const isCode = (bytes: Uint8Array, at: number): boolean =>
  bytes[at] === PERCENT && isHexDigit(bytes[at + 1] ?? 0) && isHexDigit(bytes[at + 2] ?? 0);

/** The least likely of consecutive parts. */
class RandomSpan {
  sum = 0;
  readonly found: (start: number, end: number) => boolean;
  readonly #bytes: Uint8Array;
  /** Where the parts begin that are looked at, and where the least likely of them begin and end. */
  #from = -1;
  #start = -1;
  #end = -1;
  #least = 0;

  constructor(bytes: Uint8Array, found: (start: number, end: number) => boolean) {
    this.#bytes = bytes;
    this.found = found;
  }

  add(start: number, end: number, score: number): false {
    if (this.#from < 0 || this.sum >= 0) {
      // What was found stays, unless this turns out to be less likely.
      if (score >= 0) return false;
      this.#from = start;
      this.sum = 0;
    }
    this.sum += score;
    if (this.sum >= this.#least) return false;
    this.#least = this.sum;
    this.#start = this.#from;
    this.#end = end;
    return false;
  }

  /** The span ends here: reports it if it is random. Returns whether to stop. */
  close(): boolean {
    const [start, end] = [this.#start, this.#end];
    const isFound = this.#isRandom();
    this.#from = -1;
    this.#start = -1;
    this.#least = 0;
    this.sum = 0;
    return isFound && this.found(start, end);
  }

  #isRandom(): boolean {
    const length = this.#end - this.#start;
    if (
      this.#start < 0 ||
      length < MIN_RANDOM_CHARS ||
      this.#least > MAX_SCORE ||
      this.#least > MAX_SCORE_PER_CHAR * length
    )
      return false;
    return this.#least <= MAX_SCORE_WITHOUT_DIGIT || hasDigit(this.#bytes, this.#start, this.#end);
  }
}

function hasDigit(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (CHARACTER_CLASS[bytes[i]!] === DIGIT) return true;
  return false;
}

function scoreOf(bytes: Uint8Array, start: number, end: number): number {
  let sum = 0;
  let before = bytes[start]!;
  let kind = CHARACTER_CLASS[before]!;
  for (let i = start + 1; i < end; i++) {
    const c = bytes[i]!;
    const next = CHARACTER_CLASS[c]!;
    const step = c - before;
    if (step <= 1 && step >= -1) sum += IN_ORDER;
    else if (next === DIGIT && kind === DIGIT)
      sum += i > start + 1 && CHARACTER_CLASS[bytes[i - 2]!] === DIGIT ? IN_NUMBER : BETWEEN_DIGITS;
    else if (next === DIGIT) sum += TO_OR_FROM_DIGIT;
    else if (kind === DIGIT) sum += TO_OR_FROM_DIGIT;
    else if (kind === LOWER && next === UPPER) sum += CAPITAL;
    else sum += LETTER_PAIRS[((before | 32) - 97) * 26 + (c | 32) - 97]!;
    before = c;
    kind = next;
  }
  return sum;
}

const isHexadecimal = (bytes: Uint8Array, start: number, end: number): boolean => {
  let small = false;
  let large = false;
  for (let i = start; i < end; i++) {
    const c = bytes[i]!;
    if (c >= 48 && c <= 57) continue;
    if (c >= 97 && c <= 102) small = true;
    else if (c >= 65 && c <= 70) large = true;
    else return false;
  }
  return !(small && large);
};

/** No commit, no number and no pattern. */
function isRandomHex(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start === COMMIT_CHARS) return false;
  let [digits, ordered, seen] = [0, 0, 0];
  for (let i = start; i < end; i++) {
    const c = bytes[i]!;
    const step = c - (bytes[i - 1] ?? 0);
    if (CHARACTER_CLASS[c] === DIGIT) digits++;
    if (i > start && step <= 1 && step >= -1) ordered++;
    seen |= 1 << (c & 31);
  }
  const letters = end - start - digits;
  let different = 0;
  for (; seen !== 0; seen &= seen - 1) different++;
  return digits >= 4 && letters >= 4 && different >= 9 && ordered * 5 < (end - start) * 2;
}
