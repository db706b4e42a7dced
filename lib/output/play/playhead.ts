/**
 * The current position in recorded time, and when the next frame is due. It has no clock: callers pass the time in
 * seconds, which never goes back.
 */
import { type Pace, waitFor } from '../../model/pace.ts';

/** What the keys choose from. */
const SPEEDS = [1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8, 16, 32, 64, 128, 256];

export class Playhead {
  #pace: Pace;
  #isPlaying: boolean;
  /** At this time of the clock, playing was at this recorded time. */
  #since: { now: number; t: number };
  /** The recorded time of the next frame; null as long as it is not known. */
  #next: number | null = null;
  /** As long as the next frame is not known, playing does not go further than this: what is recorded is over then. */
  edge = 0;

  constructor(pace: Pace, now: number) {
    this.#pace = pace;
    this.#isPlaying = true;
    this.#since = { now, t: 0 };
  }

  get pace(): Pace {
    return this.#pace;
  }

  get isPlaying(): boolean {
    return this.#isPlaying;
  }

  /** The recorded time at `now`. */
  at(now: number): number {
    const { t } = this.#since;
    if (!this.#isPlaying) return t;
    const { speed } = this.#pace;
    const wait = this.#wait;
    const passed = Math.max(0, now - this.#since.now);
    // Nothing of a gap that is skipped passes.
    if (wait) return speed === Number.POSITIVE_INFINITY ? t : t + Math.min(passed, wait.seconds) * speed;
    return Math.max(t, speed === Number.POSITIVE_INFINITY ? this.edge : Math.min(this.edge, t + passed * speed));
  }

  /** The next frame was recorded at `t`. */
  expect(t: number): void {
    this.#next = t;
  }

  /** When the next frame is due; null if it is not known, or playing is paused. */
  get due(): number | null {
    const wait = this.#wait;
    return this.#isPlaying && wait ? this.#since.now + wait.seconds : null;
  }

  /** The recorded seconds that will be left out before the next frame. */
  get skips(): number {
    return this.#wait?.skipped ?? 0;
  }

  /**
   * The next frame is shown. If it was `awaited`, it came as late as it was recorded; otherwise what follows is due as if
   * it had been shown in time.
   */
  take(t: number, now: number, awaited: boolean): void {
    const due = this.due ?? now;
    this.#since = {
      now: awaited ? Math.max(due, now) : due,
      t: Number.isFinite(t) ? Math.max(this.#since.t, t) : this.#since.t,
    };
    this.#next = null;
  }

  /** Goes on from another place. */
  moveTo(t: number, now: number): void {
    this.#since = { now, t: Number.isFinite(t) ? t : this.#since.t };
    this.#next = null;
  }

  pause(now: number): void {
    this.#since = { now, t: this.at(now) };
    this.#isPlaying = false;
  }

  /** Time that passed while it was paused does not count. */
  play(now: number): void {
    this.#since = { now, t: this.#since.t };
    this.#isPlaying = true;
  }

  change(how: 'faster' | 'slower', now: number): void {
    const { speed } = this.#pace;
    const other = how === 'faster' ? SPEEDS.find((one) => one > speed) : SPEEDS.findLast((one) => one < speed);
    this.#since = { now, t: this.at(now) };
    this.#pace = { ...this.#pace, speed: other ?? speed };
  }

  get #wait() {
    return this.#next === null ? null : waitFor(this.#next - this.#since.t, this.#pace);
  }
}
