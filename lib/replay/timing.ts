/** When a line that can be sent is due: at the recorded pace or faster, and apart from others where clients need that. */

import { LimitedMap } from '../model/limited-map.ts';
import { AT_ONCE, type Pace, waitFor } from '../model/pace.ts';
import { now } from './clock.ts';
import type { Faults } from './faults.ts';
import type { ReplayState } from './replay-state.ts';
import type { AgentStep } from './script-step.ts';

/** Seconds between a line and the answer to its request: the MCP SDK drops progress that it reads with the answer. */
const ANSWER_GAP_SECONDS = 0.02;
/** So many requests may be open at a time. */
const MAX_OPEN_REQUESTS = 1000;

interface TimingContext {
  stage: ReplayState;
  pace: Pace;
  faults: Faults | null;
  /** Writes what was collected. */
  flush(): void;
}

export class Timing {
  pace: Pace;
  readonly #context: TimingContext;
  #due: { step: AgentStep; at: number } | null = null;
  /**
   * When the latest line of each request was sent, and its time on the tape, for clients that answers are kept apart for.
   */
  readonly #lastSent: LimitedMap<string, { at: number; t: number }> | null;
  #flushed = 0;

  constructor(means: TimingContext) {
    this.#context = means;
    this.pace = means.pace;
    this.#lastSent = means.stage.replay.answersApart ? new LimitedMap(MAX_OPEN_REQUESTS) : null;
  }

  /** The line that waits for its time. */
  get waiting(): AgentStep | null {
    return this.#due?.step ?? null;
  }

  /** From now on nothing waits for its time. */
  hurry(): void {
    this.pace = AT_ONCE;
    this.#due = null;
  }

  sent({ group, t }: AgentStep): void {
    this.#due = null;
    this.#lastSent?.set(group, { at: now(), t });
  }

  flushed(): void {
    this.#flushed = now();
  }

  /** Seconds until it is due. `active`: when something was last sent or received. */
  secondsUntilDue(agentStep: AgentStep, active: number): number {
    const { faults, flush } = this.#context;
    const isApart = this.#isApart(agentStep);
    if (this.pace.speed === Number.POSITIVE_INFINITY && !faults && !isApart) return 0;
    if (this.#due?.step !== agentStep) {
      // Also if this machine was so slow that the time is over: one write is one piece.
      if (isApart) flush();
      const late = agentStep.frame.from === 'agent' ? (faults?.delayOf(agentStep) ?? 0) : 0;
      const at = Math.max(active + waitFor(agentStep.gap, this.pace).seconds, isApart ? now() + ANSWER_GAP_SECONDS : 0);
      this.#due = { step: agentStep, at: at + late };
    }
    return this.#due.at - now();
  }

  /**
   * It is, or comes with, the answer to a request about which something was just sent. What came in one piece comes
   * in one piece again: the recorded client took it at once, too.
   */
  #isApart(agentStep: AgentStep): boolean {
    const last = this.#lastSent?.get(agentStep.group);
    if (!last || (this.#flushed > last.at && now() - this.#flushed > ANSWER_GAP_SECONDS)) return false;
    const { stage } = this.#context;
    return stage.hasPieces ? last.t !== agentStep.t && stage.bringsAnswer(agentStep) : agentStep.answers !== null;
  }
}
