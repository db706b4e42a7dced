/** Writes a tape: collects small pieces into large writes, and hashes every byte for the seals. */
import { writeSync } from 'node:fs';
import { SealChain } from './seal.ts';

const BUFFER_BYTES = 1 << 18;
const FRAME_START = Buffer.from('{"f":');
/** The braces, the key, a number of up to 16 digits and a line feed. */
const MAX_FRAME_EDGE_BYTES = 32;

export class TapeSink {
  readonly #fd: number;
  readonly #chain = new SealChain();
  readonly #buf = Buffer.allocUnsafe(BUFFER_BYTES);
  #used = 0;
  /** How much of the buffer was hashed. */
  #hashed = 0;
  /** The offset of the next write. The descriptor may be shared, and with it the file position. */
  #at = 0;

  constructor(fd: number) {
    this.#fd = fd;
  }

  latin1(text: string): void {
    if (text.length > BUFFER_BYTES - this.#used) {
      this.flush();
      if (text.length > BUFFER_BYTES) return this.#writeThrough(Buffer.from(text, 'latin1'));
    }
    this.#used += this.#buf.write(text, this.#used, 'latin1');
  }

  utf8(text: string): void {
    this.bytes(Buffer.from(text));
  }

  bytes(bytes: Uint8Array): void {
    if (bytes.length > BUFFER_BYTES - this.#used) {
      this.flush();
      if (bytes.length > BUFFER_BYTES) return this.#writeThrough(bytes);
    }
    this.#buf.set(bytes, this.#used);
    this.#used += bytes.length;
  }

  /**
   * Writes a line of the most common kind: `{"f":`, the number, `head`, the bytes, `}`. It goes byte by byte into the
   * buffer, because strings and calls would cost more than the rest of a frame.
   */
  frame(f: number, head: Uint8Array, from: Buffer, start: number, end: number): void {
    const most = head.length + (end - start) + MAX_FRAME_EDGE_BYTES;
    if (most > BUFFER_BYTES - this.#used) {
      this.flush();
      if (most > BUFFER_BYTES) {
        this.latin1(`{"f":${f}`);
        this.bytes(head);
        this.bytes(from.subarray(start, end));
        this.latin1('}\n');
        return;
      }
    }
    const b = this.#buf;
    let at = this.#used;
    for (let i = 0; i < FRAME_START.length; i++) b[at++] = FRAME_START[i]!;
    at = writeDigits(b, at, f);
    for (let i = 0; i < head.length; i++) b[at++] = head[i]!;
    b.set(from.subarray(start, end), at);
    at += end - start;
    b[at] = 0x7d;
    b[at + 1] = 0x0a;
    this.#used = at + 2;
  }

  /** The digest of everything since the last seal. */
  seal(): string {
    this.#hash();
    return this.#chain.seal();
  }

  flush(): void {
    this.#hash();
    if (this.#used > 0) this.#write(this.#buf.subarray(0, this.#used));
    this.#used = 0;
    this.#hashed = 0;
  }

  #hash(): void {
    if (this.#used > this.#hashed) this.#chain.update(this.#buf.subarray(this.#hashed, this.#used));
    this.#hashed = this.#used;
  }

  #writeThrough(bytes: Uint8Array): void {
    this.#chain.update(bytes);
    this.#write(bytes);
  }

  #write(bytes: Uint8Array): void {
    let done = 0;
    while (done < bytes.length) done += writeSync(this.#fd, bytes, done, undefined, this.#at + done);
    this.#at += done;
  }
}

/** Writes an integer in decimal, and returns the position after it. */
function writeDigits(b: Uint8Array, at: number, value: number): number {
  let end = at + 1;
  for (let power = 10; power <= value; power *= 10) end++;
  let rest = value;
  for (let i = end - 1; i >= at; i--) {
    const tenth = Math.floor(rest / 10);
    b[i] = 0x30 + (rest - tenth * 10);
    rest = tenth;
  }
  return end;
}
