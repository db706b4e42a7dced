/** How long anybody was waited for: the union of the intervals in which something was asked, never their sum (rule W2). */
import type { Item } from './shape.ts';

export class Waiting {
  readonly #open = new Set<Item>();
  /** Intervals that something still open may overlap. */
  #closed: [number, number][] = [];
  #total = 0;
  readonly #tell: (total: number) => void;

  /** `tell` hears of every change. */
  constructor(tell: (total: number) => void) {
    this.#tell = tell;
  }

  opens(ask: Item): void {
    this.#open.add(ask);
  }

  closes(ask: Item): void {
    if (!this.#open.delete(ask)) return;
    this.#closed.push([ask.t, ask.t + ask.ask!.wait!]);
    if (this.#open.size === 0) {
      this.#total += union(this.#closed);
      this.#closed = [];
    } else if (this.#closed.length >= MANY) this.#closed = merged(this.#closed);
    this.#tell(this.#total + union(this.#closed));
  }

  get retained(): number {
    return this.#open.size + this.#closed.length;
  }
}

const MANY = 64;

/** Seconds covered by any of the intervals. */
export function union(intervals: [number, number][]): number {
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
