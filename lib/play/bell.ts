/** Waits for a time, or until somebody rings. */

/** Longer times would make a timer fire at once. */
const LONGEST_MS = 2 ** 31 - 1;

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
        const timer = setTimeout(done, Math.min(seconds * 1000, LONGEST_MS));
        this.#wake = () => {
          clearTimeout(timer);
          done();
        };
      });
    }
    this.#hasRung = false;
  }
}
