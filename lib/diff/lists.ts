/** Which elements of two lists belong together. */
import { isObject, toJson } from '../core/message.ts';
import { align } from './align.ts';
import { hashOf, type Leaf } from './hash.ts';
import { ALIKE, bestPairs, likeness, wordsOf } from './similar.ts';

interface Leaves {
  a: Leaf;
  b: Leaf;
}

export interface ListPairs {
  /** Indices on both sides; -1 on the side that has none. */
  pairs: [a: number, b: number][];
  /** The names by which elements were recognised, if they have any: then their order says little. */
  names: { a: string[]; b: string[] } | null;
}

type Json = Record<string, unknown>;

/** What an element is called: what programs go by first, then what people read. */
const NAMES = ['id', 'optionId', 'modelId', 'key', 'value', 'name', 'path', 'uri', 'title', 'label'];

/** Elements that have a name are recognised by it, others by all that they say, then by their place. */
export function listPairs(a: readonly unknown[], b: readonly unknown[], how: Leaves): ListPairs {
  const names = NAMES.filter((name) => isName(a, name, how.a) && isName(b, name, how.b));
  return names.length > 0 && a.length + b.length > 0
    ? byName(a as Json[], b as Json[], names, how)
    : byPlace(a, b, how);
}

/** All elements have it, with a text that no other element of the list has. */
function isName(list: readonly unknown[], name: string, leaf: Leaf): boolean {
  const values = list.map((one) => (isObject(one) ? one[name] : null));
  if (!values.every((value) => typeof value === 'string')) return false;
  return new Set(values.map((value) => leaf(value))).size === list.length;
}

/** By the first name; those that it finds no partner for by the next. */
function byName(a: readonly Json[], b: readonly Json[], names: readonly string[], how: Leaves): ListPairs {
  const ofA = new Map<number, number>();
  const ofB = new Set<number>();
  for (const name of names) {
    const places = new Map(b.flatMap((one, j) => (ofB.has(j) ? [] : [[how.b(one[name] as string), j]])));
    a.forEach((one, i) => {
      const j = ofA.has(i) ? undefined : places.get(how.a(one[name] as string));
      if (j === undefined) return;
      ofA.set(i, j);
      ofB.add(j);
    });
  }
  const added = [...b.keys()].filter((j) => !ofB.has(j));
  const pairs: [number, number][] = a.map((_, i) => [i, ofA.get(i) ?? -1]);
  for (const j of added) pairs.push([-1, j]);
  const told = (list: readonly Json[], leaf: Leaf) => list.map((one) => leaf(one[names[0]!] as string));
  return { pairs, names: { a: told(a, how.a), b: told(b, how.b) } };
}

function byPlace(a: readonly unknown[], b: readonly unknown[], how: Leaves): ListPairs {
  const pairs: [number, number][] = [];
  let alone: { a: number[]; b: number[] } = { a: [], b: [] };
  const flush = () => {
    for (const pair of inGap(a, b, alone)) pairs.push(pair);
    alone = { a: [], b: [] };
  };
  const keys = (list: readonly unknown[], leaf: Leaf) => list.map((one) => hashOf(one, leaf));
  for (const [i, j] of align(keys(a, how.a), keys(b, how.b))) {
    if (i >= 0 && j >= 0) {
      flush();
      pairs.push([i, j]);
    } else if (i >= 0) alone.a.push(i);
    else alone.b.push(j);
  }
  flush();
  return { pairs, names: null };
}

/** As many on both sides are changed, one after another. Of others, those that are alike are. */
function inGap(a: readonly unknown[], b: readonly unknown[], alone: { a: number[]; b: number[] }): [number, number][] {
  const { a: left, b: right } = alone;
  if (left.length === right.length) return left.map((i, n) => [i, right[n]!]);
  const partners = new Map(alikeIn(a, b, left, right));
  const taken = new Set(partners.values());
  const added = right.filter((j) => !taken.has(j));
  return [
    ...left.map((i): [number, number] => [i, partners.get(i) ?? -1]),
    ...added.map((j): [number, number] => [-1, j]),
  ];
}

/** The shorter side first, so that the other direction finds the same. */
function alikeIn(
  a: readonly unknown[],
  b: readonly unknown[],
  left: readonly number[],
  right: readonly number[],
): [number, number][] {
  if (left.length > right.length) return alikeIn(b, a, right, left).map(([j, i]) => [i, j]);
  const words = (list: readonly unknown[], at: readonly number[]) => at.map((i) => wordsOf(toJson(list[i])));
  const [ofA, ofB] = [words(a, left), words(b, right)];
  const best = bestPairs(left.length, right.length, (n, m) => {
    const like = likeness(ofA[n]!, ofB[m]!);
    return like >= ALIKE ? like : 0;
  });
  return (best ?? []).map(([n, m]) => [left[n]!, right[m]!]);
}
