/**
 * The lines of a file that may still grow: places in a reused buffer, each with its place in the file. Asked again, it
 * goes on where it stopped; a last line without its end is kept until the rest of it is there.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** A small part at first: many a reader wants only the first lines. */
const FIRST = 1 << 16;
const BLOCK = 1 << 18;
const LF = 0x0a;

export interface Line {
  /** Without its line feed; valid until the next line is asked for. */
  line: Buffer;
  offset: number;
}

export class LineReader {
  readonly #fd: number;
  /** Where the line in hand is: in this buffer, from `start` to `end`, till the next one is asked for. */
  buffer: Buffer;
  start = 0;
  end = 0;
  /** The bytes of the buffer that no line was made of yet, and where in the file the buffer begins. */
  #from = 0;
  #to = 0;
  #bufferAt = 0;

  constructor(path: string) {
    this.#fd = openSync(path, 'r');
    // Small files need no large buffer, and a line longer than the buffer makes it grow.
    this.buffer = Buffer.allocUnsafe(Math.min(FIRST, fstatSync(this.#fd).size + 1024));
  }

  /** Where the first line begins that was not read yet. */
  get offset(): number {
    return this.#bufferAt + this.#from;
  }

  /** What stands behind the last line end. */
  get rest(): Buffer {
    return this.buffer.subarray(this.#from, this.#to);
  }

  *lines(): Generator<Line> {
    for (;;) {
      const offset = this.offset;
      const line = this.next();
      if (!line) return;
      yield { line, offset };
    }
  }

  /** The next line, as long as there is a whole one. */
  next(): Buffer | null {
    return this.advance() ? this.buffer.subarray(this.start, this.end) : null;
  }

  /** Goes to the next line; false if there is no whole one. */
  advance(): boolean {
    let searched = this.#from;
    for (;;) {
      const lf = this.buffer.indexOf(LF, searched);
      if (lf >= 0 && lf < this.#to) {
        this.start = this.#from;
        this.end = lf;
        this.#from = lf + 1;
        return true;
      }
      searched = this.#to - this.#from;
      if (!this.#readMore()) return false;
    }
  }

  #readMore(): boolean {
    const { buffer } = this;
    const kept = this.#to - this.#from;
    // A line fills it, or there is more in the file than a first part.
    const size = kept === buffer.length ? 2 * kept : buffer.length === FIRST && this.#to > 0 ? BLOCK : buffer.length;
    if (size > buffer.length) this.buffer = Buffer.allocUnsafe(size);
    buffer.copy(this.buffer, 0, this.#from, this.#to);
    this.#bufferAt += this.#from;
    this.#from = 0;
    this.#to = kept;
    const n = readSync(this.#fd, this.buffer, kept, this.buffer.length - kept, null);
    this.#to += n;
    return n > 0;
  }

  close(): void {
    closeSync(this.#fd);
  }
}
