/** Reads the values of entries: hashes them, with what is volatile masked or as they are. */
import { type ContentFields, type EntryContent, maskModeOf } from './entry-content.ts';
import { Hasher, hashInto, type NormaliseText, namedKeys } from './hash.ts';
import { type PointerPatterns, pointerStep } from './pointer.ts';
import type { EntryKind } from './result.ts';
import type { VolatileMask } from './volatile-mask.ts';

/** Deeper values are compared as text. */
const MAX_VALUE_DEPTH = 64;

export interface ReadingOptions {
  /** Masks nothing, and compares what is volatile too. */
  strict: boolean;
  /** Values that do not count, by kind and pointer. */
  ignored: PointerPatterns;
}

export interface ContentHashes {
  /** Equal if it says the same. */
  same: number;
  /** Of what the masks hide and of what is left out: of two that are the same, equal if nothing at all differs. */
  exact: number;
  /** Equal if it is the same thing: of what it is recognised by. */
  anchor: number;
}

export class ContentReader {
  readonly mask: VolatileMask;
  readonly #options: ReadingOptions;

  constructor(mask: VolatileMask, options: ReadingOptions) {
    this.mask = mask;
    this.#options = options;
  }

  /** How the texts of a field are compared. */
  normaliserFor(kind: EntryKind, field: string): NormaliseText {
    if (this.#options.strict) return unchanged;
    const mode = maskModeOf(kind, field);
    return (text) => this.mask.text(text, mode);
  }

  isIgnored(kind: EntryKind, pointer: string): boolean {
    const { ignored } = this.#options;
    return !ignored.isEmpty && (ignored.has(pointer) || ignored.has(`/${kind}${pointer}`));
  }

  /** The fields that count, all of them if the diff is strict. */
  fieldsOf({ fields, volatile }: EntryContent): ContentFields {
    return this.#options.strict ? { ...fields, ...volatile } : fields;
  }

  /** What it says, without what is inside it. */
  hashes(face: EntryContent): ContentHashes {
    const { kind, name, keys, volatile } = face;
    const fields = this.fieldsOf(face);
    const same = new Hasher().text(kind);
    const anchor = new Hasher().text(kind);
    const exact = new Hasher();
    if (keys.length === 0) anchor.text(name ?? '');
    for (const key of Object.keys(fields).sort()) {
      const hash = this.#hashField(kind, key, fields[key], exact);
      if (hash === null) continue;
      same.text(key).number(hash);
      if (keys.includes(key)) anchor.text(key).number(hash);
    }
    hashInto(exact, volatile, unchanged, 0);
    return { same: same.value, exact: exact.value, anchor: anchor.value };
  }

  /** Null if it does not count. `exact` takes what the hash leaves out. */
  #hashField(kind: EntryKind, key: string, value: unknown, exact: Hasher): number | null {
    const { ignored } = this.#options;
    const leaf = this.normaliserFor(kind, key);
    const normaliseAndNote: NormaliseText = (text) => {
      const masked = leaf(text);
      if (masked !== text) exact.text(text);
      return masked;
    };
    const hasher = new Hasher();
    if (ignored.isEmpty) hashInto(hasher, value, normaliseAndNote, 0);
    else if (this.isIgnored(kind, pointerStep(key))) {
      hashInto(exact, value, unchanged, 0);
      return null;
    } else this.#hashCounted({ hasher, exact, leaf: normaliseAndNote, kind }, value, pointerStep(key), 0);
    return hasher.value;
  }

  /** As `hashInto`, without what is ignored. */
  #hashCounted(into: HashTarget, value: unknown, pointer: string, depth: number): void {
    const { hasher, exact, leaf, kind } = into;
    if (typeof value !== 'object' || value === null || depth > MAX_VALUE_DEPTH)
      return hashInto(hasher, value, leaf, depth);
    hasher.text(Array.isArray(value) ? '[' : '{');
    for (const [name, key] of namedKeys(value, leaf)) {
      const inner = pointer + pointerStep(key);
      const one = (value as ContentFields)[key];
      if (this.isIgnored(kind, inner)) hashInto(exact, one, unchanged, 0);
      else {
        hasher.text(name);
        this.#hashCounted(into, one, inner, depth + 1);
      }
    }
  }
}

interface HashTarget {
  hasher: Hasher;
  exact: Hasher;
  leaf: NormaliseText;
  kind: EntryKind;
}

const unchanged: NormaliseText = (text) => text;
