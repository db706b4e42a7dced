/**
 * JSON text as lines, token by token, without reading its values: big integers, `1e400`, keys that occur twice, their
 * order and every escape stay as they were sent. It keeps offsets instead of objects and does not recurse, so neither
 * size nor nesting is a danger.
 */

export const LINE = { scalar: 0, open: 1, close: 2, empty: 3 } as const;

export interface JsonLines {
  readonly text: string;
  readonly count: number;
  /** How many objects and arrays are open around it. */
  readonly depth: Uint32Array;
  /** One of `LINE`. */
  readonly is: Uint8Array;
  /** Where its key begins and ends, with quotes; -1 without a key. */
  readonly key: Int32Array;
  readonly keyEnd: Int32Array;
  /** Where its value, bracket or pair of brackets begins and ends. */
  readonly value: Int32Array;
  readonly valueEnd: Int32Array;
  /** 1 if a comma follows. */
  readonly comma: Uint8Array;
  /** Of an opening bracket the line of the closing one, and the other way round; -1: it is not there. */
  readonly match: Int32Array;
  /** False if the text ends before its value does. */
  readonly isWhole: boolean;
}

/** Null if it is not JSON. `isCut`: the text is only the beginning; what is there counts. */
export function jsonLines(text: string, isCut = false): JsonLines | null {
  const lines = new Lines(text);
  return lines.read(isCut) ? lines.done() : null;
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;

// What may come next.
const VALUE = 0;
const VALUE_OR_END = 1;
const KEY = 2;
const KEY_OR_END = 3;
const BEHIND = 4;
const END = 5;

/** How many numbers a line has while it is read. */
const WIDTH = 8;

class Lines {
  readonly #text: string;
  #columns = new Int32Array(WIDTH * 256);
  #count = 0;
  /** The lines of the brackets that are open. */
  readonly #open: number[] = [];
  #at = 0;
  #state = VALUE;
  #key = -1;
  #keyEnd = -1;

  constructor(text: string) {
    this.#text = text;
  }

  read(isCut: boolean): boolean {
    const text = this.#text;
    for (;;) {
      this.#skip();
      if (this.#at >= text.length) break;
      const c = text[this.#at]!;
      const isFine = this.#state === END ? false : this.#token(c);
      if (!isFine) return isCut && this.#count > 0 && this.#at >= text.length - 16;
      if (this.#at < 0) return isCut;
    }
    return this.#state === END || isCut;
  }

  done(): JsonLines {
    const column = (n: number) => {
      const out = new Int32Array(this.#count);
      for (let i = 0; i < this.#count; i++) out[i] = this.#columns[i * WIDTH + n]!;
      return out;
    };
    return {
      text: this.#text,
      count: this.#count,
      depth: new Uint32Array(column(0)),
      is: new Uint8Array(column(1)),
      key: column(2),
      value: column(3),
      valueEnd: column(4),
      comma: new Uint8Array(column(5)),
      match: column(6),
      keyEnd: column(7),
      isWhole: this.#state === END,
    };
  }

  #skip(): void {
    const text = this.#text;
    while (this.#at < text.length && ' \t\n\r'.includes(text[this.#at]!)) this.#at++;
  }

  /** Takes what begins here; false: it must not be here. A string without end moves to -1. */
  #token(c: string): boolean {
    if (this.#state === BEHIND) return this.#behind(c);
    if ((c === '}' && this.#state === KEY_OR_END) || (c === ']' && this.#state === VALUE_OR_END)) return this.#empty();
    if (this.#state === KEY || this.#state === KEY_OR_END) return c === '"' && this.#readKey();
    if (c === '{' || c === '[') return this.#opening(c);
    return this.#scalar(c);
  }

  #behind(c: string): boolean {
    const line = this.#open.at(-1)!;
    const isObject = this.#text[this.#columns[line * WIDTH + 3]!] === '{';
    if (c === ',') {
      this.#columns[(this.#count - 1) * WIDTH + 5] = 1;
      this.#state = isObject ? KEY : VALUE;
    } else if (c === (isObject ? '}' : ']')) {
      this.#open.pop();
      this.#columns[line * WIDTH + 6] = this.#count;
      this.#add(LINE.close, this.#at, this.#at + 1, line);
      this.#state = this.#open.length > 0 ? BEHIND : END;
    } else return false;
    this.#at++;
    return true;
  }

  /** The bracket that was just opened is closed at once: both are one line. */
  #empty(): boolean {
    const line = this.#open.pop()!;
    this.#at++;
    this.#columns[line * WIDTH + 1] = LINE.empty;
    this.#columns[line * WIDTH + 4] = this.#at;
    this.#state = this.#open.length > 0 ? BEHIND : END;
    return true;
  }

  #readKey(): boolean {
    const end = stringEnd(this.#text, this.#at);
    if (end < 0) {
      this.#at = -1;
      return true;
    }
    this.#key = this.#at;
    this.#keyEnd = end;
    this.#at = end;
    this.#skip();
    if (this.#at < this.#text.length && this.#text[this.#at] !== ':') return false;
    this.#at++;
    this.#state = VALUE;
    return true;
  }

  #opening(c: string): boolean {
    this.#open.push(this.#count);
    this.#add(LINE.open, this.#at, this.#at + 1, -1, 1);
    this.#at++;
    this.#state = c === '{' ? KEY_OR_END : VALUE_OR_END;
    return true;
  }

  #scalar(c: string): boolean {
    const end = c === '"' ? stringEnd(this.#text, this.#at) : this.#plainEnd();
    if (end === 0) return false;
    // The rest of a string that was cut off is shown as far as it goes.
    this.#add(LINE.scalar, this.#at, end < 0 ? this.#text.length : end, -1);
    this.#at = end;
    this.#state = this.#open.length > 0 ? BEHIND : END;
    return true;
  }

  /** After a number or a word; 0 if it is neither. */
  #plainEnd(): number {
    for (const one of [NUMBER, WORD]) {
      one.lastIndex = this.#at;
      if (one.test(this.#text)) return one.lastIndex;
    }
    return 0;
  }

  #add(is: number, from: number, to: number, match: number, outer = 0): void {
    if ((this.#count + 1) * WIDTH > this.#columns.length) {
      const more = new Int32Array(this.#columns.length * 2);
      more.set(this.#columns);
      this.#columns = more;
    }
    this.#columns.set(
      [this.#open.length - outer, is, this.#key, from, to, 0, match, this.#keyEnd],
      this.#count * WIDTH,
    );
    this.#key = -1;
    this.#keyEnd = -1;
    this.#count++;
  }
}

/** From an opening quote to after the closing one; -1 if there is none. */
function stringEnd(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    const c = text.charCodeAt(at);
    if (c === 0x5c) at++;
    else if (c === 0x22) return at + 1;
  }
  return -1;
}

const PLAIN_KEY = /^[\p{L}_$][\p{L}\p{N}_$-]*$/u;

/** Where the value of a line is, as `$.params.items[3]["odd key"]`. */
export function pathOf(lines: JsonLines, line: number): string {
  const steps: string[] = [];
  let at = lines.is[line] === LINE.close ? lines.match[line]! : line;
  while (lines.depth[at]! > 0) {
    const key = lines.key[at]!;
    const depth = lines.depth[at]!;
    let index = 0;
    let up = at - 1;
    for (; up >= 0 && lines.depth[up]! >= depth; up--)
      if (lines.depth[up] === depth && lines.is[up] !== LINE.close) index++;
    steps.push(key < 0 ? `[${index}]` : stepOf(lines.text.slice(key, lines.keyEnd[at]!)));
    at = up;
  }
  return `$${steps.reverse().join('')}`;
}

function stepOf(quoted: string): string {
  const bare = quoted.slice(1, -1);
  return PLAIN_KEY.test(bare) ? `.${bare}` : `[${quoted}]`;
}

/** The value of a line as it was sent. */
export function valueAt(lines: JsonLines, line: number): string {
  const first = lines.is[line] === LINE.close ? lines.match[line]! : line;
  if (lines.is[first] !== LINE.open) return lines.text.slice(lines.value[first]!, lines.valueEnd[first]!);
  const last = lines.match[first]!;
  return lines.text.slice(lines.value[first]!, last < 0 ? lines.text.length : lines.valueEnd[last]!);
}

/** All lines as text, with two blanks for each level. */
export function prettyText(lines: JsonLines): string {
  const out: string[] = [];
  for (let i = 0; i < lines.count; i++) out.push(prettyLine(lines, i));
  return out.join('\n');
}

/** Deeper lines are not indented more, else a bomb of brackets would grow with the square of its size. */
const MAX_INDENT = 100;

export function prettyLine(lines: JsonLines, i: number): string {
  const { text, key, keyEnd, value, valueEnd } = lines;
  const indent = '  '.repeat(Math.min(lines.depth[i]!, MAX_INDENT));
  const name = key[i]! < 0 ? '' : `${text.slice(key[i]!, keyEnd[i]!)}: `;
  const shown = lines.is[i] === LINE.empty ? emptyOf(text[value[i]!]!) : text.slice(value[i]!, valueEnd[i]!);
  return `${indent}${name}${shown}${lines.comma[i] === 1 ? ',' : ''}`;
}

/** Blanks between the two brackets are no content. */
export const emptyOf = (bracket: string): string => (bracket === '{' ? '{}' : '[]');
