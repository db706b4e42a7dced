/** A map with a limit: when it has more keys, the oldest are dropped. */
export class Recent<K, V> {
  readonly #map = new Map<K, V>();
  readonly #limit: number;

  constructor(limit = 10_000) {
    this.#limit = limit;
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
    this.#map.set(key, value);
    if (this.#map.size > this.#limit) this.#forget(this.#limit / 4);
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
  #forget(count: number): void {
    let left = count;
    for (const key of this.#map.keys()) {
      if (left-- <= 0) return;
      this.#map.delete(key);
    }
  }
}
