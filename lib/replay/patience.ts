/**
 * How long a replay waits for the client. What it needs, it waits for as an agent would: without end, unless there is a
 * time limit. It waits for what the client sent on its own as long as the recorded client took, and then gives up.
 */
import { type Pace, waitFor } from '../model/pace.ts';
import { SHORTEST_WAIT } from './clock.ts';
import { lineOf, nameOf, note } from './report.ts';
import type { Stage } from './stage.ts';
import { type Hear, isEnding } from './steps.ts';

export interface PatienceOptions {
  pace: Pace;
  /** Seconds without a line of either side after which the replay ends; null: no limit. */
  timeout: number | null;
  /** The shortest wait in seconds for what the client sends on its own. Default: 1. */
  grace?: number;
  /** Prints a line for the user. */
  say(line: string): void;
}

const GRACE = 1;
/** After this many seconds of waiting, the user is told what for. */
const QUIET = 10;

export class Patience {
  readonly #stage: Stage;
  readonly #options: PatienceOptions;
  /** When to give up on each line that the client sends on its own. */
  readonly #deadlines = new Map<Hear, number>();
  readonly #told = new Set<Hear>();

  constructor(stage: Stage, options: PatienceOptions) {
    this.#stage = stage;
    this.#options = options;
    stage.onSettled = (hear) => {
      this.#deadlines.delete(hear);
      this.#told.delete(hear);
    };
  }

  /**
   * How many seconds to wait now; 0: something was given up, look again; null: it is over. `active`: when something was
   * last sent or heard. `heard`: everything that came before has been read.
   */
  wait({ now, heard, active }: { now: number; heard: number; active: number }): number | null {
    const { timeout } = this.#options;
    const end = timeout === null ? Number.POSITIVE_INFINITY : active + timeout;
    if (end <= heard) return this.#timedOut();
    let wait = Math.min(end - now, this.#tell(now - active));
    for (const hear of this.#hopes()) {
      const deadline = this.#deadlineOf(hear, now);
      if (deadline <= heard) {
        this.#giveUp(hear);
        return 0;
      }
      wait = Math.min(wait, deadline - now);
    }
    return Math.max(wait, SHORTEST_WAIT);
  }

  #deadlineOf(hear: Hear, now: number): number {
    const known = this.#deadlines.get(hear);
    if (known !== undefined) return known;
    const { grace = GRACE, pace } = this.#options;
    // A client may leave its stream open, and that is no departure.
    const least = isEnding(hear.what) ? GRACE : grace;
    const deadline = now + Math.max(least, waitFor(hear.gap, pace).seconds * 1.5);
    this.#deadlines.set(hear, deadline);
    return deadline;
  }

  /** What the next lines wait for only for a limited time. */
  #hopes(): Hear[] {
    const { backlog, isRead, ends, hasEnded, awaited } = this.#stage;
    const hopes = [...backlog.hopes()];
    // A client that has closed its stream may only then send a signal, or not.
    if (hasEnded) for (const hear of awaited.all()) if (hear.what === 'signal') hopes.push(hear);
    if (backlog.size > 0 || !isRead) return hopes;
    // An end that needs more than that does not come any sooner.
    const near = ends.filter(({ needs }) => needs.every(({ state }) => state !== 'awaited'));
    return [...hopes, ...near.flatMap((say) => say.hopes.filter(({ state }) => state === 'awaited'))];
  }

  #giveUp(hear: Hear): void {
    this.#stage.settle(hear, 'given-up');
    // A client may leave its stream open.
    if (isEnding(hear.what)) return;
    const what = `it did not send ${nameOf(hear)} (f${hear.f})`;
    note(this.#stage.report.departed, { f: hear.f, what, next: 'as-recorded', branch: null });
    this.#stage.neverAsked(hear);
    this.#options.say(`the client departed from the tape: ${what}; going on as recorded`);
  }

  get #neededNext(): Hear | null {
    const { backlog, awaited } = this.#stage;
    return backlog.awaited ?? awaited.first;
  }

  /** Tells the user what the replay is waiting for. Returns in how many seconds to look again. */
  #tell(quiet: number): number {
    if (quiet < QUIET) return QUIET - quiet;
    const hear = this.#neededNext;
    if (hear && !this.#told.has(hear)) {
      this.#told.add(hear);
      this.#options.say(`waiting for the client: ${nameOf(hear)} (f${hear.f})`);
    }
    return Number.POSITIVE_INFINITY;
  }

  #timedOut(): null {
    const hear = this.#neededNext;
    const what = hear ? `it did not send ${nameOf(hear)} (f${hear.f}) in time` : 'it was silent for too long';
    if (hear) this.#stage.differs({ f: hear.f, path: '', recorded: lineOf(hear), live: undefined });
    this.#ended(hear?.f ?? null, what);
    return null;
  }

  /** `what` came from the client, and more of it than can be read. */
  endless(what: string): void {
    this.#ended(null, what);
  }

  /** The client did not read within the time limit. */
  unread(): void {
    this.#ended(null, 'it did not read in time');
  }

  #ended(f: number | null, what: string): void {
    note(this.#stage.report.departed, { f, what, next: 'ended', branch: null });
    this.#options.say(`the client departed from the tape: ${what}`);
  }
}
