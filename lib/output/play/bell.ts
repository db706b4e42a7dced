/** A wait that ends after a time, or earlier when it is woken. */
import { LONGEST_TIMER } from '../../model/pace.ts';

export class Bell {
  #hasRung = false;
  #wake = () => {};

  /** Ends the current wait, or the next one if nothing is waiting. */
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
