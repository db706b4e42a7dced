/**
 * Other readings of a text: with the escapes of JSON resolved, with percent signs resolved, and what base64 in it stands
 * for. A view knows where each of its characters stands in the text. JSON in a string in JSON is a view of a view; that it
 * is whole or valid does not matter, because streamed arguments are neither.
 */
import { textOf } from '../../model/message.ts';
import { decodeBase64, encodeBase64, isText, MIN_BASE64_CHARS, nextRun, runEnd } from './base64.ts';

export class TextView {
  text = '';
  /** From these positions of the view on, characters stand at those of the source, one by one. */
  readonly #viewPositions: number[] = [0];
  readonly #sourcePositions: number[] = [0];

  /** Adds text that stands at this position of the source. */
  add(text: string, at: number): void {
    this.#viewPositions.push(this.text.length);
    this.#sourcePositions.push(at);
    this.text += text;
  }

  /** The position in the source. For the end of the view, an empty text must be added last. */
  at(position: number): number {
    let [low, high] = [0, this.#viewPositions.length - 1];
    while (low < high) {
      const mid = (low + high + 1) >> 1;
      if (this.#viewPositions[mid]! <= position) low = mid;
      else high = mid - 1;
    }
    return this.#sourcePositions[low]! + position - this.#viewPositions[low]!;
  }
}

const SIMPLE_ESCAPES: Record<string, string> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};
const HEX4 = /^[0-9a-fA-F]{4}$/;

/** With escapes resolved; null if there are none. */
export function viewUnescaped(text: string): TextView | null {
  let slash = text.indexOf('\\');
  if (slash < 0) return null;
  const view = new TextView();
  let done = 0;
  for (; slash >= 0 && slash + 1 < text.length; slash = text.indexOf('\\', done)) {
    const c = text[slash + 1]!;
    const code = c === 'u' ? text.slice(slash + 2, slash + 6) : '';
    const character = HEX4.test(code) ? String.fromCharCode(Number.parseInt(code, 16)) : SIMPLE_ESCAPES[c];
    // Not an escape: the backslash stays.
    const length = character === undefined ? 1 : code === '' ? 2 : 6;
    if (slash > done) view.add(text.slice(done, slash), done);
    view.add(character ?? '\\', slash);
    done = slash + length;
  }
  view.add(text.slice(done), done);
  view.add('', text.length);
  return view;
}

const HEX2 = /^[0-9a-fA-F]{2}$/;
/** How many characters of a word before its first percent sign count. */
const MAX_CHARS_BEFORE = 200;

/** The words with percent signs, resolved, a line each; null if there are none. */
export function viewUnpercented(text: string): TextView | null {
  let view: TextView | null = null;
  for (let sign = nextPercent(text, 0); sign >= 0; ) {
    view ??= new TextView();
    let start = sign;
    while (start > 0 && sign - start < MAX_CHARS_BEFORE && isInWord(text.charCodeAt(start - 1))) start--;
    view.add(text.slice(start, sign), start);
    let at = sign;
    while (isPercent(text, at) || isInWord(text.charCodeAt(at))) {
      if (isPercent(text, at)) {
        view.add(String.fromCharCode(Number.parseInt(text.slice(at + 1, at + 3), 16)), at);
        at += 3;
      } else {
        const from = at;
        while (isInWord(text.charCodeAt(at))) at++;
        view.add(text.slice(from, at), from);
      }
    }
    view.add('\n', at);
    sign = nextPercent(text, at);
  }
  return view;
}

function nextPercent(text: string, from: number): number {
  let at = text.indexOf('%', from);
  while (at >= 0 && !isPercent(text, at)) at = text.indexOf('%', at + 1);
  return at;
}

function isPercent(text: string, at: number): boolean {
  return text.charCodeAt(at) === 0x25 && HEX2.test(text.slice(at + 1, at + 3));
}

/** Not a blank, a quote, a bracket, a backslash or a percent sign; not the end. */
function isInWord(c: number): boolean {
  return c > 0x20 && c !== 0x22 && c !== 0x27 && c !== 0x3c && c !== 0x3e && c !== 0x5c && c !== 0x25;
}

/** Base64 that stands for text. */
export interface EncodedText {
  start: number;
  end: number;
  text: string;
  /** The same with another text. */
  encodeAgain(text: string): string;
}

/** Up to this length, the run is read from each of its first four characters: a path may stand before. */
const MAX_MISALIGNED_CHARS = 4096;
const MAX_SAMPLED_CHARS = 96;
const MIN_WRAPPED_CHARS = 60;
const NO_ENCODED: EncodedText[] = [];

export function encodedIn(text: string): readonly EncodedText[] {
  let all: EncodedText[] = NO_ENCODED;
  for (let i = nextRun(text, 0, MIN_BASE64_CHARS); i >= 0; ) {
    const end = runEnd(text, i);
    const whole = wrappedEnd(text, i, end);
    const found = whole > end ? readEncoded(text, i, whole) : readMisaligned(text, i, end);
    if (found && all === NO_ENCODED) all = [found];
    else if (found) all.push(found);
    i = nextRun(text, Math.max(whole, end) + 1, MIN_BASE64_CHARS);
  }
  return all;
}

/** Where base64 in lines of the same length ends. */
function wrappedEnd(text: string, start: number, end: number): number {
  const width = end - start;
  let [at, last] = [end, end];
  while (width >= MIN_WRAPPED_CHARS && (text[at] === '\n' || text.startsWith('\r\n', at))) {
    const from = at + (text[at] === '\n' ? 1 : 2);
    last = runEnd(text, from);
    if (last === from || last - from > width) return at;
    at = last;
    if (last - from < width) break;
  }
  return at;
}

function readMisaligned(text: string, start: number, end: number): EncodedText | null {
  if (end - start > MAX_MISALIGNED_CHARS) return readEncoded(text, start, end);
  for (let skip = 0; skip < 4; skip++) {
    const found = end - start - skip >= MIN_BASE64_CHARS ? readEncoded(text, start + skip, end) : null;
    if (found) return found;
  }
  return null;
}

function readEncoded(text: string, start: number, to: number): EncodedText | null {
  if (!looksLikeText(text, start, to)) return null;
  let end = to;
  while (end - to < 2 && text[end] === '=') end++;
  const written = text.slice(start, end);
  const plain = written.replace(/[\r\n=]/g, '');
  const bytes = decodeBase64(plain, 0, plain.length);
  const decoded = textOf(bytes);
  const wrap = /^([^\r\n]+)(\r?\n)/.exec(written);
  return {
    start,
    end,
    text: decoded ?? Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''),
    encodeAgain(changed) {
      const raw =
        decoded === null ? Uint8Array.from(changed, (c) => c.charCodeAt(0)) : new TextEncoder().encode(changed);
      const encodeAgain = encodeBase64(raw, written.replace(/[\r\n]/g, ''));
      return wrap
        ? encodeAgain.replace(new RegExp(`.{${wrap[1]!.length}}(?=.)`, 'g'), (line) => line + wrap[2])
        : encodeAgain;
    },
  };
}

/** All of it if it is short; else the first bytes, some in the middle or the last ones. */
function looksLikeText(text: string, start: number, end: number): boolean {
  const length = end - start;
  if (length <= MAX_SAMPLED_CHARS) return isTextIn(text, start, end);
  const middle = start + ((length >> 3) << 2);
  const last = start + ((length - MAX_SAMPLED_CHARS) & ~3);
  return [start, middle, last].some((from) => isTextIn(text, from, Math.min(end, from + MAX_SAMPLED_CHARS)));
}

const sample = new Uint8Array(MAX_SAMPLED_CHARS);

function isTextIn(text: string, from: number, to: number): boolean {
  for (let i = from; i < to; i++) sample[i - from] = text.charCodeAt(i);
  return isText(sample, 0, to - from);
}
