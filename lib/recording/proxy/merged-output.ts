/**
 * Writes the agent's stdout and stderr to the same file. Stderr waits up to 50 ms for the current line of stdout to end,
 * so that it does not split a JSON line.
 */
import { Timer } from '../../storage/system/wakeup.ts';
import type { Outlet } from './outlet.ts';

const MAX_WAIT_SECONDS = 0.05;
/** Stderr beyond this size is not held back. */
const MAX_HELD_BYTES = 256 * 1024;
const LF = 0x0a;

export class MergedOutput {
  readonly #outlet: Outlet;
  #atLineStart = true;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  readonly #timer = new Timer(() => this.release());

  constructor(outlet: Outlet) {
    this.#outlet = outlet;
  }

  readonly stdout = (chunk: Uint8Array): void => {
    const lastLineEnd = this.#waiting.length > 0 ? chunk.lastIndexOf(LF) + 1 : 0;
    if (lastLineEnd > 0) {
      this.#outlet.write(chunk.subarray(0, lastLineEnd));
      this.release();
      if (lastLineEnd < chunk.length) this.#outlet.write(chunk.subarray(lastLineEnd));
    } else {
      this.#outlet.write(chunk);
    }
    this.#atLineStart = chunk[chunk.length - 1] === LF;
  };

  readonly stderr = (chunk: Uint8Array): void => {
    if (this.#atLineStart && this.#waiting.length === 0) return this.#outlet.write(chunk);
    this.#waiting.push(chunk);
    this.#waitingBytes += chunk.length;
    if (this.#waitingBytes > MAX_HELD_BYTES) return this.release();
    this.#timer.set(MAX_WAIT_SECONDS);
  };

  readonly release = (): void => {
    this.#timer.clear();
    this.#waitingBytes = 0;
    for (const chunk of this.#waiting.splice(0)) this.#outlet.write(chunk);
  };
}
