/**
 * What the forwarding thread and the worker share: a few numbers in common memory. No messages pass while traffic
 * flows; the worker sleeps until the journal grows, then lets it grow a little more, so that it works in batches.
 */

const GROWN = 0;
const ASLEEP = 1;
const FINISH = 2;
const ENGAGED = 3;
const LEAVING = 4;
const CELLS = 5;

/** The journal may grow this long before the worker looks again. */
const BATCH_MS = 25;
/** Far longer than one step of the index takes, unless its disk is stuck. */
const LONGEST_MS = 5000;

export class Progress {
  readonly memory: SharedArrayBuffer;
  readonly #cells: Int32Array;

  constructor(memory = new SharedArrayBuffer(CELLS * 4)) {
    this.memory = memory;
    this.#cells = new Int32Array(memory);
  }

  /** Forwarding thread: the journal has grown. Wakes the worker only if it sleeps. */
  grown(): void {
    Atomics.add(this.#cells, GROWN, 1);
    if (Atomics.load(this.#cells, ASLEEP) === 1) {
      Atomics.store(this.#cells, ASLEEP, 0);
      Atomics.notify(this.#cells, GROWN);
    }
  }

  /** Forwarding thread: nothing more will come. */
  finish(): void {
    Atomics.store(this.#cells, FINISH, 1);
    Atomics.notify(this.#cells, FINISH);
    this.grown();
    Atomics.notify(this.#cells, GROWN);
  }

  get finishing(): boolean {
    return Atomics.load(this.#cells, FINISH) === 1;
  }

  get count(): number {
    return Atomics.load(this.#cells, GROWN);
  }

  /** Worker: sleeps until the journal has grown past `seen` (or for so long), then a little longer. */
  sleep(seen: number, ms = Number.POSITIVE_INFINITY): void {
    Atomics.store(this.#cells, ASLEEP, 1);
    Atomics.wait(this.#cells, GROWN, seen, ms);
    Atomics.store(this.#cells, ASLEEP, 0);
    this.pause(BATCH_MS);
  }

  /** Worker: a pause that ends early when the recorder wants to finish. */
  pause(ms: number): void {
    if (!this.finishing) Atomics.wait(this.#cells, FINISH, 0, ms);
  }

  /** Worker: work that must not be cut off in the middle; null, and nothing done, if the process is about to end. */
  engage<T>(work: () => T): T | null {
    Atomics.store(this.#cells, ENGAGED, 1);
    try {
      return Atomics.load(this.#cells, LEAVING) === 1 ? null : work();
    } finally {
      Atomics.store(this.#cells, ENGAGED, 0);
      Atomics.notify(this.#cells, ENGAGED);
    }
  }

  /** Forwarding thread, as the last thing the process does: waits until the worker may be cut off. */
  leave(): void {
    Atomics.store(this.#cells, LEAVING, 1);
    Atomics.wait(this.#cells, ENGAGED, 1, LONGEST_MS);
  }
}
