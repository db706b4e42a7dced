/** The bytes of a tape in chunks that end with a line, and the number of the first frame of each. */
import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { parseLine } from '../../storage/tape/read.ts';
import { CHUNK } from '../page/blocks.ts';

const LF = 0x0a;

export interface TapeChunk {
  /** Valid until the next chunk is read. */
  bytes: Buffer;
  /** The number of its first frame; 0 if it has none. */
  first: number;
}

export class TapeChunks {
  /** How many bytes the chunks so far have. */
  taken = 0;
  readonly #fd: number;
  readonly #size: number;
  readonly #hash = createHash('sha256');
  #digest: string | null = null;
  #buffer = Buffer.allocUnsafe(2 * CHUNK);
  /** What was read, but not taken. */
  #unread = this.#buffer.subarray(0, 0);
  #read = 0;

  constructor(path: string) {
    this.#fd = openSync(path, 'r');
    this.#size = fstatSync(this.#fd).size;
  }

  /** Null at the end. An incomplete last line is a part of the tape too. */
  next(): TapeChunk | null {
    let isOver = false;
    while (!isOver && (this.#unread.length < CHUNK || !this.#unread.includes(LF))) isOver = !this.#readMore();
    if (this.#unread.length === 0) return null;
    const bytes = this.#unread.subarray(0, isOver && this.#unread.length <= CHUNK ? undefined : chunkEnd(this.#unread));
    this.#unread = this.#unread.subarray(bytes.length);
    this.#hash.update(bytes);
    this.taken += bytes.length;
    return { bytes, first: firstFrame(bytes) };
  }

  /** Of all chunks; there must be no more. */
  get digest(): string {
    this.#digest ??= this.#hash.digest('hex');
    return this.#digest;
  }

  close(): void {
    closeSync(this.#fd);
  }

  /** False if there is no more. */
  #readMore(): boolean {
    const kept = this.#unread.length;
    const larger = kept > this.#buffer.length / 2 ? Buffer.allocUnsafe(2 * this.#buffer.length) : this.#buffer;
    this.#unread.copy(larger);
    this.#buffer = larger;
    const wanted = Math.min(larger.length - kept, this.#size - this.#read);
    const n = wanted === 0 ? 0 : readSync(this.#fd, larger, kept, wanted, this.#read);
    this.#read += n;
    this.#unread = larger.subarray(0, kept + n);
    return n > 0;
  }
}

/** Behind the last line that ends within a chunk, or else behind the first line. */
function chunkEnd(bytes: Buffer): number {
  const at = bytes.lastIndexOf(LF, CHUNK - 1);
  if (at >= 0) return at + 1;
  const first = bytes.indexOf(LF);
  return first < 0 ? bytes.length : first + 1;
}

/** 0: it has none. */
function firstFrame(chunk: Buffer): number {
  for (let at = 0; at < chunk.length; ) {
    const end = chunk.indexOf(LF, at);
    const line = chunk.subarray(at, end < 0 ? chunk.length : end);
    const entry = end < 0 ? null : parseLine(line);
    if (entry?.is === 'frame') return entry.frame.f;
    if (end < 0) break;
    at = end + 1;
  }
  return 0;
}
