/**
 * Aligns two sequences by their keys. Keys that occur once on both sides are the anchors (patience diff); what lies
 * between two anchors is small, and goes to the package `diff`. Never quadratic: where a stretch is too long and too
 * different, keys are paired as they come.
 */
import { diffArrays } from 'diff';

/** Pairs of indices; -1 on the side that has none. In order on both sides. */
export type IndexPairs = [a: number, b: number][];

/** So many edits times elements are tried before a stretch is paired as it comes. */
const MAX_EDIT_EFFORT = 2_000_000;

/** Mirrored if the sides are swapped. */
export function align(a: readonly number[], b: readonly number[]): IndexPairs {
  if (shouldSwap(a, b)) return removedFirst(align(b, a).map(([j, i]) => [i, j]));
  const pairs: IndexPairs = [];
  alignStretch({ a, b, a0: 0, a1: a.length, b0: 0, b1: b.length }, pairs);
  return pairs;
}

/** Between two pairs, what only the first has comes before what only the second has. */
function removedFirst(pairs: IndexPairs): IndexPairs {
  const out: IndexPairs = [];
  let added: IndexPairs = [];
  for (const pair of pairs) {
    if (pair[0] < 0) added.push(pair);
    else {
      if (pair[1] >= 0 && added.length > 0) {
        for (const one of added) out.push(one);
        added = [];
      }
      out.push(pair);
    }
  }
  for (const one of added) out.push(one);
  return out;
}

/** Some order of sequences, the same whichever comes first. */
export function shouldSwap(a: readonly number[], b: readonly number[]): boolean {
  if (a.length !== b.length) return a.length > b.length;
  const at = a.findIndex((key, i) => key !== b[i]);
  return at >= 0 && a[at]! > b[at]!;
}

/** A part of both sequences. */
interface SequenceStretch {
  a: readonly number[];
  b: readonly number[];
  a0: number;
  a1: number;
  b0: number;
  b1: number;
}

function alignStretch(part: SequenceStretch, out: IndexPairs): void {
  const { a, b } = part;
  let { a0, a1, b0, b1 } = part;
  while (a0 < a1 && b0 < b1 && a[a0] === b[b0]) out.push([a0++, b0++]);
  const tail: IndexPairs = [];
  while (a0 < a1 && b0 < b1 && a[a1 - 1] === b[b1 - 1]) tail.push([--a1, --b1]);
  const middle = { a, b, a0, a1, b0, b1 };
  const anchors = a0 < a1 && b0 < b1 ? anchorsIn(middle) : [];
  if (anchors.length === 0) alignPlain(middle, out);
  else {
    for (const [i, j] of anchors) {
      alignStretch({ a, b, a0, a1: i, b0, b1: j }, out);
      out.push([i, j]);
      a0 = i + 1;
      b0 = j + 1;
    }
    alignStretch({ a, b, a0, a1, b0, b1 }, out);
  }
  for (let i = tail.length - 1; i >= 0; i--) out.push(tail[i]!);
}

/** The longest run of keys that are unique on both sides and in the same order. */
function anchorsIn({ a, b, a0, a1, b0, b1 }: SequenceStretch): IndexPairs {
  const ofA = indicesOf(a, a0, a1);
  const ofB = indicesOf(b, b0, b1);
  const common: IndexPairs = [];
  for (let i = a0; i < a1; i++) {
    const j = ofA.get(a[i]!) === i ? ofB.get(a[i]!) : undefined;
    if (j !== undefined && j >= 0) common.push([i, j]);
  }
  return longestRising(common);
}

/** Where each key is; -1 if it is there more than once. */
function indicesOf(keys: readonly number[], from: number, to: number): Map<number, number> {
  const places = new Map<number, number>();
  for (let i = from; i < to; i++) places.set(keys[i]!, places.has(keys[i]!) ? -1 : i);
  return places;
}

/** The longest subsequence whose second index rises too. */
function longestRising(pairs: IndexPairs): IndexPairs {
  const ends: number[] = [];
  const before: number[] = new Array(pairs.length);
  pairs.forEach(([, j], at) => {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pairs[ends[middle]!]![1] < j) low = middle + 1;
      else high = middle;
    }
    before[at] = low > 0 ? ends[low - 1]! : -1;
    ends[low] = at;
  });
  const out: IndexPairs = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at]!) out.push(pairs[at]!);
  return out.reverse();
}

function alignPlain(part: SequenceStretch, out: IndexPairs): void {
  const { a, b, a1, b1 } = part;
  let { a0, b0 } = part;
  if (a0 === a1 || b0 === b1) {
    for (; a0 < a1; a0++) out.push([a0, -1]);
    for (; b0 < b1; b0++) out.push([-1, b0]);
    return;
  }
  const maxEditLength = Math.max(MIN_EDITS, Math.floor(MAX_EDIT_EFFORT / (a1 - a0 + b1 - b0)));
  const changes = diffArrays(a.slice(a0, a1), b.slice(b0, b1), { maxEditLength });
  if (!changes) return alignInOrder(part, out);
  for (const { added, removed, count } of changes) {
    for (let n = 0; n < count; n++) {
      if (removed) out.push([a0++, -1]);
      else if (added) out.push([-1, b0++]);
      else out.push([a0++, b0++]);
    }
  }
}

/** Each key of `a` with the next place of the same key in `b`, if that is not far. */
function alignInOrder({ a, b, a0, a1, b0: start, b1 }: SequenceStretch, out: IndexPairs): void {
  let b0 = start;
  const places = new Map<number, number[]>();
  for (let j = b1 - 1; j >= b0; j--) {
    const known = places.get(b[j]!);
    if (known) known.push(j);
    else places.set(b[j]!, [j]);
  }
  for (let i = a0; i < a1; i++) {
    const list = places.get(a[i]!);
    while (list && list.length > 0 && list.at(-1)! < b0) list.pop();
    const j = list?.at(-1);
    if (j === undefined || j - b0 > MAX_DISTANCE) {
      out.push([i, -1]);
      continue;
    }
    while (b0 < j) out.push([-1, b0++]);
    out.push([i, b0++]);
  }
  while (b0 < b1) out.push([-1, b0++]);
}

const MAX_DISTANCE = 1000;
const MIN_EDITS = 16;
