/** Reads the values of faces: hashes them, with what is volatile masked or as they are. */
import { type Face, type Fields, voiceOf } from './face.ts';
import { addTo, Hasher, type Leaf, namedKeys } from './hash.ts';
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

export interface FaceHashes {
  /** Equal if it says the same. */
  same: number;
  /** Of what the masks hide and of what is left out: of two that are the same, equal if nothing at all differs. */
  exact: number;
  /** Equal if it is the same thing: of what it is recognised by. */
  anchor: number;
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
    if (this.#reading.strict) return asIs;
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
  hashes(face: Face): FaceHashes {
    const { kind, name, keys, volatile } = face;
    const fields = this.fieldsOf(face);
    const same = new Hasher().text(kind);
    const anchor = new Hasher().text(kind);
    const exact = new Hasher();
    if (keys.length === 0) anchor.text(name ?? '');
    for (const key of Object.keys(fields).sort()) {
      const hash = this.#field(kind, key, fields[key], exact);
      if (hash === null) continue;
      same.text(key).number(hash);
      if (keys.includes(key)) anchor.text(key).number(hash);
    }
    addTo(exact, volatile, asIs, 0);
    return { same: same.value, exact: exact.value, anchor: anchor.value };
  }

  /** Null if it does not count. `exact` takes what the hash leaves out. */
  #field(kind: EntryKind, key: string, value: unknown, exact: Hasher): number | null {
    const { ignored } = this.#reading;
    const leaf = this.leaf(kind, key);
    const noting: Leaf = (text) => {
      const masked = leaf(text);
      if (masked !== text) exact.text(text);
      return masked;
    };
    const hasher = new Hasher();
    if (ignored.isEmpty) addTo(hasher, value, noting, 0);
    else if (this.isIgnored(kind, stepOf(key))) {
      addTo(exact, value, asIs, 0);
      return null;
    } else this.#chosen({ hasher, exact, leaf: noting, kind }, value, stepOf(key), 0);
    return hasher.value;
  }

  /** As `addTo`, without what is ignored. */
  #chosen(into: Chosen, value: unknown, pointer: string, depth: number): void {
    const { hasher, exact, leaf, kind } = into;
    if (typeof value !== 'object' || value === null || depth > DEEPEST) return addTo(hasher, value, leaf, depth);
    hasher.text(Array.isArray(value) ? '[' : '{');
    for (const [name, key] of namedKeys(value, leaf)) {
      const inner = pointer + stepOf(key);
      const one = (value as Fields)[key];
      if (this.isIgnored(kind, inner)) addTo(exact, one, asIs, 0);
      else {
        hasher.text(name);
        this.#chosen(into, one, inner, depth + 1);
      }
    }
  }
}

interface Chosen {
  hasher: Hasher;
  exact: Hasher;
  leaf: Leaf;
  kind: EntryKind;
}

const asIs: Leaf = (text) => text;
