/** A set of frame numbers, with one bit for each, in pages: a million frames take 125 kB. */
const PAGE_BITS = 1 << 12;

export class FrameSet {
  readonly #pages = new Map<number, Uint8Array>();
  size = 0;

  add(f: number): void {
    const number = Math.floor(f / PAGE_BITS);
    let page = this.#pages.get(number);
    if (!page) {
      page = new Uint8Array(PAGE_BITS / 8);
      this.#pages.set(number, page);
    }
    const at = f % PAGE_BITS;
    const bit = 1 << (at & 7);
    if (page[at >> 3]! & bit) return;
    page[at >> 3]! |= bit;
    this.size++;
  }

  addAll(others: FrameSet): void {
    for (const group of others.groups(PAGE_BITS)) for (const f of group) this.add(f);
  }

  has(f: number): boolean {
    const at = f % PAGE_BITS;
    return ((this.#pages.get(Math.floor(f / PAGE_BITS))?.[at >> 3] ?? 0) & (1 << (at & 7))) !== 0;
  }

  /** The numbers in order, in groups. */
  *groups(atMost: number): Generator<number[]> {
    let group: number[] = [];
    for (const [number, page] of [...this.#pages].sort(([a], [b]) => a - b)) {
      for (let i = 0; i < page.length; i++) {
        // Most of a page is empty.
        for (let bits = page[i]!; bits !== 0; bits &= bits - 1) {
          group.push(number * PAGE_BITS + (i * 8 + 31 - Math.clz32(bits & -bits)));
          if (group.length < atMost) continue;
          yield group;
          group = [];
        }
      }
    }
    if (group.length > 0) yield group;
  }
}
