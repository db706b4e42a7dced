/**
 * A line that is not complete yet. Lines end at byte 0x0A only. A short line is held in memory. A longer one is judged piece
 * by piece, and only the position of its pieces in the journal is kept, so that a line of any length needs little memory.
 */
import type { RecordKind } from './journal.ts';
import { payloadsIn, type ReadBack } from './journal-reader.ts';
import { LineJudge } from './line-judge.ts';

export const MAX_HELD_BYTES = 1 << 20;
/** The key on the tape of a line that has no end. */
export const NO_END_KEY = '"eol":"",';
const NO_BYTES = Buffer.alloc(0);
const SMALL_BUFFER_BYTES = 4096;
const LF = 0x0a;
const CR = 0x0d;

/** The end of a line: its length in bytes, and the key on the tape if it is not `\n`. */
interface LineEnd {
  length: number;
  key: string;
}

/** A line that is not held in memory: its bytes are read in blocks, each valid until the next one. */
export interface BlockedLine {
  length: number;
  blocks(): Iterable<Uint8Array>;
}

export class PartialLine {
  readonly #kind: RecordKind;
  readonly #maxHeld: number;
  length = 0;
  /** When its first byte came. */
  t0 = 0;
  #held = NO_BYTES;
  #heldLength = 0;
  /** The position of the rest in the journal, up to the end of the last piece. */
  #rest: { at: number; inRecord: number; to: number } | null = null;
  #judge: LineJudge | null = null;
  #last = 0;
  #lastButOne = 0;

  constructor(kind: RecordKind, maxHeld = MAX_HELD_BYTES) {
    this.#kind = kind;
    this.#maxHeld = maxHeld;
  }

  /** `at`: where the bytes are in the journal; null for a few that are held in any case. */
  add(t: number, buf: Buffer, start: number, end: number, at: number | null): void {
    const length = end - start;
    if (length === 0) return;
    if (this.length === 0) this.t0 = t;
    this.#lastButOne = length > 1 ? buf[end - 2]! : this.#last;
    this.#last = buf[end - 1]!;
    this.length += length;
    const isHeld = at === null || (this.#judge === null && this.length <= this.#maxHeld);
    if (isHeld) this.#hold(buf, start, end);
    else this.#noteDistant(buf, start, end, at);
  }

  /** The whole line, valid until more is added; null if it is too long to hold. */
  get held(): Buffer | null {
    return this.#judge === null ? this.#held.subarray(0, this.#heldLength) : null;
  }

  get end(): LineEnd {
    if (this.#last !== LF) return { length: 0, key: NO_END_KEY };
    return this.length > 1 && this.#lastButOne === CR ? { length: 2, key: '"eol":"\\r\\n",' } : { length: 1, key: '' };
  }

  /** The line without its last bytes (`without`). The judgement is of all of it. */
  unheld(readBack: ReadBack, without: number): BlockedLine & { judge: LineJudge } {
    const length = this.length - without;
    return { length, judge: this.#judge!, blocks: () => this.#blocks(readBack, length) };
  }

  clear(): void {
    this.length = 0;
    this.#heldLength = 0;
    if (this.#held.length > SMALL_BUFFER_BYTES) this.#held = NO_BYTES;
    this.#rest = null;
    this.#judge = null;
  }

  #hold(buf: Buffer, start: number, end: number): void {
    if (this.length > this.#held.length) {
      const larger = Buffer.allocUnsafe(Math.max(SMALL_BUFFER_BYTES, 2 * this.length));
      this.#held.copy(larger, 0, 0, this.#heldLength);
      this.#held = larger;
    }
    buf.copy(this.#held, this.#heldLength, start, end);
    this.#heldLength = this.length;
  }

  #noteDistant(buf: Buffer, start: number, end: number, at: number): void {
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
