/** First words of the rows in sight, read from the tape when they come into sight. */
import type { FrameSource } from '../source.ts';
import { firstWords } from './first-words.ts';

/** A few screens. */
const KEPT = 4000;

export class Labels {
  readonly #source: FrameSource;
  readonly #known = new Map<number, string>();
  readonly #coming = new Set<number>();
  readonly #told: () => void;

  /** `tell` is called when more are known. */
  constructor(source: FrameSource, tell: () => void) {
    this.#source = source;
    this.#told = tell;
  }

  /** Null: not known yet. */
  of(f: number): string | null {
    return this.#known.get(f) ?? null;
  }

  async load(frames: readonly number[]): Promise<void> {
    const missing = frames.filter((f) => !this.#known.has(f) && !this.#coming.has(f));
    if (missing.length === 0) return;
    for (const f of missing) this.#coming.add(f);
    await Promise.all(missing.map((f) => this.#read(f)));
    this.#told();
  }

  async #read(f: number): Promise<void> {
    try {
      this.#known.set(f, firstWords(await this.#source.line(f)));
    } catch {
      this.#known.set(f, '');
    }
    this.#coming.delete(f);
    if (this.#known.size > KEPT) this.#known.delete(this.#known.keys().next().value!);
  }
}
