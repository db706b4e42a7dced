import { FINISHED_DIVISOR, KEPT_SHARE } from '../limited-map.ts';

/**
 * Keys with sizes. Beyond a number of entries, or a sum of their sizes, the oldest are forgotten. As in a limited map,
 * finished entries go first, and a tenth of the limit is enough for them.
 */
export class SizeLimitedSet<K> {
  readonly #kept = new Map<K, number>();
  readonly #limit: number;
  readonly #maxSize: number;
  readonly #isOpen: (key: K) => boolean;
  readonly #forget: (key: K) => void;
  #sizeLeft: number;
  /** The size at which the oldest are forgotten next. */
  #nextShrinkCount: number;

  /** A `limit` of infinity keeps everything. */
  constructor(limit: number, space: number, isOpen: (key: K) => boolean, forget: (key: K) => void) {
    this.#limit = limit;
    this.#maxSize = space;
    this.#sizeLeft = space;
    this.#isOpen = isOpen;
    this.#forget = forget;
    this.#nextShrinkCount = limit / FINISHED_DIVISOR;
  }

  /** Adds an entry, or changes its size. It is never the one that is forgotten. */
  keep(key: K, size: number): void {
    if (this.#limit === Number.POSITIVE_INFINITY) return;
    this.#sizeLeft += (this.#kept.get(key) ?? 0) - size;
    this.#kept.set(key, size);
    if (this.#sizeLeft >= 0 && this.#kept.size <= this.#nextShrinkCount) return;
    const finishedLimit = this.#limit / FINISHED_DIVISOR;
    this.#shrink(key, finishedLimit * KEPT_SHARE, (one) => !this.#isOpen(one));
    if (this.#sizeLeft < 0 || this.#kept.size > this.#limit) this.#shrink(key, this.#limit * KEPT_SHARE, () => true);
    this.#nextShrinkCount = Math.min(this.#limit, Math.max(finishedLimit, this.#kept.size / KEPT_SHARE));
  }

  /** Many at a time: to find the oldest takes long where others were deleted before it. */
  #shrink(newest: K, until: number, mayGo: (key: K) => boolean): void {
    for (const key of this.#kept.keys()) {
      if (key === newest || (this.#sizeLeft >= this.#maxSize / 4 && this.#kept.size <= until)) return;
      if (!mayGo(key)) continue;
      this.drop(key);
      this.#forget(key);
    }
  }

  drop(key: K): void {
    this.#sizeLeft += this.#kept.get(key) ?? 0;
    this.#kept.delete(key);
  }

  get size(): number {
    return this.#kept.size;
  }
}
