/** Numbers of frames: a bit each, in pages, so that a million of them take an eighth of a megabyte. */
const PAGE = 1 << 16;

export class FrameSet {
  readonly #pages = new Map<number, Uint8Array>();
  size = 0;

  add(f: number): void {
    const number = Math.floor(f / PAGE);
    let page = this.#pages.get(number);
    if (!page) {
      page = new Uint8Array(PAGE / 8);
      this.#pages.set(number, page);
    }
    const at = f % PAGE;
    const bit = 1 << (at & 7);
    if (page[at >> 3]! & bit) return;
    page[at >> 3]! |= bit;
    this.size++;
  }

  has(f: number): boolean {
    const at = f % PAGE;
    return ((this.#pages.get(Math.floor(f / PAGE))?.[at >> 3] ?? 0) & (1 << (at & 7))) !== 0;
  }

  /** In order. */
  *[Symbol.iterator](): Generator<number> {
    const pages = [...this.#pages].sort(([a], [b]) => a - b);
    for (const [number, page] of pages) {
      for (let byte = 0; byte < page.length; byte++) {
        const bits = page[byte]!;
        // Most are empty: a thousand sessions have a page each.
        if (bits === 0) continue;
        for (let bit = 0; bit < 8; bit++) if (bits & (1 << bit)) yield number * PAGE + byte * 8 + bit;
      }
    }
  }
}
