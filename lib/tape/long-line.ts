/** A line of a file that is too long to be held: where it lies, and its bytes in blocks, as often as somebody asks. */
import { closeSync, openSync, readSync } from 'node:fs';

/** Longer lines are not held by readers: agents send images of 20 MB in one line, and those are still understood. */
export const LONGEST_LINE = 32 << 20;
/** So much of a longer one is. */
export const FIRST_PART = 1 << 16;

const BLOCK = 1 << 18;
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

  /** Its bytes between two places; each block is valid until the next one. */
  *blocks(from = 0, to = this.length): Generator<Buffer> {
    if (to <= from) return;
    const fd = openSync(this.#path, 'r');
    try {
      const block = Buffer.allocUnsafe(Math.min(BLOCK, to - from));
      for (let at = from; at < to; ) {
        const n = readSync(fd, block, 0, Math.min(block.length, to - at), this.#offset + at);
        if (n === 0) throw new Error('the file became shorter while it was read');
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

/** Looks for the end of a line in an open file; a file that grows is looked through once. */
export class EndSeeker {
  readonly #fd: number;
  #block: Buffer | null = null;
  /** There is none before. */
  #searched = 0;

  constructor(fd: number) {
    this.#fd = fd;
  }

  /** The place of the first line feed that is not before `from`, or -1. */
  seek(from: number): number {
    this.#block ??= Buffer.allocUnsafe(BLOCK);
    this.#searched = Math.max(from, this.#searched);
    for (;;) {
      const n = readSync(this.#fd, this.#block, 0, BLOCK, this.#searched);
      if (n === 0) return -1;
      const at = this.#block.subarray(0, n).indexOf(LF);
      if (at >= 0) return this.#searched + at;
      this.#searched += n;
    }
  }

  /** Where the file ended when it was looked through. */
  get searched(): number {
    return this.#searched;
  }
}

/** Fills a part of a buffer from a place of a file. */
export function readExactly(fd: number, into: Buffer, start: number, end: number, position: number): void {
  for (let done = start; done < end; ) {
    const n = readSync(fd, into, done, end - done, position + (done - start));
    if (n === 0) throw new Error('the file became shorter while it was read');
    done += n;
  }
}
