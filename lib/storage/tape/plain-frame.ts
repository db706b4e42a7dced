/**
 * A fast path for the most common line of a tape: a message exactly as wiretape writes it. Parsing its head as JSON would
 * take half as long as parsing the message. All other lines are left to the general reader.
 */
import { isHeader } from '../../model/content-length.ts';
import { type Eol, type Frame, type From, NO_DETAIL } from '../../model/frame.ts';
import { textOf } from '../../model/message.ts';

const literal = (text: string): Uint8Array => new TextEncoder().encode(text);

const F = literal('{"f":');
const T = literal(',"t":');
const T0 = literal('"t0":');
const FROM = literal('"from":"');
const AGENT_MESSAGE = literal('"from":"agent","message":');
const EOL = literal('"eol":"');
const HEAD = literal('"head":"');
const MESSAGE = literal('"message":');
const QUOTE = 0x22;
const CLOSING_BRACE = 0x7d;
const COMMA = 0x2c;
const DOT = 0x2e;
const ZERO = 0x30;

const SPEAKERS: [Uint8Array, From][] = [
  [literal('agent",'), 'agent'],
  [literal('client",'), 'client'],
  [literal('stderr",'), 'stderr'],
];
const EOLS: [Uint8Array, Eol][] = [
  [literal('\\r\\n",'), '\r\n'],
  [literal('",'), ''],
];

/** Numbers with more digits would not be exact. */
const MAX_SECONDS_DIGITS = 9;
const MAX_FRAME_DIGITS = 15;
const MICROS_DIGITS = 6;

/** Its bytes stay in the buffer, and are decoded on demand, once: several readers ask for the same. */
class PlainFrame implements Frame {
  readonly f: number;
  readonly t: number;
  readonly t0: number | null;
  readonly from: From;
  readonly form = 'message';
  readonly head: string | undefined;
  readonly eol: Eol;
  readonly event = null;
  readonly detail = NO_DETAIL;
  readonly #bytes: Buffer;
  readonly #start: number;
  readonly #end: number;
  #raw: Buffer | null = null;
  #text: string | null | undefined;

  constructor(
    f: number,
    t: number,
    t0: number | null,
    from: From,
    head: string | undefined,
    eol: Eol,
    bytes: Buffer,
    start: number,
    end: number,
  ) {
    this.f = f;
    this.t = t;
    this.t0 = t0;
    this.from = from;
    this.head = head;
    this.eol = eol;
    this.#bytes = bytes;
    this.#start = start;
    this.#end = end;
  }

  get raw(): Buffer {
    this.#raw ??= this.#bytes.subarray(this.#start, this.#end);
    return this.#raw;
  }

