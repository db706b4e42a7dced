/**
 * Reads the lines of a file that may still grow, into a reused buffer. After the end it can continue where it stopped: an
 * incomplete last line is kept until the rest is there. For a line above the limit, the buffer has only the first part.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { FIRST_PART_BYTES, LineEndFinder, LongLine, MAX_LINE_BYTES, readExactly } from './long-line.ts';
import { reportRead } from './read-progress.ts';

/** The first read is small, because many callers need only the first lines. */
const FIRST_BLOCK_BYTES = 1 << 16;
const BLOCK_BYTES = 1 << 18;
/** The end of a longer line is searched before the line is read, so that its buffer is allocated once. */
const LONG_LINE_BYTES = 1 << 20;
const LF = 0x0a;

export interface LineAtOffset {
  /** Without its line feed; valid until the next line is read. */
  line: Buffer;
  offset: number;
  /** The whole line, if `line` is only its first part. */
  long: LongLine | null;
}

export class LineReader {
  readonly #path: string;
  readonly #fd: number;
  readonly #maxLength: number;
  readonly #seeker: LineEndFinder;
  /** When it was opened. */
  readonly #size: number;
  /** The current line is in this buffer, from `start` to `end`, until the next one is read. */
  buffer: Buffer;
  start = 0;
  end = 0;
  /** The whole current line, if the buffer has only its first part. */
  long: LongLine | null = null;
  /** The unread bytes of the buffer, and the offset of the buffer in the file. */
  #from = 0;
  #to = 0;
  #bufferAt = 0;

  constructor(path: string, longest = MAX_LINE_BYTES) {
    this.#path = path;
    this.#fd = openSync(path, 'r');
    this.#maxLength = longest;
    this.#seeker = new LineEndFinder(this.#fd);
    this.#size = fstatSync(this.#fd).size;
    // Small files need no large buffer; it grows for longer lines.
    this.buffer = Buffer.allocUnsafe(Math.min(FIRST_BLOCK_BYTES, this.#size + 1024));
  }

  /** The offset of the next line. */
  get offset(): number {
    return this.#bufferAt + this.#from;
  }

  /** The bytes after the last line feed, or their first part. */
  get rest(): Buffer {
    return this.buffer.subarray(this.#from, this.#to);
  }

  /** The length of the rest, as far as the file was searched. */
  get restLength(): number {
    if (this.#to === this.#from) return 0;
    return Math.max(this.#bufferAt + this.#to, this.#seeker.searched) - this.offset;
  }

  /** The rest as a line, at the end of a file; null if it is empty. */
  takeRest(): LineAtOffset | null {
    const { offset } = this;
    if (this.#to === this.#from) return null;
    this.#take(offset, this.restLength, 0);
    return { line: this.buffer.subarray(this.start, this.end), offset, long: this.long };
  }

  *lines(): Generator<LineAtOffset> {
    for (;;) {
      const offset = this.offset;
      const line = this.next();
      if (!line) return;
      yield { line, offset, long: this.long };
    }
  }

  /** The next complete line, or null. */
  next(): Buffer | null {
    return this.advance() ? this.buffer.subarray(this.start, this.end) : null;
  }

  /** Advances to the next complete line; false if there is none. */
  advance(): boolean {
    this.long = null;
    let searched = this.#from;
    for (;;) {
      const lf = this.buffer.indexOf(LF, searched);
      if (lf >= 0 && lf < this.#to) {
        this.start = this.#from;
        this.end = lf;
        if (lf - this.#from > this.#maxLength) this.#cut(this.offset, lf - this.#from);
        this.#from = lf + 1;
        return true;
      }
      if (this.#to - this.#from >= LONG_LINE_BYTES) return this.#advanceFar();
      searched = this.#to - this.#from;
      if (!this.#readMore()) return false;
    }
  }

  /** The current line ends somewhere after the buffer. */
  #advanceFar(): boolean {
    const { offset } = this;
    const end = this.#seeker.seek(this.#bufferAt + this.#to);
    if (end < 0) return false;
    this.#take(offset, end - offset, 1);
    return true;
  }

  /** Makes the line at `offset` the current one. `lineFeed` is the number of bytes that end it. */
  #take(offset: number, length: number, lineFeed: number): void {
    const kept = this.#to - this.#from;
    if (length > this.#maxLength) {
      this.start = this.#from;
      this.#cut(offset, length);
      this.#from = 0;
      this.#to = 0;
      this.#bufferAt = offset + length + lineFeed;
      return;
    }
    const buffer = Buffer.allocUnsafe(length + lineFeed);
    this.buffer.copy(buffer, 0, this.#from, this.#to);
    readExactly(this.#fd, buffer, Math.min(kept, buffer.length), buffer.length, offset + kept);
    this.buffer = buffer;
    this.start = 0;
    this.end = length;
    this.#from = buffer.length;
    this.#to = buffer.length;
    this.#bufferAt = offset;
  }

  #cut(offset: number, length: number): void {
    this.end = this.start + Math.min(FIRST_PART_BYTES, this.#maxLength);
    this.long = new LongLine(this.#path, offset, length);
  }

  #readMore(): boolean {
    const { buffer } = this;
    const kept = this.#to - this.#from;
    this.buffer = this.#bufferFor(kept);
    buffer.copy(this.buffer, 0, this.#from, this.#to);
    this.#bufferAt += this.#from;
    this.#from = 0;
    this.#to = kept;
    const n = readSync(this.#fd, this.buffer, kept, this.buffer.length - kept, this.#bufferAt + kept);
    this.#to += n;
    reportRead(this.#bufferAt + this.#to, this.#size);
    return n > 0;
  }

  #bufferFor(kept: number): Buffer {
    const { buffer } = this;
    // A single line fills the buffer.
    if (kept === buffer.length && kept > 0) return Buffer.allocUnsafe(2 * kept);
    // After the small first read, or after a long line, use the normal size.
    const isFirst = buffer.length === FIRST_BLOCK_BYTES && this.#bufferAt + this.#to > 0;
    return isFirst || buffer.length > 2 * LONG_LINE_BYTES
      ? Buffer.allocUnsafe(Math.max(BLOCK_BYTES, 2 * kept))
      : buffer;
  }

  close(): void {
    closeSync(this.#fd);
  }
}
