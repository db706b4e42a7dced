/** Waits that end early if something happens. */
import { LONGEST_TIMER } from '../core/pace.ts';

export class Rest {
  readonly #before: () => void;
  #wakeUp: () => void = () => {};
  #isStirred = false;

  /** `before`: what is done before each wait. */
  constructor(before: () => void) {
    this.#before = before;
  }

  /** Waits, but not if something happens meanwhile, or by what is done before. */
  async take(seconds: number): Promise<void> {
    this.#isStirred = false;
    this.#before();
    if (this.#isStirred) return;
    await new Promise<void>((done) => {
      // On a busy machine a timer is late, and what has come meanwhile is only read after it.
      const timer = Number.isFinite(seconds)
        ? setTimeout(() => setImmediate(done), Math.min(Math.ceil(seconds * 1000), LONGEST_TIMER))
        : null;
      this.#wakeUp = () => {
        if (timer) clearTimeout(timer);
        done();
      };
    });
    this.#wakeUp = () => {};
  }

  /** Something happened. */
  stir(): void {
    this.#isStirred = true;
    this.#wakeUp();
  }
}

/** Seconds on a clock that never goes back. */
export function now(): number {
  return performance.now() / 1000;
}
