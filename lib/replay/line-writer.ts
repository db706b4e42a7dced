/** A stream to the client. Lines are collected and written together, and the writer waits for a slow reader. */
import type { Writable } from 'node:stream';

/** Written at once if so much has been collected. */
const BLOCK_LENGTH = 64 * 1024;

export class LineWriter {
  /** The client reads no more. */
  isClosed = false;
  /** Write no more until this is false. */
  isFull = false;
  /** Called when the client has read on, or reads no more. */
  onRead: () => void = () => {};
  readonly #stream: Writable;
  #held: (string | Uint8Array)[] = [];
  /** All of it is text. */
  #isText = true;
  #size = 0;
  /** Lines in `#held`, lines that were written but not delivered yet, and lines that never will be. */
  #lines = 0;
  #pending = 0;
  #lost = 0;
  #writes = 0;
  /** We have closed it. */
  #isEnded = false;

  constructor(stream: Writable) {
    this.#stream = stream;
    stream.on('error', () => this.#close());
    stream.on('close', () => this.#close());
    stream.on('drain', () => {
      this.isFull = false;
      this.onRead();
    });
  }

  /** How many lines were not delivered, or not yet. */
  get unread(): number {
    return this.#lost + this.#pending + this.#lines;
  }

  /** Something was written that is not delivered yet. */
  get isBusy(): boolean {
    this.flush();
    return !this.isClosed && (this.#writes > 0 || (this.#isEnded && !this.#stream.writableFinished));
  }

  /** A line, in one part or two. There may be a million of them. */
  write(line: string, rest = ''): void {
    if (this.isClosed || this.#isEnded) {
      this.#lost++;
      return;
    }
    this.#lines++;
    this.#held.push(line, rest);
    this.#size += line.length + rest.length;
    if (this.#size >= BLOCK_LENGTH) this.flush();
  }

  /** More of the line that was written last. */
  add(part: Uint8Array): void {
    if (this.isClosed || this.#isEnded) return;
    this.#held.push(part);
    this.#isText = false;
    this.#size += part.length;
    if (this.#size >= BLOCK_LENGTH) this.flush();
  }

  flush(): void {
    if (this.#held.length === 0 || this.isClosed) return;
    const held = this.#held;
    const block = this.#isText ? held.join('') : Buffer.concat(held.map((part) => Buffer.from(part)));
    this.#isText = true;
    const lines = this.#lines;
    this.#held = [];
    this.#size = 0;
    this.#lines = 0;
    this.#pending += lines;
    this.#writes++;
    const goesOn = this.#stream.write(block, (error) => {
      this.#pending -= lines;
      this.#writes--;
      if (error) this.#lost += lines;
      if (this.#writes === 0) this.onRead();
    });
    if (!goesOn && !this.isClosed) this.isFull = true;
  }

  /** The client sees the end of the stream when everything is delivered. */
  end(): void {
    this.flush();
    if (this.isClosed || this.#isEnded) return;
    this.#isEnded = true;
    this.#stream.end(() => this.onRead());
  }

  /** What is not delivered yet never will be. */
  abandon(): void {
    this.#stream.destroy();
  }

  #close(): void {
    this.isClosed = true;
    this.isFull = false;
    this.onRead();
  }
}
