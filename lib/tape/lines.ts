/**
 * A line that is not complete yet. Lines are split on byte 0x0A only. As long as one is short its bytes are kept; from
 * then on it is judged piece by piece while it grows, and only where its pieces lie in the journal is known, so that a
 * line of any length, in pieces of any size, costs next to no memory.
 */
import type { Kind } from './journal.ts';
import { payloadsIn, type ReadBack } from './journal-reader.ts';
import { LineJudge } from './line-judge.ts';

export const HELD = 1 << 20;
const NOTHING = Buffer.alloc(0);
const SMALL = 4096;
const LF = 0x0a;
const CR = 0x0d;

/** How a line ends that may have been cut off: the bytes of its end, and the key that says so where it is not `\n`. */
interface LineEnd {
  length: number;
  key: string;
}

/** A line of which not all is held: its bytes come in blocks, each valid until the next one. */
export interface UnheldLine {
  length: number;
  judge: LineJudge;
  blocks(): Iterable<Uint8Array>;
}

export class PartialLine {
  readonly #kind: Kind;
  readonly #mostHeld: number;
  length = 0;
  /** When its first byte came. */
  t0 = 0;
  #held = NOTHING;
  #heldLength = 0;
  /** The rest: from here, in the record at hand, up to the end of the last piece. */
  #rest: { at: number; inRecord: number; to: number } | null = null;
  #judge: LineJudge | null = null;
  #last = 0;
  #lastButOne = 0;

  constructor(kind: Kind, mostHeld = HELD) {
    this.#kind = kind;
    this.#mostHeld = mostHeld;
  }

  add(t: number, buf: Buffer, start: number, end: number, at: number): void {
    const length = end - start;
    if (length === 0) return;
    if (this.length === 0) this.t0 = t;
    this.#lastButOne = length > 1 ? buf[end - 2]! : this.#last;
    this.#last = buf[end - 1]!;
    this.length += length;
    if (this.#judge === null && this.length <= this.#mostHeld) this.#hold(buf, start, end);
    else this.#note(buf, start, end, at);
  }

  /** All of it, valid until more is added; null if it is too long to be held. */
  get held(): Buffer | null {
    return this.#judge === null ? this.#held.subarray(0, this.#heldLength) : null;
  }

  get end(): LineEnd {
    if (this.#last !== LF) return { length: 0, key: '"eol":"",' };
    return this.length > 1 && this.#lastButOne === CR ? { length: 2, key: '"eol":"\\r\\n",' } : { length: 1, key: '' };
  }

  /** What is not held, without its last bytes: a line end leaves the judgement as it is. */
  unheld(readBack: ReadBack, without: number): UnheldLine {
    const length = this.length - without;
    return { length, judge: this.#judge!, blocks: () => this.#blocks(readBack, length) };
  }

  /** Starts anew. */
  clear(): void {
    this.length = 0;
    this.#heldLength = 0;
    if (this.#held.length > SMALL) this.#held = NOTHING;
    this.#rest = null;
    this.#judge = null;
  }

  #hold(buf: Buffer, start: number, end: number): void {
    if (this.length > this.#held.length) {
      const larger = Buffer.allocUnsafe(Math.max(SMALL, 2 * this.length));
      this.#held.copy(larger, 0, 0, this.#heldLength);
      this.#held = larger;
    }
    buf.copy(this.#held, this.#heldLength, start, end);
    this.#heldLength = this.length;
  }

  #note(buf: Buffer, start: number, end: number, at: number): void {
    if (this.#judge === null) {
      this.#judge = new LineJudge();
      this.#judge.feed(this.#held.subarray(0, this.#heldLength));
    }
    this.#judge.feed(buf.subarray(start, end));
    const to = at + (end - start);
    if (this.#rest === null) this.#rest = { at, inRecord: end - start, to };
    // A record may come in several pieces.
    else if (this.#rest.to === at && this.#rest.at + this.#rest.inRecord === at) this.#rest.inRecord += end - start;
    this.#rest.to = to;
  }

  *#blocks(readBack: ReadBack, length: number): Generator<Uint8Array> {
    yield this.#held.subarray(0, Math.min(this.#heldLength, length));
    let left = length - this.#heldLength;
    const { at, inRecord, to } = this.#rest!;
    for (const block of payloadsIn(this.#kind, at, inRecord, to, readBack)) {
      if (left <= 0) return;
      yield left < block.length ? block.subarray(0, left) : block;
      left -= block.length;
    }
  }
}
