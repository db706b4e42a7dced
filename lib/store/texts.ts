/**
 * What was said, as full text: the strings of a session's frames in lower case, packed into blocks of some 64 kB, so
 * that a search is a scan of few rows. Beside each block stands where the text of each frame ends in it. Text that came
 * in pieces lies together, whatever came between; a block that goes on with such a text begins with the end of what
 * was there before, so that nothing is missed at the seam.
 */
import { crc32 } from 'node:zlib';
import { BETWEEN, endOf, isFindable, matches, type Said } from '../core/searchable.ts';
import type { FrameSet } from './frame-set.ts';
import { damage } from './sqlite.ts';

/** A row of the table `texts`. */
export interface TextBlock {
  text: Buffer;
  /** Pairs of a frame (0: said before) and the length of its text in bytes, as packed numbers. */
  ends: Buffer;
}

/** What the block comes to, kept beside it: a page of it that was overwritten shows when it is searched. */
export function sumOf({ text, ends }: TextBlock): number {
  return crc32(ends, crc32(text));
}

/** A block as it was written, or an error. */
export function checkBlock(block: TextBlock & { sum: number }): TextBlock {
  if (Buffer.isBuffer(block.text) && Buffer.isBuffer(block.ends) && sumOf(block) === block.sum) return block;
  throw damage('a block of its full text is not as it was written');
}

const BLOCK = 1 << 16;
/** So many frames are a block, however little they say. */
const MOST_PIECES = 8192;

const HALF = /[\ud800-\udbff]$/;
const HALVES = /\p{Surrogate}/u;

interface Piece {
  f: number;
  text: string;
}

export class TextPacker {
  #texts: string[] = [];
  #ends: number[] = [];
  readonly #streams = new Map<string, Piece[]>();
  #length = 0;
  #pieces = 0;

  /** The block that is full with this frame, if one is. */
  add(f: number, { own, more }: Said): TextBlock | null {
    if (own !== '') {
      this.#put(f, own);
      this.#put(0, BETWEEN);
      this.#count(own);
    }
    if (more) {
      const known = this.#streams.get(more.stream);
      // Where nothing is remembered of what was before, nothing runs on from it.
      if (known && more.before === '') known.push({ f: 0, text: BETWEEN });
      if (known) known.push({ f, text: more.text });
      else {
        this.#streams.set(more.stream, [
          { f: 0, text: more.before },
          { f, text: more.text },
        ]);
      }
      this.#count(more.text);
    }
    return this.#length >= BLOCK || this.#pieces >= MOST_PIECES ? this.flush() : null;
  }

  /** What is left, as a block. */
  flush(): TextBlock | null {
    if (this.#pieces === 0) return null;
    for (const pieces of this.#streams.values()) {
      // Half a character goes with its other half.
      let half = '';
      pieces.forEach(({ f, text }, i) => {
        const whole = half + text;
        half = i + 1 < pieces.length && HALF.test(whole) ? whole.at(-1)! : '';
        this.#put(f, whole.slice(0, whole.length - half.length));
      });
      this.#put(0, BETWEEN);
    }
    const block = { text: Buffer.from(this.#texts.join('')), ends: pack(this.#ends) };
    this.#texts = [];
    this.#ends = [];
    this.#streams.clear();
    this.#length = 0;
    this.#pieces = 0;
    return block;
  }

  #put(f: number, text: string): void {
    // UTF-8 would make a U+FFFD of half a character, which can be searched for.
    const whole = HALVES.test(text) ? text.replace(/\p{Surrogate}/gu, BETWEEN) : text;
    this.#texts.push(whole);
    this.#ends.push(f, Buffer.byteLength(whole));
  }

  #count(text: string): void {
    this.#length += text.length;
    this.#pieces++;
  }
}

/** Adds the frames of a block in which the term ends. */
export function findIn({ text, ends }: TextBlock, term: Buffer, found: FrameSet): void {
  let at = text.indexOf(term);
  if (at < 0) return;
  const pairs = new Pairs(ends);
  let passed = 0;
  while (pairs.next()) {
    passed += pairs.length;
    // The term ends in this piece, or only in a later one.
    while (at + term.length <= passed) {
      if (pairs.f !== 0) found.add(pairs.f);
      // One is enough.
      at = text.indexOf(term, passed - term.length + 1);
      if (at < 0) return;
    }
  }
}

/** So many frames are looked at between two looks up. */
const PATIENCE = 64;

/** Adds the frames of a block in which a match ends. Regular expressions may take long: it looks up now and then. */
export function* matchIn({ text, ends }: TextBlock, regex: RegExp, found: FrameSet): Generator<null> {
  const whole = text.toString();
  const isAscii = whole.length === text.length;
  const pairs = new Pairs(ends);
  let at = 0;
  let before = '';
  for (let n = 1; pairs.next(); n++) {
    const to = at + pairs.length;
    const piece = isAscii ? whole.slice(at, to) : text.toString('utf8', at, to);
    at = to;
    if (pairs.f === 0) before = piece === BETWEEN ? '' : piece;
    else {
      if (matches(regex, before, piece)) found.add(pairs.f);
      before = endOf(`${before}${piece}`);
    }
    if (n % PATIENCE === 0) yield null;
  }
}

/** The term as it is looked for; null if nothing has it in it. */
export function termBytes(term: string): Buffer | null {
  return isFindable(term) ? Buffer.from(term) : null;
}

/** Whole numbers, each as the difference to the one two before it, seven bits a byte. */
function pack(numbers: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafe(numbers.length * 9);
  const before = [0, 0];
  let at = 0;
  numbers.forEach((number, i) => {
    const difference = number - before[i & 1]!;
    before[i & 1] = number;
    let rest = difference < 0 ? -2 * difference - 1 : 2 * difference;
    while (rest >= 128) {
      bytes[at++] = 128 | (rest % 128);
      rest = Math.floor(rest / 128);
    }
    bytes[at++] = rest;
  });
  return Buffer.from(bytes.subarray(0, at));
}

/** What `pack` has packed, pair by pair. There may be a million: nothing is made for any of them. */
class Pairs {
  f = 0;
  length = 0;
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  next(): boolean {
    if (this.#at >= this.#bytes.length) return false;
    this.f += this.#difference();
    this.length += this.#difference();
    return true;
  }

  #difference(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.#bytes[this.#at++]!;
      value += (byte & 127) * scale;
      if (byte < 128) return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
    }
  }
}
