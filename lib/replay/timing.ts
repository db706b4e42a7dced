/** When a line that can be sent is due: at the recorded pace or faster, and apart from others where clients need that. */
import { AT_ONCE, type Pace, waitFor } from '../model/pace.ts';
import { Recent } from '../model/recent.ts';
import { now } from './clock.ts';
import type { Faults } from './faults.ts';
import type { Stage } from './stage.ts';
import type { Say } from './steps.ts';

/** Seconds between a line and the answer to its request: the MCP SDK drops progress that it reads with the answer. */
const APART = 0.02;
/** So many requests may be open at a time. */
const REQUESTS = 1000;

interface Means {
  stage: Stage;
  pace: Pace;
  faults: Faults | null;
  /** Writes what was collected. */
  flush(): void;
}

export class Timing {
  pace: Pace;
  readonly #means: Means;
  #due: { step: Say; at: number } | null = null;
  /**
   * When the latest line of each request was sent, and its time on the tape, for clients that answers are kept apart for.
   */
  readonly #told: Recent<string, { at: number; t: number }> | null;
  #flushed = 0;

  constructor(means: Means) {
    this.#means = means;
    this.pace = means.pace;
    this.#told = means.stage.replay.answersApart ? new Recent(REQUESTS) : null;
  }

  /** The line that waits for its time. */
  get waiting(): Say | null {
    return this.#due?.step ?? null;
  }

  /** From now on nothing waits for its time. */
  hurry(): void {
    this.pace = AT_ONCE;
    this.#due = null;
  }

  sent({ group, t }: Say): void {
    this.#due = null;
    this.#told?.set(group, { at: now(), t });
  }

  flushed(): void {
    this.#flushed = now();
  }

  /** Seconds until it is due. `active`: when something was last sent or heard. */
  until(say: Say, active: number): number {
    const { faults, flush } = this.#means;
    const isApart = this.#isApart(say);
    if (this.pace.speed === Number.POSITIVE_INFINITY && !faults && !isApart) return 0;
    if (this.#due?.step !== say) {
      // Also if this machine was so slow that the time is over: one write is one piece.
      if (isApart) flush();
      const late = say.frame.from === 'agent' ? (faults?.delayOf(say) ?? 0) : 0;
      const at = Math.max(active + waitFor(say.gap, this.pace).seconds, isApart ? now() + APART : 0);
      this.#due = { step: say, at: at + late };
    }
    return this.#due.at - now();
  }

  /**
   * It is, or comes with, the answer to a request about which something was just sent. What came in one piece comes
   * in one piece again: the recorded client took it at once, too.
   */
  #isApart(say: Say): boolean {
    const told = this.#told?.get(say.group);
    if (!told || (this.#flushed > told.at && now() - this.#flushed > APART)) return false;
    const { stage } = this.#means;
    return stage.hasPieces ? told.t !== say.t && stage.bringsAnswer(say) : say.answers !== null;
  }
}
