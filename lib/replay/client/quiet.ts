/** How long the agent has been quiet, and how long a step waits for it. */
import type { Step } from './steps.ts';

/** How many seconds an agent may take to start. */
const STARTING = 10;

export class Quiet {
  /** When the agent last said something, or was last told something. */
  since = 0;
  readonly #longest: number;
  /** Since then, somebody who knows has said that the agent has nothing more to say. */
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

  /** Seconds. An agent that has not said anything may still be starting. */
  patienceFor({ patience, isMadeUp }: Step, hasSpoken: boolean): number {
    if (isMadeUp && this.#isHushed) return 0;
    return Math.min(hasSpoken ? patience : Math.max(patience, STARTING), this.#longest);
  }
}
