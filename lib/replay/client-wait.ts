/**
 * How long a replay waits for the client. What it needs, it waits for as an agent would: without end, unless there is a
 * time limit. It waits for what the client sent on its own as long as the recorded client took, and then gives up.
 */
import { type Pace, waitFor } from '../model/pace.ts';
import { SHORTEST_WAIT } from './clock.ts';
import type { ReplayState } from './replay-state.ts';
import { addEntry, lineValue, messageName } from './report.ts';
import { type ClientStep, isEnding } from './script-step.ts';

export interface ClientWaitOptions {
  pace: Pace;
  /** Seconds without a line of either side after which the replay ends; null: no limit. */
  timeout: number | null;
  /** The shortest wait in seconds for what the client sends on its own. Default: 1. */
  grace?: number;
  /** Prints a line for the user. */
  print(line: string): void;
}

const GRACE_SECONDS = 1;
/** After this many seconds of waiting, a line says what for. */
const REMINDER_SECONDS = 10;

export class ClientWait {
  readonly #state: ReplayState;
  readonly #options: ClientWaitOptions;
  /** When to give up on each line that the client sends on its own. */
  readonly #deadlines = new Map<ClientStep, number>();
  readonly #mentioned = new Set<ClientStep>();

  constructor(stage: ReplayState, options: ClientWaitOptions) {
    this.#state = stage;
    this.#options = options;
    stage.onSettled = (clientStep) => {
      this.#deadlines.delete(clientStep);
      this.#mentioned.delete(clientStep);
    };
  }

  /**
   * How many seconds to wait now; 0: something was given up, look again; null: it is over. `active`: when something was
   * last sent or received. `heard`: everything that came before has been read.
   */
  wait({ now, heard, active }: { now: number; heard: number; active: number }): number | null {
    const { timeout } = this.#options;
    const end = timeout === null ? Number.POSITIVE_INFINITY : active + timeout;
    if (end <= heard) return this.#timedOut();
    let wait = Math.min(end - now, this.#mention(now - active));
    for (const clientStep of this.#optionalNeeds()) {
      const deadline = this.#deadlineOf(clientStep, now);
      if (deadline <= heard) {
        this.#giveUp(clientStep);
        return 0;
      }
      wait = Math.min(wait, deadline - now);
    }
    return Math.max(wait, SHORTEST_WAIT);
  }

  #deadlineOf(clientStep: ClientStep, now: number): number {
    const known = this.#deadlines.get(clientStep);
    if (known !== undefined) return known;
    const { grace = GRACE_SECONDS, pace } = this.#options;
    // A client may leave its stream open, and that is no departure.
    const least = isEnding(clientStep.what) ? GRACE_SECONDS : grace;
    const deadline = now + Math.max(least, waitFor(clientStep.gap, pace).seconds * 1.5);
    this.#deadlines.set(clientStep, deadline);
    return deadline;
  }

  /** What the next lines wait for only for a limited time. */
  #optionalNeeds(): ClientStep[] {
    const { backlog, isRead, ends, hasEnded, awaited } = this.#state;
    const optionalNeeds = [...backlog.optionalNeeds()];
    // A client that has closed its stream may only then send a signal, or not.
    if (hasEnded)
      for (const clientStep of awaited.all()) if (clientStep.what === 'signal') optionalNeeds.push(clientStep);
    if (backlog.size > 0 || !isRead) return optionalNeeds;
    // An end that needs more than that does not come any sooner.
    const near = ends.filter(({ needs }) => needs.every(({ state }) => state !== 'awaited'));
    return [
      ...optionalNeeds,
      ...near.flatMap((agentStep) => agentStep.optionalNeeds.filter(({ state }) => state === 'awaited')),
    ];
  }

  #giveUp(clientStep: ClientStep): void {
    this.#state.settle(clientStep, 'given-up');
    // A client may leave its stream open.
    if (isEnding(clientStep.what)) return;
    const what = `it did not send ${messageName(clientStep)} (f${clientStep.f})`;
    addEntry(this.#state.report.departed, { f: clientStep.f, what, next: 'as-recorded', branch: null });
    this.#state.reportNeverAsked(clientStep);
    this.#options.print(`the client departed from the tape: ${what}; going on as recorded`);
  }

  get #neededNext(): ClientStep | null {
    const { backlog, awaited } = this.#state;
    return backlog.awaited ?? awaited.first;
  }

  /** Tells the user what the replay is waiting for. Returns in how many seconds to look again. */
  #mention(silence: number): number {
    if (silence < REMINDER_SECONDS) return REMINDER_SECONDS - silence;
    const clientStep = this.#neededNext;
    if (clientStep && !this.#mentioned.has(clientStep)) {
      this.#mentioned.add(clientStep);
      this.#options.print(`waiting for the client: ${messageName(clientStep)} (f${clientStep.f})`);
    }
    return Number.POSITIVE_INFINITY;
  }

  #timedOut(): null {
    const clientStep = this.#neededNext;
    const what = clientStep
      ? `it did not send ${messageName(clientStep)} (f${clientStep.f}) in time`
      : 'it was silent for too long';
    if (clientStep)
      this.#state.reportFirstDifference({
        f: clientStep.f,
        path: '',
        recorded: lineValue(clientStep),
        live: undefined,
      });
    this.#ended(clientStep?.f ?? null, what);
    return null;
  }

  /** `what` came from the client, and more of it than can be read. */
  failOnEndlessLine(what: string): void {
    this.#ended(null, what);
  }

  /** The client did not read within the time limit. */
  failUnread(): void {
    this.#ended(null, 'it did not read in time');
  }

  #ended(f: number | null, what: string): void {
    addEntry(this.#state.report.departed, { f, what, next: 'ended', branch: null });
    this.#options.print(`the client departed from the tape: ${what}`);
  }
}
