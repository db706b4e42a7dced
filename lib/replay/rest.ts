/** Waits that end early if something happens. */
import { LONGEST_TIMER } from '../model/pace.ts';

/** Seconds of the shortest wait: what has come is read meanwhile. */
export const MOMENT = 0.001;

export class Rest {
  /**
   * Everything that came before this moment has been read. Silence is judged by it, not by the clock: a process that was not
   * scheduled for a while finds that time has passed before it finds what came meanwhile.
   */
  heard = now();
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
      const over = () => {
        const at = now();
        setImmediate(() => {
          this.heard = at;
          done();
        });
      };
      const timer = Number.isFinite(seconds)
        ? setTimeout(over, Math.min(Math.ceil(seconds * 1000), LONGEST_TIMER))
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
