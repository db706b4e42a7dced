// One turn (or one replay) in progress: its pauses, and its end. Everything that waits inside a turn waits
// through it, so that a cancel, or the end of the turn, ends every wait with Cancelled.

import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Cancelled } from './failures.mjs';

export class Turn {
  #controller = new AbortController();
  #pace;
  #writer;

  /**
   * @param {number} pace factor for every pause; 0 removes them
   * @param {import('./lines.mjs').LineWriter} writer
   */
  constructor(pace, writer) {
    this.#pace = pace;
    this.#writer = writer;
    setMaxListeners(0, this.signal);
  }

  get signal() {
    return this.#controller.signal;
  }

  /** Cancels the turn; after its regular end this only lets go of what still waits. */
  end() {
    this.#controller.abort();
  }

  /** Lets the client's lines in and waits for a slow reader. */
  async breathe() {
    await new Promise((resolve) => setImmediate(resolve));
    await this.#writer.drained();
    this.check();
  }

  /** @param {number} seconds before the pace is applied */
  async pause(seconds) {
    const wait = seconds * this.#pace * 1000;
    if (wait > 0) await sleep(wait, undefined, { signal: this.signal }).catch(() => {});
    await this.breathe();
  }

  /**
   * @template T
   * @param {Promise<T>} promise
   * @returns {Promise<T>}
   */
  until(promise) {
    return new Promise((resolve, reject) => {
      const stop = () => reject(new Cancelled());
      if (this.signal.aborted) return stop();
      this.signal.addEventListener('abort', stop, { once: true });
      promise.then(resolve, reject).finally(() => this.signal.removeEventListener('abort', stop));
    });
  }

  /** Never resolves: ends with the turn only. */
  forever() {
    return this.until(new Promise(() => {}));
  }

  check() {
    if (this.signal.aborted) throw new Cancelled();
  }
}
