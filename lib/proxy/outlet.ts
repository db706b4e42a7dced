/**
 * One direction's way out. It knows how much the other side has not taken yet, so that the source can be held back as
 * it would be without us, and how much was never delivered.
 */
import type { Writable } from 'node:stream';

/** How much may wait here before the source is held back. */
const HIGH_WATER = 128 * 1024;

export class Outlet {
  readonly stream: Writable;
  #sent = 0;
  #delivered = 0;
  #broken = false;
  #onEmpty: (() => void)[] = [];
  /** The other side does not take anything any more. */
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

  /** What may still be taken. */
  get waiting(): number {
    return this.#broken ? 0 : this.undelivered;
  }

  get broken(): boolean {
    return this.#broken;
  }

  get congested(): boolean {
    return this.waiting > HIGH_WATER;
  }

  write(chunk: Uint8Array): void {
    this.#sent += chunk.length;
    if (this.#broken) return;
    this.stream.write(chunk, (error) => {
      if (error) return this.break();
      this.#delivered += chunk.length;
      if (this.undelivered === 0) this.#relieve();
    });
  }

  /** When everything has been taken, or nothing ever will be. */
  whenEmpty(): Promise<void> {
    if (this.waiting === 0) return Promise.resolve();
    return new Promise((done) => this.#onEmpty.push(done));
  }

  break(): void {
    if (this.#broken) return;
    this.#broken = true;
    this.#relieve();
    this.onBroken();
  }

  #relieve(): void {
    for (const done of this.#onEmpty.splice(0)) done();
  }
}
