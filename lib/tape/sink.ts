/** Where tape bytes go: gathers small pieces into large writes, and runs every byte through the chain of seals. */
import { writeSync } from 'node:fs';
import { Chain } from './seal.ts';

const CAPACITY = 1 << 18;

export class TapeSink {
  readonly #fd: number;
  readonly #chain = new Chain();
  readonly #buf = Buffer.allocUnsafe(CAPACITY);
  #used = 0;
  /** Up to where the buffer has gone through the chain. */
  #hashed = 0;

  constructor(fd: number) {
    this.#fd = fd;
  }

  latin1(text: string): void {
    if (text.length > CAPACITY - this.#used) {
      this.flush();
      if (text.length > CAPACITY) return this.#through(Buffer.from(text, 'latin1'));
    }
    this.#used += this.#buf.write(text, this.#used, 'latin1');
  }

  utf8(text: string): void {
    this.bytes(Buffer.from(text));
  }

  bytes(bytes: Uint8Array): void {
    if (bytes.length > CAPACITY - this.#used) {
      this.flush();
      if (bytes.length > CAPACITY) return this.#through(bytes);
    }
    this.#buf.set(bytes, this.#used);
    this.#used += bytes.length;
  }

  slice(from: Buffer, start: number, end: number): void {
    if (end - start > CAPACITY - this.#used) return this.bytes(from.subarray(start, end));
    this.#used += from.copy(this.#buf, this.#used, start, end);
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

  #through(bytes: Uint8Array): void {
    this.#chain.update(bytes);
    this.#write(bytes);
  }

  #write(bytes: Uint8Array): void {
    let done = 0;
    while (done < bytes.length) done += writeSync(this.#fd, bytes, done);
  }
}
