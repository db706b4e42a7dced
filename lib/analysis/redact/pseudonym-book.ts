/**
 * The pseudonyms: equal values have equal ones, in everything that one redaction makes. They are ASCII without quotes and
 * backslashes, so they fit into JSON, and into JSON in strings, without escapes.
 */
import { isSecretValue } from '../../model/text/secret.ts';
import type { Edit } from './edits.ts';
import { HarmlessIds } from './harmless-ids.ts';
import { labelOf } from './kinds.ts';

export interface ManifestRow {
  kind: string;
  /** How many different values, and in how many places. */
  values: number;
  places: number;
  /** The first frames with one. */
  frames: number[];
}

/** A value that was replaced. Code that shows it to people must show no more than a `glimpse`. */
export interface ReplacedValue {
  kind: string;
  name: string;
  value: string;
  places: number;
  frames: number[];
}

/** At most this many frames are named. */
const MAX_NAMED_FRAMES = 5;

/** From this length on, a pseudonym is as long as the largest power of two that is not longer than the value. */
const LONG_VALUE_CHARS = 64;
const MAX_PSEUDONYM_CHARS = 4096;

export class PseudonymBook {
  readonly #names = new Map<string, string>();
  readonly #last = new Map<string, number>();
  readonly #rows = new Map<string, { values: Set<string>; places: number; frames: Set<number> }>();
  readonly #replaced = new Map<string, ReplacedValue>();
  readonly #distinctValues = new Set<string>();
  #counts = true;
  /** What looks random and is harmless in one of the sessions, and so in all of them. */
  readonly known = new HarmlessIds();
  /** The frame that is being redacted; 0 for what is beside the frames. */
  f = 0;

  nameOf(kind: string, value: string): string {
    const known = this.#names.get(value);
    if (known !== undefined) return known;
    const label = labelOf(kind);
    const n = (this.#last.get(label) ?? 0) + 1;
    this.#last.set(label, n);
    const unpadded = `[${label}_${n}`;
    const length =
      value.length < LONG_VALUE_CHARS ? 0 : Math.min(MAX_PSEUDONYM_CHARS, 1 << Math.floor(Math.log2(value.length)));
    const name = `${unpadded.padEnd(length - 1, '.')}]`;
    this.#names.set(value, name);
    return name;
  }

  /** Counts a place where a value was replaced. */
  count(kind: string, value: string): void {
    if (!this.#counts) return;
    const row = this.#rows.get(kind) ?? { values: new Set(), places: 0, frames: new Set() };
    this.#rows.set(kind, row);
    row.values.add(this.nameOf(kind, value));
    row.places++;
    this.#noteValue(kind, value);
    if (this.f > 0 && row.frames.size < MAX_NAMED_FRAMES) row.frames.add(this.f);
    if (kind !== 'path' && kind !== 'user' && kind !== 'host' && kind !== 'random' && isDistinct(value))
      this.#distinctValues.add(value);
  }

  #noteValue(kind: string, value: string): void {
    const known = this.#replaced.get(value) ?? { kind, name: this.nameOf(kind, value), value, places: 0, frames: [] };
    this.#replaced.set(value, known);
    known.places++;
    if (this.f > 0 && known.frames.length < MAX_NAMED_FRAMES && known.frames.at(-1) !== this.f)
      known.frames.push(this.f);
  }

  /** What this does is not counted. */
  withoutCounting<T>(work: () => T): T {
    this.#counts = false;
    try {
      return work();
    } finally {
      this.#counts = true;
    }
  }

  /** Starts to count places anew. */
  startOver(): void {
    this.#rows.clear();
    this.#replaced.clear();
  }

  get replaced(): Iterable<ReplacedValue> {
    return this.#replaced.values();
  }

  get rows(): ManifestRow[] {
    return [...this.#rows]
      .map(([kind, { values, places, frames }]) => ({ kind, values: values.size, places, frames: [...frames] }))
      .sort((a, b) => b.places - a.places || (a.kind < b.kind ? -1 : 1));
  }

  /** Values that cannot stand anywhere by chance. */
  get distinct(): ReadonlySet<string> {
    return this.#distinctValues;
  }

  /** What replaces a value; the place counts. */
  replace(kind: string, value: string): string {
    this.count(kind, value);
    return this.nameOf(kind, value);
  }

  replacement({ kind, value, inside }: Edit): string {
    return inside
      ? inside.encoded.encodeAgain(this.apply(inside.encoded.text, inside.edits))
      : this.replace(kind, value);
  }

  /** The text with all of them replaced. */
  apply(text: string, edits: readonly Edit[]): string {
    let out = '';
    let done = 0;
    for (const edit of edits) {
      out += text.slice(done, edit.start) + this.replacement(edit);
      done = edit.end;
    }
    return out + text.slice(done);
  }

  /** A number of as many digits, for one that is not in a string. */
  numberFor(kind: string, value: string): string {
    this.count(kind, value);
    const n = /_(\d+)\.*\]$/.exec(this.nameOf(kind, value))![1]!;
    return `1${n.padStart(value.length - 1, '0')}`;
  }
}

/** Long and mixed enough to be replaced wherever it stands, and missed nowhere. */
export function isDistinct(value: string): boolean {
  return value.length >= 8 && value.length <= 8192 && isSecretValue(value);
}
