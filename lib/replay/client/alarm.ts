/**
 * One timer for the nearest of several moments. It rings after what came meanwhile has been read: a process that was not
 * scheduled for a while must not take its own pause for silence.
 */
import { LONGEST_TIMER } from '../../model/pace.ts';

export class Alarm {
  readonly #ring: () => void;
  readonly #now: () => number;
  #afterRead: NodeJS.Immediate | null = null;
  #timer: { handle: NodeJS.Timeout; at: number } | null = null;

  /** `now`: seconds on a clock that never goes back. */
  constructor(ring: () => void, now: () => number) {
    this.#ring = ring;
    this.#now = now;
  }

  /** An earlier moment stays: whoever hears it looks again by himself. */
  set(at: number): void {
    if (at === Number.POSITIVE_INFINITY || (this.#timer && this.#timer.at <= at)) return;
    this.clear();
    const ms = Math.min(Math.max(0, at - this.#now()) * 1000, LONGEST_TIMER);
    const handle = setTimeout(() => {
      this.#timer = null;
      this.#afterRead = setImmediate(this.#ring);
    }, ms);
    this.#timer = { handle, at };
  }

  clear(): void {
    if (this.#timer) clearTimeout(this.#timer.handle);
    if (this.#afterRead) clearImmediate(this.#afterRead);
    this.#timer = null;
    this.#afterRead = null;
  }
}
