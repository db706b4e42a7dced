/** A map that may be told to forget: beyond so many keys the oldest go, whatever they are. */
export class Recent<K, V> {
  readonly #map = new Map<K, V>();
  readonly #limit: number;

  constructor(limit: number) {
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

  /** The oldest first; they may be deleted on the way. */
  keys(): MapIterator<K> {
    return this.#map.keys();
  }

  values(): MapIterator<V> {
    return this.#map.values();
  }

  entries(): MapIterator<[K, V]> {
    return this.#map.entries();
  }

  /** Many at a time: to find the oldest key takes long where others were deleted before it. */
  #forget(count: number): void {
    let left = count;
    for (const key of this.#map.keys()) {
      if (left-- <= 0) return;
      this.#map.delete(key);
    }
  }
}
