/** The total time spent waiting for the client: the union of the times of open requests, not their sum (rule W2). */
import { type Interval, lengthOf, merged } from '../interval.ts';
import { Recent } from '../recent.ts';
import type { Place } from './records.ts';

const MANY = 64;

export class Waiting {
  /** In the order of the requests. */
  readonly #open: Recent<Place, true>;
  /** Finished waits that an open one may overlap. */
  #closed: Interval[] = [];
  #total = 0;
  readonly #changed: (total: number) => void;

  /** `changed` is called with every new total. */
  constructor(changed: (total: number) => void, limit: number) {
    this.#open = new Recent(limit);
    this.#changed = changed;
  }

  opens(ask: Place): void {
    this.#open.set(ask, true);
  }

  closes(ask: Place, end: number): void {
    if (!this.#open.delete(ask)) return;
    this.#closed.push([ask.t, Math.max(ask.t, end)]);
    if (this.#open.size === 0) {
      this.#total += union(this.#closed);
      this.#closed = [];
    } else if (this.#closed.length >= MANY) this.#settle();
    this.#changed(this.#closed.length === 0 ? this.#total : this.#total + union(this.#closed));
  }

  /** Adds a wait in this interval. */
  adds(from: Place, end: number): void {
    const ask = { ...from };
    this.opens(ask);
    this.closes(ask, end);
  }

  /** Adds up waits that can no longer change: those that ended before the oldest open wait, and those that it covers. */
  #settle(): void {
    const { t } = this.#open.keys().next().value!;
    const before = this.#closed.filter(([, to]) => to <= t);
    const since = merged(this.#closed.filter(([, to]) => to > t));
    this.#total += union(before);
    this.#closed = since.length < MANY / 2 ? since : [[since[0]![0], since.at(-1)![1]]];
  }

  get retained(): number {
    return this.#open.size + this.#closed.length;
  }
}

/** The seconds that the intervals cover together. */
export function union(intervals: Interval[]): number {
  if (intervals.length === 1) return intervals[0]![1] - intervals[0]![0];
  return lengthOf(merged(intervals));
}
