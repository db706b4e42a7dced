/** The limit of finished values is the limit of open ones divided by this. */
export const FINISHED_DIVISOR = 10;
/** The share that is kept when the oldest are dropped. */
export const KEPT_SHARE = 0.75;

/**
 * A map with a limit: when it has more keys, the oldest are dropped. If it knows which values are open, those stay up
 * to the limit; of the finished ones, to which only a late frame can refer, a tenth of that is enough.
 */
export class LimitedMap<K, V> {
  readonly #map = new Map<K, V>();
  readonly #limit: number;
  readonly #isOpen: ((value: V) => boolean) | null;
  /** The size at which the oldest are dropped next. */
  #nextDropSize: number;
  #forgotten = 0;

  constructor(limit = 10_000, isOpen: ((value: V) => boolean) | null = null) {
    this.#limit = limit;
    this.#isOpen = isOpen;
    this.#nextDropSize = isOpen ? limit / FINISHED_DIVISOR : limit;
  }

  /** How many were dropped although they were open, or might have been. */
  get forgotten(): number {
    return this.#forgotten;
  }

  get size(): number {
    return this.#map.size;
  }

  has(key: K): boolean {
    return this.#map.has(key);
  }

  get(key: K): V | undefined {
    return this.#map.get(key);
  }

  set(key: K, value: V): void {
    if (this.#map.size >= this.#nextDropSize && !this.#map.has(key)) this.#dropOldest();
    this.#map.set(key, value);
  }

  delete(key: K): boolean {
    return this.#map.delete(key);
  }

  clear(): void {
    this.#map.clear();
  }

  /** Oldest first. Keys may be deleted during the iteration. */
  keys(): MapIterator<K> {
    return this.#map.keys();
  }

  values(): MapIterator<V> {
    return this.#map.values();
  }

  entries(): MapIterator<[K, V]> {
    return this.#map.entries();
  }

  /** Drops many at a time, because finding the oldest key is slow after many deletions. */
  #dropOldest(): void {
    const isOpen = this.#isOpen;
    if (isOpen) this.#drop((this.#limit / FINISHED_DIVISOR) * KEPT_SHARE, (value) => !isOpen(value));
    if (this.#map.size >= this.#limit) this.#drop(this.#limit * KEPT_SHARE, () => true);
    // Where most are open, it is not worth looking again soon.
    if (isOpen)
      this.#nextDropSize = Math.min(this.#limit, Math.max(this.#limit / FINISHED_DIVISOR, this.#map.size / KEPT_SHARE));
  }

  #drop(until: number, mayGo: (value: V) => boolean): void {
    for (const [key, value] of this.#map) {
      if (this.#map.size <= until) return;
      if (!mayGo(value)) continue;
      this.#map.delete(key);
      if (!this.#isOpen || this.#isOpen(value)) this.#forgotten++;
    }
  }
}
