/** What the live agent owes to the requests and prompts of the client, and how what it gives differs from the tape. */
import type { Heard } from './live.ts';
import type { LiveIds } from './live-ids.ts';
import { outcomeOf } from './new-step.ts';
import { differenceIn } from './outcome.ts';
import type { Departed } from './report.ts';
import { hasEnded, type Step } from './steps.ts';

export class Debts {
  /** By live frame. */
  readonly #owed = new Map<number, Step>();
  readonly #ids: LiveIds;
  readonly #departed: (entry: Departed) => void;

  constructor(ids: LiveIds, departed: (entry: Departed) => void) {
    this.#ids = ids;
    this.#departed = departed;
  }

  /** The step was sent in this live frame. */
  add(f: number, step: Step): void {
    this.#owed.set(f, step);
  }

  /** The turn of a prompt that was sent has not ended. */
  get hasPrompt(): boolean {
    for (const { isPrompt, f } of this.#owed.values()) if (isPrompt && f > 0) return true;
    return false;
  }

  /** The latest step that the agent owes something. */
  get latest(): Step | null {
    return [...this.#owed.values()].findLast(({ f }) => f > 0) ?? null;
  }

  take({ read, answered, ended }: Heard): void {
    const settled = new Set<Step>();
    const asked = answered === null ? undefined : this.#owed.get(answered);
    if (asked) {
      asked.live.response = { f: read.frame.f, outcome: outcomeOf(read), value: read.value };
      settled.add(asked);
    }
    for (const { prompts, status } of ended) {
      for (const prompt of prompts) {
        const step = this.#owed.get(prompt);
        if (!step) continue;
        step.live.status = status;
        settled.add(step);
      }
    }
    for (const step of settled) this.compare(step);
  }

  /** Compares what the recorded agent and the live one made of a step, once both are known. */
  compare(step: Step): void {
    const { recorded, live, isPrompt } = step;
    if (recorded.response && live.response) this.#ids.pair(recorded.response.value, live.response.value, true);
    if (!hasEnded(step)) return;
    if (step.liveF !== null) this.#owed.delete(step.liveF);
    const isKnown = isPrompt && live.status !== null ? recorded.status !== null : recorded.response !== null;
    if (!isKnown || step.isCompared) return;
    step.isCompared = true;
    const what = differenceIn(step);
    if (what !== null) this.#departed({ f: frameOf(step), what });
  }

  /** The agent gives nothing more. */
  close(): void {
    for (const step of this.#owed.values()) {
      const { label, recorded, live } = step;
      const isOwed = recorded.response ? live.response === null : recorded.status !== null;
      if (isOwed) this.#departed({ f: frameOf(step), what: `${label}: never answered` });
    }
  }
}

/** A prompt on the command line has no frame. */
function frameOf({ f }: Step): number | null {
  return f === 0 ? null : f;
}
