/** What the sieve asks about bytes in UTF-8. What it says is true in every reading of them: an escape may stand anywhere. */

export const codeOf = (c: string): number => c.charCodeAt(0);
export const BACKSLASH = codeOf('\\');
export const [SPACE, DASH, DOT, COLON, EQUALS] = [codeOf(' '), codeOf('-'), codeOf('.'), codeOf(':'), codeOf('=')];

export const encoder = new TextEncoder();
export const bytesOf = (text: string): Uint8Array => encoder.encode(text);

/** How something may begin, by its first two bytes. */
export class BytePrefixes {
  /** For each pair, which list of the rests is its own; 0 if none begins so. */
  readonly #lists = new Uint16Array(1 << 16);
  readonly #rests: Uint8Array[][] = [[]];

  add(bytes: Uint8Array): number {
    const pair = (bytes[0]! << 8) | bytes[1]!;
    if (this.#lists[pair] === 0) this.#lists[pair] = this.#rests.push([]) - 1;
    this.#rests[this.#lists[pair]!]!.push(bytes.slice(2));
    return pair;
  }

  /** Whether one of them stands here. */
  standsAt(bytes: Uint8Array, at: number, pair: number): boolean {
    for (const rest of this.#rests[this.#lists[pair]!]!) if (hasBytes(bytes, at + 2, rest)) return true;
    return false;
  }
}

export function hasBytes(bytes: Uint8Array, at: number, rest: Uint8Array): boolean {
  for (let i = 0; i < rest.length; i++) if (bytes[at + i] !== rest[i]) return false;
  return true;
}

/** The number of four hexadecimal digits; -1 if there are none. */
export function hexAt(bytes: Uint8Array, at: number): number {
  let code = 0;
  for (let i = at; i < at + 4; i++) {
    const digit = HEX_VALUES[bytes[i] ?? 0]!;
    if (digit < 0) return -1;
    code = (code << 4) | digit;
  }
  return code;
}

export const HEX_VALUES = new Int8Array(256).fill(-1);
for (const c of '0123456789abcdefABCDEF') HEX_VALUES[codeOf(c)] = Number.parseInt(c, 16);

export const isDigit = (c: number | undefined): boolean => c !== undefined && c >= 48 && c <= 57;
export const isLetter = (c: number | undefined): boolean => c !== undefined && (c | 32) >= 97 && (c | 32) <= 122;

/** Whether a word may start here, in any reading: before it is no letter or digit, or one that ends an escape. */
export function startsWord(bytes: Uint8Array, at: number): boolean {
  if (at === 0) return true;
  const c = bytes[at - 1]!;
  if (!isLetter(c) && !isDigit(c)) return true;
  return bytes[at - 2] === BACKSLASH || (bytes[at - 6] === BACKSLASH && bytes[at - 5] === 0x75);
}

/** Whether a line ends here, in any reading. */
export function isBreak(bytes: Uint8Array, at: number): boolean {
  let end = at;
  while (bytes[end] === BACKSLASH) end++;
  const c = bytes[end];
  return c === 10 || c === 13 || (end > at && (c === 0x6e || c === 0x72 || c === 0x75));
}
