/** The total time spent waiting for the client: the union of the times of open requests, not their sum (rule W2). */
import { type Interval, mergeIntervals, totalLength } from '../interval.ts';
import { LimitedMap } from '../limited-map.ts';
import type { FramePosition } from './records.ts';

const MAX_CLOSED_WAITS = 64;

export class WaitingTime {
  /** In the order of the requests. */
  readonly #open: LimitedMap<FramePosition, true>;
  /** Finished waits that an open one may overlap. */
  #closed: Interval[] = [];
  #total = 0;
  readonly #changed: (total: number) => void;

  /** `changed` is called with every new total. */
  constructor(changed: (total: number) => void, limit: number) {
    this.#open = new LimitedMap(limit);
    this.#changed = changed;
  }

  open(ask: FramePosition): void {
    this.#open.set(ask, true);
  }

  close(ask: FramePosition, end: number): void {
    if (!this.#open.delete(ask)) return;
    this.#closed.push([ask.t, Math.max(ask.t, end)]);
    if (this.#open.size === 0) {
      this.#total += unionSeconds(this.#closed);
      this.#closed = [];
    } else if (this.#closed.length >= MAX_CLOSED_WAITS) this.#settle();
    this.#changed(this.#closed.length === 0 ? this.#total : this.#total + unionSeconds(this.#closed));
  }

  /** Adds a wait in this interval. */
  add(from: FramePosition, end: number): void {
    const ask = { ...from };
    this.open(ask);
    this.close(ask, end);
  }

  /** Adds up waits that can no longer change: those that ended before the oldest open wait, and those that it covers. */
  #settle(): void {
    const { t } = this.#open.keys().next().value!;
    const before = this.#closed.filter(([, to]) => to <= t);
    const since = mergeIntervals(this.#closed.filter(([, to]) => to > t));
    this.#total += unionSeconds(before);
    this.#closed = since.length < MAX_CLOSED_WAITS / 2 ? since : [[since[0]![0], since.at(-1)![1]]];
  }

  get retained(): number {
    return this.#open.size + this.#closed.length;
  }
}

/** The seconds that the intervals cover together. */
export function unionSeconds(intervals: Interval[]): number {
  if (intervals.length === 1) return intervals[0]![1] - intervals[0]![0];
  return totalLength(mergeIntervals(intervals));
}
