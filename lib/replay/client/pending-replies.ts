/** What the live agent owes to the requests and prompts of the client, and how what it gives differs from the tape. */

import { type DriveStep, hasEnded } from './drive-step.ts';
import type { LiveMessage } from './live-conversation.ts';
import type { LiveIds } from './live-ids.ts';
import { outcomeOf } from './new-step.ts';
import { outcomeDifference } from './outcome-difference.ts';
import type { AgentDeparture } from './report.ts';

export class PendingReplies {
  /** By live frame. */
  readonly #pending = new Map<number, DriveStep>();
  readonly #ids: LiveIds;
  readonly #departed: (entry: AgentDeparture) => void;

  constructor(ids: LiveIds, departed: (entry: AgentDeparture) => void) {
    this.#ids = ids;
    this.#departed = departed;
  }

  /** The step was sent in this live frame. */
  add(f: number, step: DriveStep): void {
    this.#pending.set(f, step);
  }

  /** The turn of a prompt that was sent has not ended. */
  get hasPrompt(): boolean {
    for (const { isPrompt, f } of this.#pending.values()) if (isPrompt && f > 0) return true;
    return false;
  }

  /** The latest step that the agent owes something. */
  get latest(): DriveStep | null {
    return [...this.#pending.values()].findLast(({ f }) => f > 0) ?? null;
  }

  take({ read, answered, ended }: LiveMessage): void {
    const settled = new Set<DriveStep>();
    const request = answered === null ? undefined : this.#pending.get(answered);
    if (request) {
      request.live.response = { f: read.frame.f, outcome: outcomeOf(read), value: read.value };
      settled.add(request);
    }
    for (const { prompts, status } of ended) {
      for (const prompt of prompts) {
        const step = this.#pending.get(prompt);
        if (!step) continue;
        step.live.status = status;
        settled.add(step);
      }
    }
    for (const step of settled) this.compare(step);
  }

  /** Compares what the recorded agent and the live one made of a step, once both are known. */
  compare(step: DriveStep): void {
    const { recorded, live, isPrompt } = step;
    if (recorded.response && live.response) this.#ids.pair(recorded.response.value, live.response.value, true);
    if (!hasEnded(step)) return;
    if (step.liveF !== null) this.#pending.delete(step.liveF);
    const isKnown = isPrompt && live.status !== null ? recorded.status !== null : recorded.response !== null;
    if (!isKnown || step.isCompared) return;
    step.isCompared = true;
    const what = outcomeDifference(step);
    if (what !== null) this.#departed({ f: reportedFrame(step), what });
  }

  /** The agent gives nothing more. */
  close(): void {
    for (const step of this.#pending.values()) {
      const { label, recorded, live } = step;
      const isPending = recorded.response ? live.response === null : recorded.status !== null;
      if (isPending) this.#departed({ f: reportedFrame(step), what: `${label}: never answered` });
    }
  }
}

/** A prompt on the command line has no frame. */
function reportedFrame({ f }: DriveStep): number | null {
  return f === 0 ? null : f;
}
