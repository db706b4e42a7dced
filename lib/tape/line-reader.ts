/**
 * The lines of a file that may still grow: views into a reused buffer, each with its place in the file. Asked again, it
 * goes on where it stopped; a last line without its end is kept until the rest of it is there.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const BLOCK = 1 << 20;
const LF = 0x0a;

export interface Line {
  /** Without its line feed; valid until the next line is asked for. */
  line: Buffer;
  offset: number;
}

export class LineReader {
  readonly #fd: number;
  #buf: Buffer;
  /** The bytes of the buffer that no line was made of yet, and where in the file the buffer begins. */
  #start = 0;
  #end = 0;
  #bufferAt = 0;

  constructor(path: string) {
    this.#fd = openSync(path, 'r');
    // Small files need no large buffer, and a line longer than the buffer makes it grow.
    this.#buf = Buffer.allocUnsafe(Math.min(BLOCK, fstatSync(this.#fd).size + 1024));
  }

  /** Where the first line begins that was not read yet. */
  get offset(): number {
    return this.#bufferAt + this.#start;
  }

  /** What stands behind the last line end. */
  get rest(): Buffer {
    return this.#buf.subarray(this.#start, this.#end);
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
    let searched = this.#start;
    for (;;) {
      const lf = this.#buf.indexOf(LF, searched);
      if (lf >= 0 && lf < this.#end) {
        const line = this.#buf.subarray(this.#start, lf);
        this.#start = lf + 1;
        return line;
      }
      searched = this.#end - this.#start;
      if (!this.#readMore()) return null;
    }
  }

  #readMore(): boolean {
    this.#buf.copyWithin(0, this.#start, this.#end);
    this.#end -= this.#start;
    this.#bufferAt += this.#start;
    this.#start = 0;
    if (this.#end === this.#buf.length) this.#buf = Buffer.concat([this.#buf, Buffer.allocUnsafe(this.#end)]);
    const n = readSync(this.#fd, this.#buf, this.#end, this.#buf.length - this.#end, null);
    this.#end += n;
    return n > 0;
  }

  close(): void {
    closeSync(this.#fd);
  }
}
