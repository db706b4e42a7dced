/** Which elements of two lists belong together. */
import { isObject, toJson } from '../../model/message.ts';
import { align, shouldSwap } from './align.ts';
import { hashOf, type NormaliseText } from './hash.ts';
import { bestPairs, countWords, likeness, MIN_LIKENESS } from './similar.ts';

interface SideNormalisers {
  a: NormaliseText;
  b: NormaliseText;
}

export interface ListPairs {
  /** Indices on both sides; -1 on the side that has none. */
  pairs: [a: number, b: number][];
  /** The names by which elements were recognised, if they have any: then their order says little. */
  names: { a: string[]; b: string[] } | null;
}

type JsonRecord = Record<string, unknown>;

/** What an element is called: what programs go by first, then what people read. */
const NAME_KEYS = ['id', 'optionId', 'modelId', 'key', 'value', 'name', 'displayName', 'path', 'uri', 'title', 'label'];

/** What people call an element, and which of its keys says so; `other`: that and this are called so. */
export function titleIn(element: unknown, other = element): { key: string; title: string } | null {
  if (!isObject(element) || !isObject(other)) return null;
  const isTitle = (value: unknown) => typeof value === 'string' && value !== '';
  const key = TITLE_KEYS.find((one) => isTitle(element[one]) && element[one] === other[one]);
  return key === undefined ? null : { key, title: element[key] as string };
}

const TITLE_KEYS = ['name', 'title', 'label', 'displayName', 'id', 'value'];

/** Elements that have a name or are one are recognised by it, others by all that they say, then by their place. */
export function pairElements(a: readonly unknown[], b: readonly unknown[], how: SideNormalisers): ListPairs {
  if (areWords(a, how.a) && areWords(b, how.b)) return pairByWord(a as string[], b as string[], how);
  const names = NAME_KEYS.filter((name) => isName(a, name, how.a) && isName(b, name, how.b));
  return names.length > 0 && a.length + b.length > 0
    ? pairByName(a as JsonRecord[], b as JsonRecord[], names, how)
    : pairByPosition(a, b, how);
}

/** All elements have it, with a text that no other element of the list has. */
function isName(list: readonly unknown[], name: string, normalise: NormaliseText): boolean {
  const values = list.map((one) => (isObject(one) ? one[name] : null));
  if (!values.every((value) => typeof value === 'string')) return false;
  return new Set(values.map((value) => normalise(value))).size === list.length;
}

/** By the first name; those that it finds no partner for by the next. */
function pairByName(
  a: readonly JsonRecord[],
  b: readonly JsonRecord[],
  names: readonly string[],
  how: SideNormalisers,
): ListPairs {
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
  const namesIn = (list: readonly JsonRecord[], normalise: NormaliseText) =>
    list.map((one) => normalise(one[names[0]!] as string));
  return { pairs, names: { a: namesIn(a, how.a), b: namesIn(b, how.b) } };
}

/** Names of tools, commands, options: each is there once. */
function areWords(list: readonly unknown[], normalise: NormaliseText): boolean {
  if (!list.every((one) => typeof one === 'string' && one.length <= MAX_WORD_CHARS)) return false;
  return new Set(list.map((one) => normalise(one as string))).size === list.length;
}

const MAX_WORD_CHARS = 100;

/** Those that went and those that came in their place are changed if they are alike. */
function pairByWord(a: readonly string[], b: readonly string[], how: SideNormalisers): ListPairs {
  const names = { a: a.map(how.a), b: b.map(how.b) };
  const places = new Map(names.b.map((one, j) => [one, j]));
  const known = new Set(names.a);
  const alone = { a: [] as number[], b: [...b.keys()].filter((j) => !known.has(names.b[j]!)) };
  const pairs: [number, number][] = [];
  for (const [i, one] of names.a.entries()) {
    const j = places.get(one);
    if (j === undefined) alone.a.push(i);
    else pairs.push([i, j]);
  }
  return { pairs: [...pairs, ...gapPairs(alone, alikeIn(a, b, alone.a, alone.b))], names };
}

function pairByPosition(a: readonly unknown[], b: readonly unknown[], how: SideNormalisers): ListPairs {
  const pairs: [number, number][] = [];
  let alone: { a: number[]; b: number[] } = { a: [], b: [] };
  const flush = () => {
    for (const pair of pairGap(a, b, alone)) pairs.push(pair);
    alone = { a: [], b: [] };
  };
  const keys = (list: readonly unknown[], normalise: NormaliseText) => list.map((one) => hashOf(one, normalise));
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
function pairGap(
  a: readonly unknown[],
  b: readonly unknown[],
  alone: { a: number[]; b: number[] },
): [number, number][] {
  const { a: left, b: right } = alone;
  if (left.length === right.length) return left.map((i, n) => [i, right[n]!]);
  return gapPairs(alone, alikeIn(a, b, left, right));
}

/** The pairs that were found, and all others alone. */
function gapPairs(alone: { a: number[]; b: number[] }, found: [number, number][]): [number, number][] {
  const partners = new Map(found);
  const taken = new Set(partners.values());
  const added = alone.b.filter((j) => !taken.has(j));
  return [
    ...alone.a.map((i): [number, number] => [i, partners.get(i) ?? -1]),
    ...added.map((j): [number, number] => [-1, j]),
  ];
}

/** Always the same side first, so that the other direction finds the same. */
function alikeIn(
  a: readonly unknown[],
  b: readonly unknown[],
  left: readonly number[],
  right: readonly number[],
): [number, number][] {
  const hashes = (list: readonly unknown[], at: readonly number[]) => at.map((i) => hashOf(list[i], (text) => text));
  if (shouldSwap(hashes(a, left), hashes(b, right))) return alikeIn(b, a, right, left).map(([j, i]) => [i, j]);
  const words = (list: readonly unknown[], at: readonly number[]) => at.map((i) => countWords(toJson(list[i])));
  const [ofA, ofB] = [words(a, left), words(b, right)];
  const best = bestPairs(left.length, right.length, (n, m) => {
    const like = likeness(ofA[n]!, ofB[m]!);
    return like >= MIN_LIKENESS ? like : 0;
  });
  return (best ?? []).map(([n, m]) => [left[n]!, right[m]!]);
}