  look<T>(see: (bytes: Uint8Array, start: number, end: number) => T): T {
    return see(this.#bytes, this.#start, this.#end);
  }

  get size(): number {
    return this.#end - this.#start;
  }

  get text(): string | null {
    if (this.#text === undefined) this.#text = this.#decoded();
    return this.#text;
  }

  #decoded(): string | null {
    const text = this.#bytes.toString('utf8', this.#start, this.#end);
    // U+FFFD is in the text itself, or replaces bytes that are not UTF-8.
    return text.includes('\ufffd') ? textOf(this.raw) : text;
  }
}

/** Reads the line from `start` to `lineEnd`; null if it has another form. The frame is valid as long as the bytes are. */
export function readPlainFrame(line: Buffer, start = 0, lineEnd = line.length): Frame | null {
  const end = lineEnd - 1;
  if (line[end] !== CLOSING_BRACE || !has(line, start, F)) return null;
  const f = integer(line, start + F.length, MAX_FRAME_DIGITS);
  // Frames are numbered from 1.
  if (f < 1 || !has(line, numberEnd, T)) return null;
  const t = seconds(line, numberEnd + T.length);
  if (t < 0) return null;
  let at = numberEnd;
  let t0: number | null = null;
  if (has(line, at, T0)) {
    t0 = seconds(line, at + T0.length);
    if (t0 < 0) return null;
    at = numberEnd;
  }
  if (!has(line, at, AGENT_MESSAGE)) return readOtherForm(line, at, end, f, t, t0);
  at += AGENT_MESSAGE.length;
  return at > end ? null : new PlainFrame(f, t, t0, 'agent', undefined, '\n', line, at, end);
}

/** The same from `from` on. Most lines are the agent's, and end with a line feed. */
function readOtherForm(line: Buffer, from: number, end: number, f: number, t: number, t0: number | null): Frame | null {
  if (!has(line, from, FROM)) return null;
  let at = from + FROM.length;
  const speaker = oneOf(SPEAKERS, line, at);
  if (!speaker) return null;
  at += speaker[0].length;
  let eol: Eol = '\n';
  if (has(line, at, EOL)) {
    at += EOL.length;
    const choice = oneOf(EOLS, line, at);
    if (!choice) return null;
    at += choice[0].length;
    eol = choice[1];
  }
  let head: string | undefined;
  if (has(line, at, HEAD)) {
    const quote = line.indexOf(QUOTE, at + HEAD.length);
    head = headerIn(line, at + HEAD.length, quote);
    if (head === undefined) return null;
    at = quote + 2;
    eol = '';
  }
  if (!has(line, at, MESSAGE) || at + MESSAGE.length > end) return null;
  return new PlainFrame(f, t, t0, speaker[1], head, eol, line, at + MESSAGE.length, end);
}

/** As almost everybody writes it. */
const PLAIN_HEADER = /^Content-Length: \d{1,15}\\r\\n\\r\\n$/;

/** Of a header, only line ends are escaped; undefined for any other text. */
function headerIn(line: Buffer, start: number, end: number): string | undefined {
  if (end < start || line[end + 1] !== COMMA) return undefined;
  const escaped = line.toString('latin1', start, end);
  if (PLAIN_HEADER.test(escaped)) return `${escaped.slice(0, -8)}\r\n\r\n`;
  const text = escaped.replaceAll('\\r', '\r').replaceAll('\\n', '\n');
  return isHeader(text) ? text : undefined;
}

function has(line: Uint8Array, at: number, bytes: Uint8Array): boolean {
  for (let i = 0; i < bytes.length; i++) if (line[at + i] !== bytes[i]) return false;
  return true;
}

function oneOf<T>(choices: [Uint8Array, T][], line: Uint8Array, at: number): [Uint8Array, T] | null {
  for (const choice of choices) if (has(line, at, choice[0])) return choice;
  return null;
}

/** Where the number ends that was read last. */
let numberEnd = 0;

/** An integer in JSON form, or -1. */
function integer(line: Uint8Array, at: number, most: number): number {
  let value = 0;
  let end = at;
  while (isDigit(line[end]!)) value = value * 10 + (line[end++]! - ZERO);
  numberEnd = end;
  const count = end - at;
  return count === 0 || count > most || (count > 1 && line[at] === ZERO) ? -1 : value;
}

/**
 * A number with six decimals and a comma behind it, or -1. The same value as JSON.parse gives: both numbers are exact, so the
 * quotient is correctly rounded.
 */
function seconds(line: Uint8Array, at: number): number {
  const whole = integer(line, at, MAX_SECONDS_DIGITS);
  if (whole < 0 || line[numberEnd] !== DOT) return -1;
  const end = numberEnd + 1 + MICROS_DIGITS;
  let micros = 0;
  for (let i = numberEnd + 1; i < end; i++) {
    if (!isDigit(line[i]!)) return -1;
    micros = micros * 10 + (line[i]! - ZERO);
  }
  numberEnd = end + 1;
  return line[end] === COMMA ? (whole * 1e6 + micros) / 1e6 : -1;
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= ZERO + 9;
}
