/**
 * `judgeJson` for a line that arrives in pieces, so that a long line need not be kept in memory. A piece may end anywhere,
 * even inside an escape or a number. For whole lines `judgeJson` is twice as fast.
 */
import { type JsonVerdict, MAX_NESTING } from './json-line.ts';

// What may come next.
const VALUE = 0;
const VALUE_OR_END = 1;
const KEY = 2;
const KEY_OR_END = 3;
const COLON = 4;
const BEHIND_VALUE = 5;
const STRING = 6;
const ESCAPE = 7;
const HEX = 8;
/** After the escape of a high surrogate: the backslash and the `u` of the low one. */
const LOW_BACKSLASH = 9;
const LOW_U = 10;
const LITERAL = 11;
const MINUS = 12;
const ZERO = 13;
const DIGITS = 14;
const POINT = 15;
const FRACTION = 16;
const EXPONENT = 17;
const EXPONENT_SIGN = 18;
const EXPONENT_DIGITS = 19;
const WRONG = 20;

/** States in which a number may end. */
const ENDS_NUMBER = new Set([ZERO, DIGITS, FRACTION, EXPONENT_DIGITS]);
const LITERALS: Record<number, string> = { 116: 'rue', 102: 'alse', 110: 'ull' };

export class JsonJudge {
  #state = VALUE;
  #high = false;
  /** 1 for each object that is open, 0 for each array. */
  readonly #open = new Uint8Array(MAX_NESTING);
  #depth = 0;
  #isKey = false;
  /** What is left of `true`, `false` or `null`. */
  #word = '';
  #unit = 0;
  #hexDigits = 0;
  #wantsLow = false;

  feed(b: Uint8Array, start: number, end: number): void {
    let i = start;
    while (i < end && this.#state !== WRONG) {
      if (this.#state === STRING) i = this.#string(b, i, end);
      else if (this.#state < STRING) i = this.#structure(b, i, end);
      else if (this.#state >= MINUS) i = this.#number(b, i, end);
      else this.#byte(b[i++]!);
    }
  }

  get verdict(): JsonVerdict {
    const isWhole = this.#depth === 0 && (this.#state === BEHIND_VALUE || ENDS_NUMBER.has(this.#state));
    return !isWhole ? 'no' : this.#high ? 'high' : 'ascii';
  }

  // Each of these takes the position to continue at and returns the position after what it read.

  #string(b: Uint8Array, from: number, end: number): number {
    let high = false;
    let i = from;
    for (; i < end; i++) {
      const c = b[i]!;
      if (c === 0x22 || c === 0x5c || c < 0x20) break;
      if (c > 0x7f) high = true;
    }
    if (high) this.#high = true;
    if (i === end) return i;
    if (b[i] === 0x22) this.#state = this.#isKey ? COLON : BEHIND_VALUE;
    else this.#state = b[i] === 0x5c ? ESCAPE : WRONG;
    return i + 1;
  }

  /** Everything between strings, numbers and words. */
  #structure(b: Uint8Array, from: number, end: number): number {
    let state = this.#state;
    let i = from;
    while (i < end && state < STRING) {
      const c = b[i++]!;
      if (c === 0x20 || c === 0x09 || c === 0x0d || c === 0x0a) continue;
      if (state === BEHIND_VALUE) state = this.#behindValue(c);
      else if (state === COLON) state = c === 0x3a ? VALUE : WRONG;
      else if (state === KEY || state === KEY_OR_END) state = this.#key(c, state);
      else state = this.#value(c, state);
    }
    this.#state = state;
    return i;
  }

  #behindValue(c: number): number {
    if (this.#depth === 0) return WRONG;
    const isObject = this.#open[this.#depth - 1] === 1;
    if (c === 0x2c) return isObject ? KEY : VALUE;
    return c === (isObject ? 0x7d : 0x5d) ? this.#close() : WRONG;
  }

  #close(): number {
    this.#depth--;
    return BEHIND_VALUE;
  }

