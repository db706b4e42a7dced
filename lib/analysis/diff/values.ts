/** The differences of two JSON values, by RFC 6901 pointers. */
import { isObject, toJson } from '../../model/message.ts';
import { keyName, type NormaliseText } from './hash.ts';
import { pairElements, titleIn } from './lists.ts';
import { pointerStep } from './pointer.ts';
import type { Change } from './result.ts';

export interface ValueComparison {
  /** How texts are read before they are compared. */
  a: NormaliseText;
  b: NormaliseText;
  isIgnored(pointer: string): boolean;
}

/** Deeper values are compared as text. */
const MAX_VALUE_DEPTH = 64;

/** Where a value is on each side: the elements of a list may have other places there. */
interface PointerPair {
  a: string;
  b: string;
}

export function diffValues(a: unknown, b: unknown, pointer: string, how: ValueComparison): Generator<Change> {
  return diffAny(a, b, { a: pointer, b: pointer }, how, 0);
}

function* diffAny(a: unknown, b: unknown, at: PointerPair, how: ValueComparison, depth: number): Generator<Change> {
  if ((a === undefined && b === undefined) || isIgnored(a, b, at, how)) return;
  if (a === undefined) yield { op: 'added', path: at.b, a: null, b };
  else if (b === undefined) yield { op: 'removed', path: at.a, a, b: null };
  else if (depth <= MAX_VALUE_DEPTH && isObject(a) && isObject(b)) yield* diffObjects(a, b, at, how, depth);
  else if (depth <= MAX_VALUE_DEPTH && Array.isArray(a) && Array.isArray(b)) yield* diffLists(a, b, at, how, depth);
  else if (typeof a === 'object' && typeof b === 'object') {
    if (how.a(toJson(a)) !== how.b(toJson(b))) yield makeChange(a, b, at);
  } else if (typeof a === 'string' && typeof b === 'string') yield* diffTexts(a, b, at, how);
  else if (a !== b) yield makeChange(a, b, at);
}

function isIgnored(a: unknown, b: unknown, at: PointerPair, how: ValueComparison): boolean {
  return (a !== undefined && how.isIgnored(at.a)) || (b !== undefined && how.isIgnored(at.b));
}

function makeChange(a: unknown, b: unknown, at: PointerPair): Change {
  return { op: 'changed', path: at.a, ...(at.a === at.b ? {} : { path_b: at.b }), a, b };
}

type JsonFields = Record<string, unknown>;

function* diffObjects(
  a: JsonFields,
  b: JsonFields,
  at: PointerPair,
  how: ValueComparison,
  depth: number,
): Generator<Change> {
  const own = (value: JsonFields, key: string | undefined) =>
    key !== undefined && Object.hasOwn(value, key) ? value[key] : undefined;
  const [ofA, ofB] = [keysByName(a, how.a), keysByName(b, how.b)];
  for (const name of new Set([...ofA.keys(), ...ofB.keys()])) {
    const [key, other] = [ofA.get(name), ofB.get(name)];
    yield* diffAny(own(a, key), own(b, other), innerPointers(at, (key ?? other)!, (other ?? key)!), how, depth + 1);
  }
}

function keysByName(value: JsonFields, normalise: NormaliseText): Map<string, string> {
  const names = new Map<string, string>();
  for (const key of Object.keys(value)) {
    const name = keyName(key, normalise);
    names.set(names.has(name) ? key : name, key);
  }
  return names;
}

function* diffTexts(a: string, b: string, at: PointerPair, how: ValueComparison): Generator<Change> {
  const masked = { a: how.a(a), b: how.b(b) };
  if (masked.a === masked.b) return;
  const change = makeChange(a, b, at);
  yield masked.a === a && masked.b === b ? change : { ...change, masked };
}

/** The order of named elements is reported only if nothing else differs. */
function* diffLists(
  a: unknown[],
  b: unknown[],
  at: PointerPair,
  how: ValueComparison,
  depth: number,
): Generator<Change> {
  const { pairs, names } = pairElements(a, b, how);
  let isReported = false;
  for (const [i, j] of pairs) {
    const where = innerPointers(at, i, j);
    const title = names && i >= 0 && j >= 0 ? titleIn(a[i], b[j])?.title : undefined;
    const element = title !== undefined && how.a(title) === title ? { element: title } : null;
    for (const change of diffAny(a[i], b[j], where, how, depth + 1)) {
      isReported = true;
      yield element && change.element === undefined ? { ...change, ...element } : change;
    }
  }
  if (!isReported && names && names.a.some((one, i) => one !== names.b[i])) yield makeChange(names.a, names.b, at);
}

/** An index of -1 is one that its side lacks. */
const innerPointers = (at: PointerPair, a: string | number, b: string | number): PointerPair => ({
  a: at.a + pointerStep(a),
  b: at.b + pointerStep(b),
});
