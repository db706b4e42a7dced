/** How long the agent has been quiet, and how long a step waits for it. */
import type { DriveStep } from './drive-step.ts';

/** How many seconds an agent may take to start. */
const STARTUP_SECONDS = 10;

export class AgentSilence {
  /** When the agent last sent or was last sent something. */
  since = 0;
  readonly #maxPatience: number;
  /** The agent is known to have nothing more to send since then. */
  #isFinished = false;

  /** `timeout`: seconds of silence after which the agent counts as hanging. */
  constructor(timeout: number) {
    this.#maxPatience = timeout / 2;
  }

  restart(now: number): void {
    this.since = now;
    this.#isFinished = false;
  }

  finish(): void {
    this.#isFinished = true;
  }

  /** Seconds. An agent that has not sent anything may still be starting. */
  patienceFor({ patience, isMadeUp }: DriveStep, hasSpoken: boolean): number {
    if (isMadeUp && this.#isFinished) return 0;
    return Math.min(hasSpoken ? patience : Math.max(patience, STARTUP_SECONDS), this.#maxPatience);
  }
}
