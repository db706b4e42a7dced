/** Reads single lines of a tape by their offset. */
import { closeSync, openSync, readSync } from 'node:fs';
import type { Frame } from '../../model/frame.ts';
import { FIRST_PART_BYTES, LineEndFinder, LongLine, MAX_LINE_BYTES, readExactly } from './long-line.ts';
import { parseLine } from './read.ts';

const FIRST_READ_BYTES = 4096;
/** Read ahead if the lines are read in order. */
const READ_AHEAD_BYTES = 1 << 16;
/** The end of a longer line is searched before the line is read. */
const LONG_LINE_BYTES = 1 << 18;
const LF = 0x0a;
const NO_BYTES = Buffer.alloc(0);

export class OffsetLineReader {
  readonly #path: string;
  readonly #maxLength: number;
  #fd: number | null = null;
  /** The last block and its offset. It is never reused, because returned lines are views into it. */
  #read = NO_BYTES;
  #at = 0;

  constructor(path: string, longest = MAX_LINE_BYTES) {
    this.#path = path;
    this.#maxLength = longest;
  }

  /**
   * The frame whose line begins at the offset; null if there is none. The frame owns its bytes. `size`: the size of its
   * content, if known, so that a long line is read at once.
   */
  frame(offset: number, size = 0): Frame | null {
    const line = this.#lineIn(offset) ?? this.#knownLineAt(offset, size) ?? this.#lineAt(offset);
    if (!line) return null;
    const isLong = line.length > this.#maxLength;
    const entry = isLong ? this.#parseLong(offset, line.length) : parseLine(line as Buffer);
    return entry?.is === 'frame' ? entry.frame : null;
  }

  #parseLong(offset: number, length: number) {
    const long = new LongLine(this.#path, offset, length);
    const first = Buffer.allocUnsafeSlow(Math.min(FIRST_PART_BYTES, this.#maxLength));
    readExactly(this.#fd!, first, 0, first.length, offset);
    return parseLine(first, long);
  }

  #lineIn(offset: number): Buffer | null {
    const from = offset - this.#at;
    if (from < 0 || from >= this.#read.length) return null;
    const end = this.#read.indexOf(LF, from);
    return end < 0 ? null : this.#read.subarray(from, end);
  }

  /** A line that is only a little longer than its content; null for others. */
  #knownLineAt(offset: number, size: number): Buffer | null {
    if (size < READ_AHEAD_BYTES || size > this.#maxLength) return null;
    this.#fd ??= openSync(this.#path, 'r');
    const buffer = Buffer.allocUnsafeSlow(size + FIRST_READ_BYTES);
    const length = readSync(this.#fd, buffer, 0, buffer.length, offset);
    const end = buffer.subarray(0, length).indexOf(LF);
    if (end < 0) return null;
    this.#read = NO_BYTES;
    this.#at = offset;
    return buffer.subarray(0, end);
  }

  /** Only the length of a line that is too long to hold. */
  #lineAt(offset: number): Buffer | { length: number } | null {
    this.#fd ??= openSync(this.#path, 'r');
    const isNear =
      offset >= this.#at && offset <= this.#at + this.#read.length + FIRST_READ_BYTES && this.#read.length > 0;
    for (let size = isNear ? READ_AHEAD_BYTES : FIRST_READ_BYTES; size <= LONG_LINE_BYTES; size *= 8) {
      const buffer = Buffer.allocUnsafeSlow(size);
      const length = readSync(this.#fd, buffer, 0, size, offset);
      const end = buffer.subarray(0, length).indexOf(LF);
      if (end < 0 && length === size) continue;
      // Do not keep a long line just to read ahead.
      this.#read = size > READ_AHEAD_BYTES ? NO_BYTES : buffer.subarray(0, length);
      this.#at = offset;
      return end < 0 ? null : buffer.subarray(0, end);
    }
    return this.#farLineAt(this.#fd, offset);
  }

  #farLineAt(fd: number, offset: number): Buffer | { length: number } | null {
    this.#read = NO_BYTES;
    this.#at = offset;
    const length = new LineEndFinder(fd).seek(offset) - offset;
    if (length < 0) return null;
    if (length > this.#maxLength) return { length };
    const line = Buffer.allocUnsafeSlow(length);
    readExactly(fd, line, 0, length, offset);
    return line;
  }

  close(): void {
    if (this.#fd !== null) closeSync(this.#fd);
    this.#fd = null;
    this.#read = NO_BYTES;
  }
}
