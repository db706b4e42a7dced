/**
 * Waiting with a time limit. When the time is up, what came in the meantime is read first: a process that was not scheduled
 * for a while must not take its own pause for the other side's silence.
 */

/** A Node timer with a longer delay fires at once. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** A timer for the nearest of several times. */
export class Timer {
  readonly #fire: (readUntil: number) => void;
  readonly #keepsAlive: boolean;
  #timeout: NodeJS.Timeout | null = null;
  #afterRead: NodeJS.Immediate | null = null;
  /** When it is due, in milliseconds on the clock of `performance.now()`. */
  #due = Number.POSITIVE_INFINITY;

  /**
   * Everything that came before `readUntil` (seconds on the clock of `performance.now()`) has been read when `fire` is called.
   * `keepsAlive`: the process does not end while the timer is set.
   */
  constructor(fire: (readUntil: number) => void, keepsAlive = true) {
    this.#fire = fire;
    this.#keepsAlive = keepsAlive;
  }

  /** Fires in this many seconds, or earlier if it is already set to an earlier time. Infinite: never. */
  set(seconds: number): void {
    const now = performance.now();
    const due = now + Math.max(0, seconds) * 1000;
    if (due >= this.#due) return;
    this.clear();
    this.#due = due;
    this.#timeout = setTimeout(this.#readFirst, Math.min(Math.ceil(due - now), MAX_DELAY_MS));
    if (!this.#keepsAlive) this.#timeout.unref();
  }

  clear(): void {
    if (this.#timeout) clearTimeout(this.#timeout);
    if (this.#afterRead) clearImmediate(this.#afterRead);
    this.#timeout = null;
    this.#afterRead = null;
    this.#due = Number.POSITIVE_INFINITY;
  }

  readonly #readFirst = (): void => {
    const readUntil = performance.now() / 1000;
    this.#timeout = null;
    this.#afterRead = setImmediate(() => {
      this.clear();
      this.#fire(readUntil);
    });
    if (!this.#keepsAlive) this.#afterRead.unref();
  };
}

/** Waits until something happens or the time is up. One caller waits at a time. */
export class Wakeup {
  /**
   * Everything that came before this time has been read, in seconds on the clock of `performance.now()`. Compare the other
   * side's silence with this and not with the clock.
   */
  readUntil = performance.now() / 1000;
  #isWoken = false;
  #resume: () => void = () => {};
  readonly #timer = new Timer((readUntil) => {
    this.readUntil = readUntil;
    this.#resume();
  });

  /** Ends the wait. If nobody waits, the next wait ends at once. */
  wake(): void {
    this.#isWoken = true;
    this.#resume();
  }

  /** Forgets earlier calls of `wake`. */
  reset(): void {
    this.#isWoken = false;
  }

  /** Resolves to true if it was woken, and to false after this many seconds. */
  async wait(seconds: number): Promise<boolean> {
    if (!this.#isWoken) {
      await new Promise<void>((done) => {
        this.#resume = done;
        this.#timer.set(seconds);
      });
      this.#resume = () => {};
      this.#timer.clear();
    }
    const wasWoken = this.#isWoken;
    this.#isWoken = false;
    return wasWoken;
  }
}
