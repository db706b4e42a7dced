import { FINISHED, KEPT } from '../recent.ts';

/**
 * Keys with sizes. Beyond a number of entries, or a sum of their sizes, the oldest are forgotten. As in a limited map,
 * finished entries go first, and a tenth of the limit is enough for them.
 */
export class Room<K> {
  readonly #kept = new Map<K, number>();
  readonly #limit: number;
  readonly #space: number;
  readonly #isOpen: (key: K) => boolean;
  readonly #forget: (key: K) => void;
  #left: number;
  /** The size at which the oldest are forgotten next. */
  #full: number;

  /** A `limit` of infinity keeps everything. */
  constructor(limit: number, space: number, isOpen: (key: K) => boolean, forget: (key: K) => void) {
    this.#limit = limit;
    this.#space = space;
    this.#left = space;
    this.#isOpen = isOpen;
    this.#forget = forget;
    this.#full = limit / FINISHED;
  }

  /** Adds an entry, or changes its size. It is never the one that is forgotten. */
  keep(key: K, size: number): void {
    if (this.#limit === Number.POSITIVE_INFINITY) return;
    this.#left += (this.#kept.get(key) ?? 0) - size;
    this.#kept.set(key, size);
    if (this.#left >= 0 && this.#kept.size <= this.#full) return;
    const few = this.#limit / FINISHED;
    this.#shrink(key, few * KEPT, (one) => !this.#isOpen(one));
    if (this.#left < 0 || this.#kept.size > this.#limit) this.#shrink(key, this.#limit * KEPT, () => true);
    this.#full = Math.min(this.#limit, Math.max(few, this.#kept.size / KEPT));
  }

  /** Many at a time: to find the oldest takes long where others were deleted before it. */
  #shrink(newest: K, until: number, mayGo: (key: K) => boolean): void {
    for (const key of this.#kept.keys()) {
      if (key === newest || (this.#left >= this.#space / 4 && this.#kept.size <= until)) return;
      if (!mayGo(key)) continue;
      this.drop(key);
      this.#forget(key);
    }
  }

  drop(key: K): void {
    this.#left += this.#kept.get(key) ?? 0;
    this.#kept.delete(key);
  }

  get size(): number {
    return this.#kept.size;
  }
}
