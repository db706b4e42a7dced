/** A stream to the client. Lines are collected and written together, and whoever writes waits for a slow reader. */
import type { Writable } from 'node:stream';

/** Written at once if so much has been collected. */
const BLOCK = 64 * 1024;

export class Outlet {
  /** The client reads no more. */
  isClosed = false;
  /** How many lines could not be delivered. */
  unread = 0;
  readonly #stream: Writable;
  #held: (string | Uint8Array)[] = [];
  #size = 0;
  #isFull = false;
  #lines = 0;

  constructor(stream: Writable) {
    this.#stream = stream;
    stream.on('error', () => {
      this.isClosed = true;
    });
  }

  /** Wait for `drained` before the next line. */
  get isFull(): boolean {
    return this.#isFull;
  }

  write(...line: (string | Uint8Array)[]): void {
    if (this.isClosed) {
      this.unread++;
      return;
    }
    this.#lines++;
    for (const part of line) {
      this.#held.push(part);
      this.#size += part.length;
    }
    if (this.#size >= BLOCK) this.flush();
  }

  flush(): void {
    if (this.#held.length === 0) return;
    const isText = this.#held.every((part) => typeof part === 'string');
    const block = isText ? this.#held.join('') : Buffer.concat(this.#held.map((part) => Buffer.from(part)));
    const lines = this.#lines;
    this.#held = [];
    this.#size = 0;
    this.#lines = 0;
    const goesOn = this.#stream.write(block, (error) => {
      if (error) this.unread += lines;
    });
    if (!goesOn) this.#isFull = true;
  }

  async drained(): Promise<void> {
    this.flush();
    if (this.#isFull && !this.isClosed) await emptied(this.#stream);
    this.#isFull = false;
  }

  /** Everything is delivered, then the client sees the end of the stream. */
  async end(): Promise<void> {
    this.flush();
    if (this.isClosed || this.#stream.writableEnded) return;
    await new Promise<void>((done) => {
      this.#stream.once('close', done);
      this.#stream.once('error', () => done());
      this.#stream.end(done);
    });
  }
}

function emptied(stream: Writable): Promise<void> {
  return new Promise((done) => {
    const over = () => {
      stream.off('drain', over);
      stream.off('close', over);
      stream.off('error', over);
      done();
    };
    stream.on('drain', over);
    stream.on('close', over);
    stream.on('error', over);
  });
}
