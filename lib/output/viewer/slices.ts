/** Work in slices: after some milliseconds the browser may paint and take keys before it goes on. */
const SLICE_MS = 8;

export class Slices {
  readonly #signal: AbortSignal;
  #until = performance.now() + SLICE_MS;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** The slice is over. */
  get isOver(): boolean {
    return performance.now() >= this.#until;
  }

  /** Throws the reason of the signal if the work is no longer wanted. */
  check(): void {
    this.#signal.throwIfAborted();
  }

  async next(): Promise<void> {
    await turn();
    this.check();
    this.#until = performance.now() + SLICE_MS;
  }
}

/** The next turn of the event loop. Timers would wait for milliseconds. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
