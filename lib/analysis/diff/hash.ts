/** A hash of 53 bits, so that a session can be compared without keeping what it says. */
import { toJson } from '../../model/message.ts';

/** Deeper values are hashed as text. */
const MAX_HASH_DEPTH = 64;

/** How the leaves of a value are read before they are hashed. */
export type NormaliseText = (text: string) => string;

/** Equal for values that are equal as JSON, whatever the order of their keys. */
export class Hasher {
  #one = 0xdeadbeef;
  #two = 0x41c6ce57;

  text(text: string): this {
    let one = this.#one ^ text.length;
    let two = this.#two;
    for (let at = 0; at < text.length; at++) {
      const c = text.charCodeAt(at);
      one = Math.imul(one ^ c, 0x9e3779b1);
      two = Math.imul(two ^ c, 0x5f356495);
    }
    this.#one = one ^ (one >>> 15);
    this.#two = two ^ (two >>> 13);
    return this;
  }

  /** Another hash. */
  number(n: number): this {
    const [high, low] = [Math.floor(n / 0x100000000), n >>> 0];
    this.#one = Math.imul(this.#one ^ low, 0x9e3779b1) ^ high;
    this.#two = Math.imul(this.#two ^ high, 0x5f356495) + low;
    this.#one ^= this.#one >>> 15;
    this.#two ^= this.#two >>> 13;
    return this;
  }

  get value(): number {
    let one = Math.imul(this.#one ^ (this.#one >>> 16), 0x85ebca77);
    let two = Math.imul(this.#two ^ (this.#two >>> 13), 0xc2b2ae3d);
    one ^= two >>> 16;
    two ^= one >>> 15;
    return 0x100000 * (two >>> 0) + (one >>> 12);
  }
}

export const hashText = (text: string): number => new Hasher().text(text).value;

/** In order. */
export function hashAll(hashes: readonly number[], seed = ''): number {
  const hasher = new Hasher().text(seed);
  for (const hash of hashes) hasher.number(hash);
  return hasher.value;
}

/** In any order. */
export function hashSet(hashes: readonly number[]): number {
  return hashAll([...hashes].sort((a, b) => a - b));
}

/** A set of hashes, sorted, in eight bytes each. */
export class HashSet {
  readonly #sorted: Float64Array;

  constructor(hashes: Float64Array) {
    this.#sorted = hashes.sort();
  }

  has(hash: number): boolean {
    let low = 0;
    let high = this.#sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#sorted[middle]! < hash) low = middle + 1;
      else high = middle;
    }
    return this.#sorted[low] === hash;
  }
}

/** Equal for equal JSON, whatever the order of keys. */
export function hashOf(value: unknown, normalise: NormaliseText): number {
  const hasher = new Hasher();
  hashInto(hasher, value, normalise, 0);
  return hasher.value;
}

export function hashInto(hasher: Hasher, value: unknown, normalise: NormaliseText, depth: number): void {
  if (typeof value === 'string') return void hasher.text('"').text(normalise(value));
  if (typeof value !== 'object' || value === null) return void hasher.text(String(value));
  if (depth > MAX_HASH_DEPTH) return void hasher.text(normalise(toJson(value)));
  hasher.text(Array.isArray(value) ? '[' : '{');
  const keys = keysOf(value);
  const inside = value as Record<string, unknown>;
  // The common case first: every value of a long session is hashed.
  if (Array.isArray(value) || !keys.some(mayBeMasked))
    for (const key of keys) hashInto(hasher.text(key), inside[key], normalise, depth + 1);
  else
    for (const [name, key] of namedKeys(value, normalise))
      hashInto(hasher.text(name), inside[key], normalise, depth + 1);
}

/** A key may be a path or an id, which is masked as in texts. */
const mayBeMasked = (key: string): boolean => key.length > 5 && /[\d/]/.test(key);

export const keyName = (key: string, normalise: NormaliseText): string => (mayBeMasked(key) ? normalise(key) : key);

/** The keys of an object or a list, with what they are compared by, in that order. */
export function namedKeys(value: object, normalise: NormaliseText): (readonly [name: string, key: string])[] {
  if (Array.isArray(value)) return keysOf(value).map((key) => [key, key] as const);
  return keysOf(value)
    .map((key) => [keyName(key, normalise), key] as const)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}

const keysOf = (value: object): string[] => (Array.isArray(value) ? Object.keys(value) : Object.keys(value).sort());
