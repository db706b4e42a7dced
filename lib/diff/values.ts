/** The differences of two JSON values, by RFC 6901 pointers. */
import { isObject, toJson } from '../core/message.ts';
import { align } from './align.ts';
import { Hasher, hashText, type Leaf } from './hash.ts';
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
  const own = (value: Json, key: string) => (Object.hasOwn(value, key) ? value[key] : undefined);
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)]))
    yield* diffValues(own(a, key), own(b, key), pointer + stepOf(key), how, depth + 1);
}

function* diffTexts(a: string, b: string, pointer: string, how: Comparing): Generator<Change> {
  const masked = { a: how.a(a), b: how.b(b) };
  if (masked.a === masked.b) return;
  const change: Change = { op: 'changed', path: pointer, a, b };
  yield masked.a === a && masked.b === b ? change : { ...change, masked };
}

/** Elements that have a name are recognised by it, others by all that they say, then by their place. */
function* diffLists(a: unknown[], b: unknown[], pointer: string, how: Comparing, depth: number): Generator<Change> {
  const named = namesIn([...a, ...b]);
  const keys = (list: unknown[], leaf: Leaf) =>
    list.map((one) =>
      named === null ? hashOf(one, leaf) : hashText(leaf(String((one as Record<string, unknown>)[named]))),
    );
  let alone: { a: number[]; b: number[] } = { a: [], b: [] };
  const gap = function* (): Generator<Change> {
    const { a: left, b: right } = alone;
    alone = { a: [], b: [] };
    // Elements without names are compared place by place.
    const pairs = named === null ? Math.min(left.length, right.length) : 0;
    for (let n = 0; n < pairs; n++)
      yield* diffValues(a[left[n]!], b[right[n]!], pointer + stepOf(left[n]!), how, depth + 1);
    for (const i of left.slice(pairs)) yield* diffValues(a[i], undefined, pointer + stepOf(i), how, depth + 1);
    for (const j of right.slice(pairs)) yield* diffValues(undefined, b[j], pointer + stepOf(j), how, depth + 1);
  };
  for (const [i, j] of align(keys(a, how.a), keys(b, how.b))) {
    if (i >= 0 && j >= 0) {
      yield* gap();
      yield* diffValues(a[i], b[j], pointer + stepOf(i), how, depth + 1);
    } else if (i >= 0) alone.a.push(i);
    else alone.b.push(j);
  }
  yield* gap();
}

const NAMES = ['name', 'id', 'path', 'title', 'label', 'key', 'optionId', 'modelId'];

/** The key that all of them have, with a text that only one of each list can have. */
function namesIn(list: unknown[]): string | null {
  if (list.length === 0 || !list.every(isObject)) return null;
  return NAMES.find((name) => list.every((one) => typeof (one as Record<string, unknown>)[name] === 'string')) ?? null;
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
  const keys = Array.isArray(value) ? Object.keys(value) : Object.keys(value).sort();
  for (const key of keys) addTo(hasher.text(key), (value as Record<string, unknown>)[key], leaf, depth + 1);
}
