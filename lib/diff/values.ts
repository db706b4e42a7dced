/** The differences of two JSON values, by RFC 6901 pointers. */
import { isObject, toJson } from '../core/message.ts';
import { align } from './align.ts';
import { Hasher, type Leaf } from './hash.ts';
import { stepOf } from './pointer.ts';
import type { Change } from './result.ts';

export interface Comparing {
  /** How texts are read before they are compared. */
  a: Leaf;
  b: Leaf;
  isIgnored(pointer: string): boolean;
}

/** Deeper values are compared as text. */
const DEEPEST = 64;

export function* diffValues(a: unknown, b: unknown, pointer: string, how: Comparing, depth = 0): Generator<Change> {
  if (how.isIgnored(pointer) || (a === undefined && b === undefined)) return;
  if (a === undefined) yield { op: 'added', path: pointer, a: null, b };
  else if (b === undefined) yield { op: 'removed', path: pointer, a, b: null };
  else if (depth <= DEEPEST && isObject(a) && isObject(b)) yield* diffObjects(a, b, pointer, how, depth);
  else if (depth <= DEEPEST && Array.isArray(a) && Array.isArray(b)) yield* diffLists(a, b, pointer, how, depth);
  else if (typeof a === 'object' && typeof b === 'object') {
    if (how.a(toJson(a)) !== how.b(toJson(b))) yield { op: 'changed', path: pointer, a, b };
  } else if (typeof a === 'string' && typeof b === 'string') yield* diffTexts(a, b, pointer, how);
  else if (a !== b) yield { op: 'changed', path: pointer, a, b };
}

type Json = Record<string, unknown>;

function* diffObjects(a: Json, b: Json, pointer: string, how: Comparing, depth: number): Generator<Change> {
  const own = (value: Json, key: string | undefined) =>
    key !== undefined && Object.hasOwn(value, key) ? value[key] : undefined;
  const [ofA, ofB] = [keysByName(a, how.a), keysByName(b, how.b)];
  for (const name of new Set([...ofA.keys(), ...ofB.keys()])) {
    const [key, other] = [ofA.get(name), ofB.get(name)];
    yield* diffValues(own(a, key), own(b, other), pointer + stepOf((key ?? other)!), how, depth + 1);
  }
}

/** A key may be a path or an id, which is masked as in texts. */
const keyName = (key: string, leaf: Leaf): string => (key.length > 5 && /[\d/]/.test(key) ? leaf(key) : key);

function keysByName(value: Json, leaf: Leaf): Map<string, string> {
  const names = new Map<string, string>();
  for (const key of Object.keys(value)) {
    const name = keyName(key, leaf);
    names.set(names.has(name) ? key : name, key);
  }
  return names;
}

function* diffTexts(a: string, b: string, pointer: string, how: Comparing): Generator<Change> {
  const masked = { a: how.a(a), b: how.b(b) };
  if (masked.a === masked.b) return;
  const change: Change = { op: 'changed', path: pointer, a, b };
  yield masked.a === a && masked.b === b ? change : { ...change, masked };
}

/** Elements that have a name are recognised by it, others by all that they say, then by their place. */
function diffLists(a: unknown[], b: unknown[], pointer: string, how: Comparing, depth: number): Generator<Change> {
  const name = nameIn(a, b);
  return name === null ? diffByPlace(a, b, pointer, how, depth) : diffByName(a, b, name, pointer, how, depth);
}

function* diffByPlace(a: unknown[], b: unknown[], pointer: string, how: Comparing, depth: number): Generator<Change> {
  let alone: { a: number[]; b: number[] } = { a: [], b: [] };
  const gap = function* (): Generator<Change> {
    const { a: left, b: right } = alone;
    alone = { a: [], b: [] };
    const pairs = Math.min(left.length, right.length);
    for (let n = 0; n < pairs; n++)
      yield* diffValues(a[left[n]!], b[right[n]!], pointer + stepOf(left[n]!), how, depth + 1);
    for (const i of left.slice(pairs)) yield* diffValues(a[i], undefined, pointer + stepOf(i), how, depth + 1);
    for (const j of right.slice(pairs)) yield* diffValues(undefined, b[j], pointer + stepOf(j), how, depth + 1);
  };
  const keys = (list: unknown[], leaf: Leaf) => list.map((one) => hashOf(one, leaf));
  for (const [i, j] of align(keys(a, how.a), keys(b, how.b))) {
    if (i >= 0 && j >= 0) {
      yield* gap();
      yield* diffValues(a[i], b[j], pointer + stepOf(i), how, depth + 1);
    } else if (i >= 0) alone.a.push(i);
    else alone.b.push(j);
  }
  yield* gap();
}

/** Their order is told only if nothing else differs. */
function* diffByName(
  a: unknown[],
  b: unknown[],
  name: string,
  pointer: string,
  how: Comparing,
  depth: number,
): Generator<Change> {
  const named = (list: unknown[], leaf: Leaf) => list.map((one) => leaf(String((one as Json)[name])));
  const names = { a: named(a, how.a), b: named(b, how.b) };
  const places = new Map(names.b.map((one, j) => [one, j]));
  let isTold = false;
  for (const [i, one] of names.a.entries()) {
    for (const change of diffValues(a[i], b[places.get(one) ?? -1], pointer + stepOf(i), how, depth + 1)) {
      isTold = true;
      yield change;
    }
  }
  const known = new Set(names.a);
  for (const [j, one] of names.b.entries()) {
    if (known.has(one)) continue;
    isTold = true;
    yield* diffValues(undefined, b[j], pointer + stepOf(j), how, depth + 1);
  }
  if (!isTold && names.a.some((one, i) => one !== names.b[i])) yield { op: 'changed', path: pointer, ...names };
}

const NAMES = ['name', 'id', 'path', 'title', 'label', 'key', 'optionId', 'modelId'];

/** The key that all of them have, with a text that no other element of its list has. */
function nameIn(a: unknown[], b: unknown[]): string | null {
  const isName = (list: unknown[], name: string) => {
    const values = list.map((one) => (isObject(one) ? one[name] : null));
    return values.every((value) => typeof value === 'string') && new Set(values).size === list.length;
  };
  return a.length + b.length === 0 ? null : (NAMES.find((name) => isName(a, name) && isName(b, name)) ?? null);
}

/** Equal for equal JSON, whatever the order of keys. */
export function hashOf(value: unknown, leaf: Leaf): number {
  const hasher = new Hasher();
  addTo(hasher, value, leaf, 0);
  return hasher.value;
}

export function addTo(hasher: Hasher, value: unknown, leaf: Leaf, depth: number): void {
  if (typeof value === 'string') return void hasher.text('"').text(leaf(value));
  if (typeof value !== 'object' || value === null) return void hasher.text(String(value));
  if (depth > DEEPEST) return void hasher.text(leaf(toJson(value)));
  hasher.text(Array.isArray(value) ? '[' : '{');
  for (const [name, key] of namedKeys(value, leaf))
    addTo(hasher.text(name), (value as Record<string, unknown>)[key], leaf, depth + 1);
}

/** The keys of an object or a list, sorted by what they are compared by. */
export function namedKeys(value: object, leaf: Leaf): (readonly [name: string, key: string])[] {
  if (Array.isArray(value)) return Object.keys(value).map((key) => [key, key] as const);
  return Object.keys(value)
    .map((key) => [keyName(key, leaf), key] as const)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}
