/** How long the agent has been quiet, and how long a step waits for it. */
import type { Step } from './steps.ts';

/** How many seconds an agent may take to start. */
const STARTING = 10;

export class Quiet {
  /** When the agent last sent or was last sent something. */
  since = 0;
  readonly #longest: number;
  /** The agent is known to have nothing more to send since then. */
  #isHushed = false;

  /** `timeout`: seconds of silence after which the agent counts as hanging. */
  constructor(timeout: number) {
    this.#longest = timeout / 2;
  }

  stirred(now: number): void {
    this.since = now;
    this.#isHushed = false;
  }

  hushed(): void {
    this.#isHushed = true;
  }

  /** Seconds. An agent that has not sent anything may still be starting. */
  patienceFor({ patience, isMadeUp }: Step, hasSpoken: boolean): number {
    if (isMadeUp && this.#isHushed) return 0;
    return Math.min(hasSpoken ? patience : Math.max(patience, STARTING), this.#longest);
  }
}
