/** Waits for a time, or until somebody rings. */
import { LONGEST_TIMER } from '../../model/pace.ts';

export class Bell {
  #hasRung = false;
  #wake = () => {};

  /** Also wakes whoever waits next. */
  ring(): void {
    this.#hasRung = true;
    this.#wake();
  }

  /** In seconds, which may be infinite. */
  async wait(seconds: number): Promise<void> {
    if (!this.#hasRung) {
      await new Promise<void>((done) => {
        const timer = setTimeout(done, Math.min(seconds * 1000, LONGEST_TIMER));
        this.#wake = () => {
          clearTimeout(timer);
          done();
        };
      });
    }
    this.#hasRung = false;
  }
}
