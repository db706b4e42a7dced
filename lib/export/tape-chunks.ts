/** The bytes of a tape in chunks that end with a line, and the number of the first frame of each. */
import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { CHUNK, type ChunkMap } from '../page/blocks.ts';
import { parseLine } from '../tape/read.ts';

const LF = 0x0a;

export class TapeChunks {
  readonly map: ChunkMap = { bytes: [], first: [] };
  /** How many bytes the tape has, and how many were read. */
  readonly size: number;
  read = 0;
  readonly #fd: number;
  readonly #hash = createHash('sha256');
  #rest: Buffer = Buffer.alloc(0);
  #isOver = false;

  constructor(path: string) {
    this.#fd = openSync(path, 'r');
    this.size = fstatSync(this.#fd).size;
  }

  /** Null at the end. An incomplete last line is a part of the tape too. */
  next(): Buffer | null {
    while (!this.#isOver && (this.#rest.length < CHUNK || !this.#rest.includes(LF))) this.#readMore();
    if (this.#rest.length === 0) return null;
    const end = this.#isOver ? this.#endWithin() : this.#lastLine(CHUNK);
    const chunk = this.#rest.subarray(0, end);
    this.#rest = this.#rest.subarray(end);
    this.#hash.update(chunk);
    this.map.first.push(firstFrame(chunk));
    this.map.bytes.push(chunk.length);
    return chunk;
  }

  get digest(): string {
    return this.#hash.digest('hex');
  }

  close(): void {
    closeSync(this.#fd);
  }

  #endWithin(): number {
    return this.#rest.length <= CHUNK ? this.#rest.length : this.#lastLine(CHUNK);
  }

  /** Behind the last line that ends within so many bytes, or else behind the first line. */
  #lastLine(within: number): number {
    const at = this.#rest.lastIndexOf(LF, within - 1);
    if (at >= 0) return at + 1;
    const first = this.#rest.indexOf(LF);
    return first < 0 ? this.#rest.length : first + 1;
  }

  #readMore(): void {
    const kept = this.#rest.length;
    const wanted = Math.min(Math.max(CHUNK, kept), this.size - this.read);
    const bytes = Buffer.allocUnsafe(kept + wanted);
    this.#rest.copy(bytes);
    const n = wanted === 0 ? 0 : readSync(this.#fd, bytes, kept, wanted, this.read);
    if (n === 0) this.#isOver = true;
    this.read += n;
    this.#rest = bytes.subarray(0, kept + n);
  }
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
