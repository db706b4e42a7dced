/** How long anybody was waited for: the union of the intervals in which something was asked, never their sum (rule W2). */
import { Recent } from './recent.ts';
import type { Item } from './shape.ts';

const MANY = 64;

export class Waiting {
  /** In the order in which they were asked. */
  readonly #open: Recent<Item, true>;
  /** Intervals that something still open may overlap. */
  #closed: [number, number][] = [];
  #total = 0;
  readonly #tell: (total: number) => void;

  /** `tell` hears of every change. */
  constructor(tell: (total: number) => void, limit: number) {
    this.#open = new Recent(limit);
    this.#tell = tell;
  }

  opens(ask: Item): void {
    this.#open.set(ask, true);
  }

  closes(ask: Item): void {
    if (!this.#open.delete(ask)) return;
    this.#closed.push([ask.t, ask.t + ask.ask!.wait!]);
    if (this.#open.size === 0) {
      this.#total += union(this.#closed);
      this.#closed = [];
    } else if (this.#closed.length >= MANY) this.#settle();
    this.#tell(this.#closed.length === 0 ? this.#total : this.#total + union(this.#closed));
  }

  /** Takes together what can change no more: what ended before the oldest that is open, and what that one covers. */
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

/** Seconds covered by any of the intervals. */
export function union(intervals: [number, number][]): number {
  if (intervals.length === 1) return intervals[0]![1] - intervals[0]![0];
  return merged(intervals).reduce((total, [from, to]) => total + to - from, 0);
}

function merged(intervals: [number, number][]): [number, number][] {
  const out: [number, number][] = [];
  for (const [from, to] of [...intervals].sort((a, b) => a[0] - b[0])) {
    const last = out.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else out.push([from, to]);
  }
  return out;
}
