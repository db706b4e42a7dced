/** A line of a file that is too long to hold: its position, and its bytes in blocks, any number of times. */
import { closeSync, openSync, readSync } from 'node:fs';

/** Readers do not hold longer lines. Agents send images of 20 MB in one line, which are still parsed. */
export const MAX_LINE_BYTES = 32 << 20;
/** Readers hold this much of a longer line. */
export const FIRST_PART_BYTES = 1 << 16;

const BLOCK_BYTES = 1 << 18;
const LF = 0x0a;

export class LongLine {
  readonly #path: string;
  readonly #offset: number;
  readonly length: number;

  constructor(path: string, offset: number, length: number) {
    this.#path = path;
    this.#offset = offset;
    this.length = length;
  }

  /** Its bytes between two positions; each block is valid until the next one. */
  *blocks(from = 0, to = this.length): Generator<Buffer> {
    if (to <= from) return;
    const fd = openSync(this.#path, 'r');
    try {
      const block = Buffer.allocUnsafe(Math.min(BLOCK_BYTES, to - from));
      for (let at = from; at < to; ) {
        const n = readSync(fd, block, 0, Math.min(block.length, to - at), this.#offset + at);
        if (n === 0) throw new Error('the file was truncated while it was being read');
        yield block.subarray(0, n);
        at += n;
      }
    } finally {
      closeSync(fd);
    }
  }

  last(count: number): Buffer {
    return Buffer.concat([...this.blocks(Math.max(0, this.length - count))].map((block) => Buffer.from(block)));
  }
}

/** Finds the end of a line in an open file. A file that grows is searched only once. */
export class LineEndFinder {
  readonly #fd: number;
  #block: Buffer | null = null;
  /** There is no line feed before this offset. */
  searched = 0;

  constructor(fd: number) {
    this.#fd = fd;
  }

  /** The offset of the first line feed at or after `from`, or -1. */
  seek(from: number): number {
    this.#block ??= Buffer.allocUnsafe(BLOCK_BYTES);
    this.searched = Math.max(from, this.searched);
    for (;;) {
      const n = readSync(this.#fd, this.#block, 0, BLOCK_BYTES, this.searched);
      if (n === 0) return -1;
      const at = this.#block.subarray(0, n).indexOf(LF);
      if (at >= 0) return this.searched + at;
      this.searched += n;
    }
  }
}

/** Fills a part of a buffer from an offset of a file. */
export function readExactly(fd: number, into: Buffer, start: number, end: number, position: number): void {
  for (let done = start; done < end; ) {
    const n = readSync(fd, into, done, end - done, position + (done - start));
    if (n === 0) throw new Error('the file was truncated while it was being read');
    done += n;
  }
}
