/**
 * The pace at which recorded frames come again: as recorded, scaled, with long gaps cut short, or at once. Only arithmetic:
 * the caller has the clock. Recorded times are untrusted, so a frame whose time is before the previous one is due at once.
 */

export interface Pace {
  /** How many recorded seconds pass in a second; infinite for at once. */
  readonly speed: number;
  /** The longest wait between two frames in seconds, after scaling; null for no limit. */
  readonly maxGap: number | null;
}

export const AS_RECORDED: Pace = { speed: 1, maxGap: null };
export const AT_ONCE: Pace = { speed: Number.POSITIVE_INFINITY, maxGap: null };

/** How a recorded gap is waited for. */
export interface PacedWait {
  /** In seconds. */
  seconds: number;
  /** The recorded seconds that the limit leaves out. */
  skipped: number;
}

/** Skipping less than this many recorded seconds is not mentioned. */
export const MIN_SKIPPED_SECONDS = 1;

const NO_WAIT: PacedWait = { seconds: 0, skipped: 0 };

/** `gap`: recorded seconds between two frames. */
export function waitFor(gap: number, { speed, maxGap }: Pace): PacedWait {
  if (!Number.isFinite(gap) || gap <= 0 || speed === Number.POSITIVE_INFINITY) return NO_WAIT;
  const seconds = gap / speed;
  if (maxGap === null || seconds <= maxGap) return { seconds, skipped: 0 };
  return { seconds: maxGap, skipped: gap - maxGap * speed };
}

/** A frame that is due. */
export interface DueFrame {
  /** Seconds since the beginning of the schedule. */
  at: number;
  /** Recorded seconds left out before it. */
  skipped: number;
}

/**
 * When each of a row of frames is due. It counts from the recorded times and not from when frames were really sent, so a
 * late one delays none of those that follow.
 */
export class Schedule {
  readonly #pace: Pace;
  #recorded: number;
  #at = 0;

  /** `from`: the recorded time of the beginning. */
  constructor(pace: Pace, from: number) {
    this.#pace = pace;
    this.#recorded = from;
  }

  /** `t`: the recorded time of the next frame. */
  next(t: number): DueFrame {
    const { seconds, skipped } = waitFor(t - this.#recorded, this.#pace);
    if (Number.isFinite(t)) this.#recorded = Math.max(this.#recorded, t);
    this.#at += seconds;
    return { at: this.#at, skipped };
  }
}
