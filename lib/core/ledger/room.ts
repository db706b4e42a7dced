/** Keeps what fits: beyond so many entries, or so much of their sizes together, the oldest are forgotten. */
export class Room<K> {
  readonly #kept = new Map<K, number>();
  readonly #limit: number;
  readonly #space: number;
  readonly #forget: (key: K) => void;
  #left: number;

  /** A `limit` of infinity keeps everything. */
  constructor(limit: number, space: number, forget: (key: K) => void) {
    this.#limit = limit;
    this.#space = space;
    this.#left = space;
    this.#forget = forget;
  }

  /** Adds an entry, or changes its size. It is never the one that is forgotten. */
  keep(key: K, size: number): void {
    if (this.#limit === Number.POSITIVE_INFINITY) return;
    this.#left += (this.#kept.get(key) ?? 0) - size;
    this.#kept.set(key, size);
    if (this.#left >= 0 && this.#kept.size <= this.#limit) return;
    // Many at a time: to find the oldest takes long where others were deleted before it.
    for (const oldest of this.#kept.keys()) {
      if ((this.#left >= this.#space / 4 && this.#kept.size <= this.#limit * 0.75) || oldest === key) return;
      this.drop(oldest);
      this.#forget(oldest);
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