  #key(c: number, state: number): number {
    if (c === 0x7d && state === KEY_OR_END) return this.#close();
    this.#isKey = true;
    return c === 0x22 ? STRING : WRONG;
  }

  #value(c: number, state: number): number {
    this.#isKey = false;
    if (c === 0x22) return STRING;
    if (c === 0x7b || c === 0x5b) {
      if (this.#depth === MAX_NESTING) return WRONG;
      this.#open[this.#depth++] = c === 0x7b ? 1 : 0;
      return c === 0x7b ? KEY_OR_END : VALUE_OR_END;
    }
    if (c === 0x5d && state === VALUE_OR_END) return this.#close();
    if (c === 0x2d) return MINUS;
    if (c >= 0x30 && c <= 0x39) return c === 0x30 ? ZERO : DIGITS;
    this.#word = LITERALS[c] ?? '';
    return this.#word === '' ? WRONG : LITERAL;
  }

  #number(b: Uint8Array, from: number, end: number): number {
    let state = this.#state;
    let i = from;
    while (i < end && state >= MINUS && state !== WRONG) {
      const next = afterDigit(b[i]!, state);
      if (next !== BEHIND_VALUE) i++;
      // The byte that ends a number is not part of it.
      state = next !== BEHIND_VALUE || ENDS_NUMBER.has(state) ? next : WRONG;
    }
    this.#state = state;
    return i;
  }

  /** Escapes and words. */
  #byte(c: number): void {
    switch (this.#state) {
      case LITERAL:
        if (c !== this.#word.charCodeAt(0)) this.#state = WRONG;
        else if (this.#word.length === 1) this.#state = BEHIND_VALUE;
        this.#word = this.#word.slice(1);
        break;
      case ESCAPE:
        this.#hexDigits = 0;
        this.#unit = 0;
        if (c === 0x75) this.#state = HEX;
        else this.#state = '"\\/bfnrt'.includes(String.fromCharCode(c)) ? STRING : WRONG;
        break;
      case LOW_BACKSLASH:
        this.#state = c === 0x5c ? LOW_U : WRONG;
        break;
      case LOW_U:
        this.#hexDigits = 0;
        this.#unit = 0;
        this.#state = c === 0x75 ? HEX : WRONG;
        break;
      default:
        this.#hex(c);
    }
  }

  #hex(c: number): void {
    const lower = c | 0x20;
    const digit = c >= 0x30 && c <= 0x39 ? c - 0x30 : lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
    if (digit < 0) {
      this.#state = WRONG;
      return;
    }
    this.#unit = this.#unit * 16 + digit;
    this.#hexDigits++;
    if (this.#hexDigits < 4) return;
    const isHigh = this.#unit >= 0xd800 && this.#unit < 0xdc00;
    const isLow = this.#unit >= 0xdc00 && this.#unit <= 0xdfff;
    if (this.#wantsLow) this.#state = isLow ? STRING : WRONG;
    else this.#state = isHigh ? LOW_BACKSLASH : isLow ? WRONG : STRING;
    this.#wantsLow = isHigh && !this.#wantsLow;
  }
}

/** The state of a number after one more byte; `BEHIND_VALUE` if the byte is not part of the number. */
function afterDigit(c: number, state: number): number {
  const byte =
    c === 0x30 ? 0 : c > 0x30 && c <= 0x39 ? 1 : c === 0x2e ? 2 : (c | 0x20) === 0x65 ? 3 : isSign(c) ? 4 : 5;
  return byte === 5 ? BEHIND_VALUE : NUMBERS[state - MINUS]![byte]!;
}

function isSign(c: number): boolean {
  return c === 0x2b || c === 0x2d;
}

const NO = BEHIND_VALUE;
/** The next state for each state from `MINUS` on, after a zero, another digit, a point, an `e`, a sign. */
const NUMBERS: readonly (readonly number[])[] = [
  [ZERO, DIGITS, NO, NO, NO],
  [NO, NO, POINT, EXPONENT, NO],
  [DIGITS, DIGITS, POINT, EXPONENT, NO],
  [FRACTION, FRACTION, NO, NO, NO],
  [FRACTION, FRACTION, NO, EXPONENT, NO],
  [EXPONENT_DIGITS, EXPONENT_DIGITS, NO, NO, EXPONENT_SIGN],
  [EXPONENT_DIGITS, EXPONENT_DIGITS, NO, NO, NO],
  [EXPONENT_DIGITS, EXPONENT_DIGITS, NO, NO, NO],
];
