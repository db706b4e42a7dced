/**
 * The full text of a session: the strings of its frames in lower case, packed into blocks of about 64 kB, so that a search
 * reads few rows. Each block is stored with the position where the text of each frame ends. Text that was streamed in
 * pieces is stored together. A block that continues such a text starts with the end of the previous part, so that terms
 * across the boundary are found.
 */
import { crc32 } from 'node:zlib';
import { endOf, type FrameText, isFindable, matches, STRING_SEPARATOR } from '../../model/text/searchable.ts';
import type { FrameSet } from './frame-set.ts';
import { damage } from './sqlite.ts';

export interface TextBlock {
  text: Buffer;
  /** Packed pairs of a frame number (0 for repeated text) and the length of its text in bytes. */
  ends: Buffer;
}

/** The checksum of a block, to notice an overwritten page during a search. */
export function checksumOf({ text, ends }: TextBlock): number {
  return crc32(ends, crc32(text));
}

export type StoredBlock = TextBlock & { sum: number };

/** Returns the block, or throws if its checksum is wrong. */
export function checkBlock(block: StoredBlock): TextBlock {
  if (Buffer.isBuffer(block.text) && Buffer.isBuffer(block.ends) && checksumOf(block) === block.sum) return block;
  throw damage('a block of its full text has changed since it was written');
}

const BLOCK_LENGTH = 1 << 16;
/** The most frames in a block, however short their texts. */
const MAX_PIECES = 8192;

const HALF_SURROGATE = /[\ud800-\udbff]$/;
const ANY_SURROGATE = /\p{Surrogate}/u;

interface BlockPiece {
  f: number;
  text: string;
}

export class TextPacker {
  #texts: string[] = [];
  #ends: number[] = [];
  readonly #streams = new Map<string, BlockPiece[]>();
  #length = 0;
  #pieces = 0;

  /** Returns a block if this frame fills it. */
  add(f: number, { own, more }: FrameText): TextBlock | null {
    if (own !== '') {
      this.#put(f, own);
      this.#put(0, STRING_SEPARATOR);
      this.#count(own);
    }
    if (more) {
      const known = this.#streams.get(more.stream);
      // Without the previous text there is nothing to continue.
      if (known && more.before === '') known.push({ f: 0, text: STRING_SEPARATOR });
      if (known) known.push({ f, text: more.text });
      else {
        this.#streams.set(more.stream, [
          { f: 0, text: more.before },
          { f, text: more.text },
        ]);
      }
      this.#count(more.text);
    }
    return this.#length >= BLOCK_LENGTH || this.#pieces >= MAX_PIECES ? this.flush() : null;
  }

  /** The rest, as a block. */
  flush(): TextBlock | null {
    if (this.#pieces === 0) return null;
    for (const pieces of this.#streams.values()) {
      // Keep surrogate pairs together.
      let half = '';
      pieces.forEach(({ f, text }, i) => {
        const whole = half + text;
        half = i + 1 < pieces.length && HALF_SURROGATE.test(whole) ? whole.at(-1)! : '';
        this.#put(f, whole.slice(0, whole.length - half.length));
      });
      this.#put(0, STRING_SEPARATOR);
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
    // UTF-8 turns half a surrogate pair into U+FFFD, which could be found by a search.
    const whole = ANY_SURROGATE.test(text) ? text.replace(/\p{Surrogate}/gu, STRING_SEPARATOR) : text;
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
  const pairs = new PackedPairs(ends);
  let passed = 0;
  while (pairs.next()) {
    passed += pairs.length;
    // The term may end in a later piece.
    while (at + term.length <= passed) {
      if (pairs.f !== 0) found.add(pairs.f);
      // One match per frame is enough.
      at = text.indexOf(term, passed - term.length + 1);
      if (at < 0) return;
    }
  }
}

/** Frames searched before the generator yields. */
const FRAMES_PER_YIELD = 64;

/** Adds the frames of a block in which a match ends. Yields now and then: a regular expression may take long. */
export function* matchIn({ text, ends }: TextBlock, regex: RegExp, found: FrameSet): Generator<null> {
  const whole = text.toString();
  const isAscii = whole.length === text.length;
  const pairs = new PackedPairs(ends);
  let at = 0;
  let before = '';
  for (let n = 1; pairs.next(); n++) {
    const to = at + pairs.length;
    const piece = isAscii ? whole.slice(at, to) : text.toString('utf8', at, to);
    at = to;
    if (pairs.f === 0) before = piece === STRING_SEPARATOR ? '' : piece;
    else {
      if (matches(regex, before, piece)) found.add(pairs.f);
      before = endOf(`${before}${piece}`);
    }
    if (n % FRAMES_PER_YIELD === 0) yield null;
  }
}

/** The bytes to search for; null if no text can contain the term. */
export function termBytes(term: string): Buffer | null {
  return isFindable(term) ? Buffer.from(term) : null;
}

/** Packs integers: each as the difference to the one two places before it, seven bits per byte. */
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

/** Reads packed pairs without allocating: there may be a million of them. */
class PackedPairs {
  f = 0;
  length = 0;
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  next(): boolean {
    const bytes = this.#bytes;
    const at = this.#at;
    if (at >= bytes.length) return false;
    const f = bytes[at]!;
    const length = bytes[at + 1]!;
    // Most differences take one byte.
    if (f < 128 && length < 128) {
      this.#at = at + 2;
      this.f += f & 1 ? -((f + 1) >> 1) : f >> 1;
      this.length += length & 1 ? -((length + 1) >> 1) : length >> 1;
      return true;
    }
    this.f += this.#difference();
    this.length += this.#difference();
    return true;
  }

  #difference(): number {
    const first = this.#bytes[this.#at++]!;
    if (first < 128) return signed(first);
    let value = first & 127;
    for (let scale = 128; ; scale *= 128) {
      const byte = this.#bytes[this.#at++]!;
      value += (byte & 127) * scale;
      if (byte < 128) return signed(value);
    }
  }
}

/** Negative differences are packed as odd numbers. */
function signed(value: number): number {
  return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
}
