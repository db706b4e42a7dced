/** A map that may be told to forget: beyond so many keys the oldest go, whatever they are. */
export class Recent<K, V> extends Map<K, V> {
  readonly #limit: number;

  constructor(limit: number) {
    super();
    this.#limit = limit;
  }

  override set(key: K, value: V): this {
    super.set(key, value);
    if (this.size > this.#limit) this.#forget(this.#limit / 4);
    return this;
  }

  /** Many at a time: to find the oldest key takes long where others were deleted before it. */
  #forget(count: number): void {
    let left = count;
    for (const key of this.keys()) {
      if (left-- <= 0) return;
      this.delete(key);
    }
  }
}
