/** Reads the values of faces: hashes them, with what is volatile masked or as they are. */
import { type Face, type Fields, voiceOf } from './face.ts';
import { addTo, Hasher, type Leaf } from './hash.ts';
import type { Mask } from './mask.ts';
import { type Pointers, stepOf } from './pointer.ts';
import type { EntryKind } from './result.ts';

/** Deeper values are compared as text. */
const DEEPEST = 64;

export interface Reading {
  /** Masks nothing, and compares what is volatile too. */
  strict: boolean;
  /** Values that do not count, by kind and pointer. */
  ignored: Pointers;
}

export class Reader {
  readonly mask: Mask;
  readonly #reading: Reading;

  constructor(mask: Mask, reading: Reading) {
    this.mask = mask;
    this.#reading = reading;
  }

  /** How the texts of a field are compared. */
  leaf(kind: EntryKind, field: string): Leaf {
    if (this.#reading.strict) return (text) => text;
    const voice = voiceOf(kind, field);
    return (text) => this.mask.text(text, voice);
  }

  isIgnored(kind: EntryKind, pointer: string): boolean {
    const { ignored } = this.#reading;
    return !ignored.isEmpty && (ignored.has(pointer) || ignored.has(`/${kind}${pointer}`));
  }

  /** The fields that count, all of them if the diff is strict. */
  fieldsOf({ fields, volatile }: Face): Fields {
    return this.#reading.strict ? { ...fields, ...volatile } : fields;
  }

  /** What it says, without what is inside it. */
  hash(face: Face): number {
    const hasher = new Hasher().text(face.kind);
    this.#object(hasher, this.fieldsOf(face), face.kind);
    return hasher.value;
  }

  /** The same with nothing masked or left out. */
  exact({ kind, fields, volatile }: Face): number {
    const hasher = new Hasher().text(kind);
    addTo(hasher, fields, same, 0);
    addTo(hasher, volatile, same, 0);
    return hasher.value;
  }

  /** What it is recognised by. */
  anchor({ kind, name, fields, keys }: Face): number {
    const hasher = new Hasher().text(kind);
    if (keys.length === 0) hasher.text(name ?? '');
    for (const key of keys) {
      if (fields[key] === undefined) continue;
      if (!this.#reading.ignored.isEmpty && this.isIgnored(kind, stepOf(key))) continue;
      addTo(hasher.text(key), fields[key], this.leaf(kind, key), 0);
    }
    return hasher.value;
  }

  #object(hasher: Hasher, fields: Fields, kind: EntryKind): void {
    for (const key of Object.keys(fields).sort()) {
      const leaf = this.leaf(kind, key);
      if (this.#reading.ignored.isEmpty) addTo(hasher.text(key), fields[key], leaf, 0);
      else if (!this.isIgnored(kind, stepOf(key)))
        this.#chosen(hasher.text(key), fields[key], leaf, kind, stepOf(key), 0);
    }
  }

  /** As `addTo`, without what is ignored. */
  #chosen(hasher: Hasher, value: unknown, leaf: Leaf, kind: EntryKind, pointer: string, depth: number): void {
    if (typeof value !== 'object' || value === null || depth > DEEPEST) return addTo(hasher, value, leaf, depth);
    hasher.text(Array.isArray(value) ? '[' : '{');
    for (const key of keysOf(value)) {
      const inner = pointer + stepOf(key);
      if (this.isIgnored(kind, inner)) continue;
      hasher.text(key);
      this.#chosen(hasher, (value as Fields)[key], leaf, kind, inner, depth + 1);
    }
  }
}

const same: Leaf = (text) => text;

const keysOf = (value: object): string[] => (Array.isArray(value) ? Object.keys(value) : Object.keys(value).sort());
