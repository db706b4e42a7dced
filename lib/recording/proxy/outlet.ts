/**
 * The output side of one direction. It counts what the reader has not taken yet, so that the source can be paused as it
 * would be without wiretape, and what was never delivered.
 */
import type { Writable } from 'node:stream';

/** Pause the source when more than this is waiting. */
const MAX_WAITING_BYTES = 128 * 1024;

export class Outlet {
  readonly stream: Writable;
  #sent = 0;
  #delivered = 0;
  #broken = false;
  #onEmpty: (() => void)[] = [];
  /** Called when the reader has closed its end. */
  onBroken: () => void = () => {};

  constructor(stream: Writable) {
    this.stream = stream;
    stream.on('error', () => this.break());
    stream.on('close', () => this.break());
  }

  get undelivered(): number {
    return this.#sent - this.#delivered;
  }

  get delivered(): number {
    return this.#delivered;
  }

  /** Bytes that may still be delivered. */
  get waiting(): number {
    return this.#broken ? 0 : this.undelivered;
  }

  get broken(): boolean {
    return this.#broken;
  }

  get congested(): boolean {
    return this.waiting > MAX_WAITING_BYTES;
  }

  write(chunk: Uint8Array): void {
    this.#sent += chunk.length;
    if (this.#broken) return;
    this.stream.write(chunk, (error) => {
      if (error) return this.break();
      this.#delivered += chunk.length;
      if (this.undelivered === 0) this.#resolveEmpty();
    });
  }

  /** Resolves when everything was delivered, or nothing more can be. */
  whenEmpty(): Promise<void> {
    if (this.waiting === 0) return Promise.resolve();
    return new Promise((done) => this.#onEmpty.push(done));
  }

  break(): void {
    if (this.#broken) return;
    this.#broken = true;
    this.#resolveEmpty();
    this.onBroken();
  }

  #resolveEmpty(): void {
    for (const done of this.#onEmpty.splice(0)) done();
  }
}
