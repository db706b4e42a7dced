/** Parts of an open file, read as far as they are there: a file from elsewhere may claim to be longer than it is. */
import { readSync } from 'node:fs';

const BLOCK_BYTES = 1 << 16;

/** The file ends before the part does. */
export class FileTooShort extends Error {}

/** For parts whose length is bounded. */
export function bytesAt(fd: number, at: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let done = 0; done < length; ) {
    const n = readSync(fd, bytes, done, length - done, at + done);
    if (n === 0) throw new FileTooShort('the file is shorter than it says');
    done += n;
  }
  return bytes;
}

/** Of any length; each block is valid until the next one. */
export function* blocksAt(fd: number, at: number, length: number): Generator<Buffer> {
  const block = Buffer.allocUnsafe(Math.min(BLOCK_BYTES, length));
  for (let done = 0; done < length; ) {
    const n = readSync(fd, block, 0, Math.min(block.length, length - done), at + done);
    if (n === 0) throw new FileTooShort('the file is shorter than it says');
    yield block.subarray(0, n);
    done += n;
  }
}
