/** First words of the rows in sight, read from the tape when they come into sight and stay there for a moment. */
import type { FrameSource } from '../source.ts';
import { firstWords } from './first-words.ts';

/** A few screens. */
const MAX_KEPT_LABELS = 4000;
/** Somebody who scrolls faster than this does not read. */
const SCROLL_REST_MS = 60;

export class Labels {
  readonly #source: FrameSource;
  readonly #known = new Map<number, string>();
  readonly #onChange: () => void;
  #wanted: readonly number[] = [];
  #asked = 0;
  #timer = 0;

  /** `onChange` is called when more are known. */
  constructor(source: FrameSource, onChange: () => void) {
    this.#source = source;
    this.#onChange = onChange;
  }

  /** Null: not known yet. */
  of(f: number): string | null {
    return this.#known.get(f) ?? null;
  }

  /** These are in sight now, and others no longer. */
  want(frames: readonly number[]): void {
    this.#wanted = frames.filter((f) => !this.#known.has(f));
    clearTimeout(this.#timer);
    const now = performance.now();
    const isScrolling = now - this.#asked < SCROLL_REST_MS;
    this.#asked = now;
    if (this.#wanted.length === 0) return;
    if (isScrolling) this.#timer = window.setTimeout(() => this.#load(), SCROLL_REST_MS);
    else void this.#load();
  }

  async #load(): Promise<void> {
    const wanted = this.#wanted;
    await Promise.all(wanted.map((f) => this.#read(f)));
    if (wanted.length > 0) this.#onChange();
  }

  async #read(f: number): Promise<void> {
    if (this.#known.has(f)) return;
    try {
      this.#known.set(f, firstWords(await this.#source.line(f)));
    } catch {
      this.#known.set(f, '');
    }
    if (this.#known.size > MAX_KEPT_LABELS) this.#known.delete(this.#known.keys().next().value!);
  }
}
