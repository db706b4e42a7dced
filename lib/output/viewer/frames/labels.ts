/** First words of the rows in sight, read from the tape when they come into sight and stay there for a moment. */
import type { FrameSource } from '../source.ts';
import { firstWords } from './first-words.ts';

/** A few screens. */
const KEPT = 4000;
/** Somebody who scrolls faster than this does not read. */
const REST_MS = 60;

export class Labels {
  readonly #source: FrameSource;
  readonly #known = new Map<number, string>();
  readonly #tell: () => void;
  #wanted: readonly number[] = [];
  #asked = 0;
  #timer = 0;

  /** `tell` is called when more are known. */
  constructor(source: FrameSource, tell: () => void) {
    this.#source = source;
    this.#tell = tell;
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
    const isScrolling = now - this.#asked < REST_MS;
    this.#asked = now;
    if (this.#wanted.length === 0) return;
    if (isScrolling) this.#timer = window.setTimeout(() => this.#load(), REST_MS);
    else void this.#load();
  }

  async #load(): Promise<void> {
    const wanted = this.#wanted;
    await Promise.all(wanted.map((f) => this.#read(f)));
    if (wanted.length > 0) this.#tell();
  }

  async #read(f: number): Promise<void> {
    if (this.#known.has(f)) return;
    try {
      this.#known.set(f, firstWords(await this.#source.line(f)));
    } catch {
      this.#known.set(f, '');
    }
    if (this.#known.size > KEPT) this.#known.delete(this.#known.keys().next().value!);
  }
}
