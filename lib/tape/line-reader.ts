/**
 * The lines of a file that may still grow: places in a reused buffer, each with its place in the file. Asked again, it
 * goes on where it stopped; a last line without its end is kept until the rest of it is there. Of a line that is longer
 * than the reader holds, the buffer has only the first part.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { EndSeeker, FIRST_PART, LONGEST_LINE, LongLine, readExactly } from './long-line.ts';

/** A small part at first: many a reader wants only the first lines. */
const FIRST = 1 << 16;
const BLOCK = 1 << 18;
/** The end of a longer line is looked for before it is read, so that memory is taken once, and for what is held alone. */
const LONG = 1 << 20;
const LF = 0x0a;

export interface Line {
  /** Without its line feed; valid until the next line is asked for. */
  line: Buffer;
  offset: number;
  /** All of it, where `line` is only its first part. */
  long: LongLine | null;
}

export class LineReader {
  readonly #path: string;
  readonly #fd: number;
  readonly #longest: number;
  readonly #seeker: EndSeeker;
  /** Where the line in hand is: in this buffer, from `start` to `end`, till the next one is asked for. */
  buffer: Buffer;
  start = 0;
  end = 0;
  /** All of the line in hand, where the buffer has only its first part. */
  long: LongLine | null = null;
  /** The bytes of the buffer that no line was made of yet, and where in the file the buffer begins. */
  #from = 0;
  #to = 0;
  #bufferAt = 0;

  constructor(path: string, longest = LONGEST_LINE) {
    this.#path = path;
    this.#fd = openSync(path, 'r');
    this.#longest = longest;
    this.#seeker = new EndSeeker(this.#fd);
    // Small files need no large buffer, and a line longer than the buffer makes it grow.
    this.buffer = Buffer.allocUnsafe(Math.min(FIRST, fstatSync(this.#fd).size + 1024));
  }

  /** Where the first line begins that was not read yet. */
  get offset(): number {
    return this.#bufferAt + this.#from;
  }

  /** What stands behind the last line end; of a long one, the first part. */
  get rest(): Buffer {
    return this.buffer.subarray(this.#from, this.#to);
  }

  /** How long it is, as far as the file was looked through. */
  get restLength(): number {
    if (this.#to === this.#from) return 0;
    return Math.max(this.#bufferAt + this.#to, this.#seeker.searched) - this.offset;
  }

  /** The same as a line, for a file that has come to its end; null if there is nothing. */
  takeRest(): Line | null {
    const { offset } = this;
    if (this.#to === this.#from) return null;
    this.#take(offset, this.restLength, 0);
    return { line: this.buffer.subarray(this.start, this.end), offset, long: this.long };
  }

  *lines(): Generator<Line> {
    for (;;) {
      const offset = this.offset;
      const line = this.next();
      if (!line) return;
      yield { line, offset, long: this.long };
    }
  }

  /** The next line, as long as there is a whole one. */
  next(): Buffer | null {
    return this.advance() ? this.buffer.subarray(this.start, this.end) : null;
  }

  /** Goes to the next line; false if there is no whole one. */
  advance(): boolean {
    this.long = null;
    let searched = this.#from;
    for (;;) {
      const lf = this.buffer.indexOf(LF, searched);
      if (lf >= 0 && lf < this.#to) {
        this.start = this.#from;
        this.end = lf;
        if (lf - this.#from > this.#longest) this.#cut(this.offset, lf - this.#from);
        this.#from = lf + 1;
        return true;
      }
      if (this.#to - this.#from >= LONG) return this.#advanceFar();
      searched = this.#to - this.#from;
      if (!this.#readMore()) return false;
    }
  }

  /** The line in hand begins in the buffer and ends somewhere behind it. */
  #advanceFar(): boolean {
    const { offset } = this;
    const end = this.#seeker.seek(this.#bufferAt + this.#to);
    if (end < 0) return false;
    this.#take(offset, end - offset, 1);
    return true;
  }

  /** Makes the line in hand of what begins at the end of what was read; so many bytes behind it are its end. */
  #take(offset: number, length: number, lineFeed: number): void {
    const kept = this.#to - this.#from;
    if (length > this.#longest) {
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
    this.end = this.start + Math.min(FIRST_PART, this.#longest);
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
    return n > 0;
  }

  #bufferFor(kept: number): Buffer {
    const { buffer } = this;
    // A line fills it.
    if (kept === buffer.length && kept > 0) return Buffer.allocUnsafe(2 * kept);
    // There is more in the file than a first part; or it held a long line, for which there is no more need.
    const isFirst = buffer.length === FIRST && this.#bufferAt + this.#to > 0;
    return isFirst || buffer.length > 2 * LONG ? Buffer.allocUnsafe(Math.max(BLOCK, 2 * kept)) : buffer;
  }

  close(): void {
    closeSync(this.#fd);
  }
}
