/**
 * Pairs the entries of two lists by meaning: first those that say the same, then those that are the same thing (a prompt,
 * a call with its arguments), then those that are most alike. Entries of a loose lane are paired in any order.
 */
import { align, shouldSwap } from './align.ts';
import { REQUEST_KINDS } from './entry-content.ts';
import { type DiffNode, isLoose } from './node.ts';
import {
  mayBeSameCall,
  type NodeWords,
  pairClosest,
  RENAMED_CALL_LIKENESS,
  REWORDABLE_KINDS,
  scorePair,
} from './node-likeness.ts';
import { hashAt, laneAt, type SiblingNodes } from './nodes.ts';
import { groupByKey, pairInOrder } from './pair-in-order.ts';
import type { EntryKind } from './result.ts';
import { bestPairs, MIN_LIKENESS } from './similar.ts';

export interface NodePair {
  a: DiffNode | null;
  b: DiffNode | null;
  /** The same, but elsewhere among its siblings. */
  moved: boolean;
}

/** How many are the same at the beginning and at the end. */
export function commonEnds(
  a: SiblingNodes,
  b: SiblingNodes,
  which: 'same' | 'exact' = 'same',
): { head: number; tail: number } {
  const max = Math.min(a.length, b.length);
  const equal = (i: number, j: number) => hashAt(a, i, which) === hashAt(b, j, which) && laneAt(a, i) === laneAt(b, j);
  let head = 0;
  while (head < max && equal(head, head)) head++;
  let tail = 0;
  while (tail < max - head && equal(a.length - 1 - tail, b.length - 1 - tail)) tail++;
  return { head, tail };
}

interface PairingContext {
  /** The kind of what they are inside of. */
  container: EntryKind | null;
  /** The lists are of two protocols. */
  isNeutral: boolean;
}

/** In the order of the first list, with what only the second has behind its neighbour. */
export function pairNodes(a: readonly DiffNode[], b: readonly DiffNode[], where: PairingContext): NodePair[] {
  const found = new LanePairing(where);
  for (const pairLane of new Set([...a, ...b].map((node) => node.lane))) {
    const ofA = a.filter((node) => node.lane === pairLane);
    const ofB = b.filter((node) => node.lane === pairLane);
    const isSwapped = shouldSwap(
      ofA.map(({ same }) => same),
      ofB.map(({ same }) => same),
    );
    if (isSwapped) found.pairLane(ofB, ofA, true);
    else found.pairLane(ofA, ofB, false);
  }
  return mergeInOrder(a, b, found);
}

class LanePairing {
  readonly ofA = new Map<DiffNode, NodePair>();
  readonly ofB = new Map<DiffNode, NodePair>();
  /** What is paired belongs to one call, so requests are about the same. */
  readonly #isOfCall: boolean;
  readonly #isNeutral: boolean;
  #isSwapped = false;

  constructor({ container: around, isNeutral }: PairingContext) {
    this.#isOfCall = around === 'tool-call';
    this.#isNeutral = isNeutral;
  }

  pairLane(a: readonly DiffNode[], b: readonly DiffNode[], isSwapped: boolean): void {
    this.#isSwapped = isSwapped;
    const [first] = a.length > 0 ? a : b;
    if (first && isLoose(first)) this.#pairAnyOrder(a, b);
    else this.#pairOrdered(a, b);
  }

  #pairOrdered(a: readonly DiffNode[], b: readonly DiffNode[]): void {
    const gaps: { a: DiffNode[]; b: DiffNode[] }[] = [{ a: [], b: [] }];
    const alone = { a: [] as DiffNode[], b: [] as DiffNode[] };
    const rows = align(
      a.map(({ same }) => same),
      b.map(({ same }) => same),
    );
    for (const [i, j] of rows) {
      if (i >= 0 && j >= 0) {
        this.#join(a[i]!, b[j]!);
        if (gaps.at(-1)!.a.length + gaps.at(-1)!.b.length > 0) gaps.push({ a: [], b: [] });
        continue;
      }
      const [side, node] = i >= 0 ? (['a', a[i]!] as const) : (['b', b[j]!] as const);
      gaps.at(-1)![side].push(node);
      alone[side].push(node);
    }
    this.#pairEqual(alone.a, alone.b, 'same', true);
    for (const gap of gaps) this.#pairGap(this.#unpaired(gap.a), this.#unpaired(gap.b));
  }

  #pairAnyOrder(a: readonly DiffNode[], b: readonly DiffNode[]): void {
    this.#pairEqual(a, b, 'same', false);
    this.#pairEqual(this.#unpaired(a), this.#unpaired(b), 'anchor', false);
    this.#pairAlike(this.#unpaired(a), this.#unpaired(b));
  }

  #pairGap(all: DiffNode[], others: DiffNode[]): void {
    this.#pairTwins(all, others);
    const [a, b] = [this.#unpaired(all), this.#unpaired(others)];
    if (a.length === 0 || b.length === 0) return;
    let between = { a: [] as DiffNode[], b: [] as DiffNode[] };
    const rows = align(
      a.map(({ anchor }) => anchor),
      b.map(({ anchor }) => anchor),
    );
    for (const [i, j] of rows) {
      if (i >= 0 && j >= 0) {
        this.#join(a[i]!, b[j]!);
        this.#pairAlike(between.a, between.b);
        between = { a: [], b: [] };
      } else if (i >= 0) between.a.push(a[i]!);
      else between.b.push(b[j]!);
    }
    this.#pairAlike(between.a, between.b);
  }

  /** Equal calls that run side by side: which is which, only what happened inside them tells. */
  #pairTwins(a: readonly DiffNode[], b: readonly DiffNode[]): void {
    const anchorOf = (node: DiffNode) => (hasInside(node) ? node.anchor : undefined);
    const [ofA, ofB] = [groupByKey(a, anchorOf), groupByKey(b, anchorOf)];
    for (const [anchor, some] of ofA) {
      const others = ofB.get(anchor) ?? [];
      if (some.length * others.length < 2 || some.length * others.length > MAX_TWIN_PAIRS) continue;
      for (const [one, other] of pairClosest(some, others)) this.#join(one, other);
    }
  }

  #pairEqual(a: readonly DiffNode[], b: readonly DiffNode[], which: 'same' | 'anchor', moved: boolean): void {
    for (const [one, other] of pairInOrder(a, b, (node) => node[which])) this.#join(one, other, moved);
  }

  #pairAlike(a: readonly DiffNode[], b: readonly DiffNode[]): void {
    if (a.length === 0 || b.length === 0) return;
    const count = (nodes: readonly DiffNode[], kind: string) => nodes.filter((node) => node.kind === kind).length;
    const mayDiffer = (kind: EntryKind) => REWORDABLE_KINDS.has(kind) || (this.#isOfCall && REQUEST_KINDS.has(kind));
    const kinds = new Set(a.map(({ kind }) => kind));
    const even = new Set([...kinds].filter((kind) => mayDiffer(kind) && count(a, kind) === count(b, kind)));
    const words = new Map<DiffNode, NodeWords>();
    const best = bestPairs(a.length, b.length, (i, j) => {
      const isEven = even.has(a[i]!.kind) || (this.#isNeutral && mayBeSameCall(a[i]!, b[j]!));
      return scorePair(a[i]!, b[j]!, words, { isEven, least: this.#isNeutral ? MIN_LIKENESS : RENAMED_CALL_LIKENESS });
    });
    if (best) for (const [i, j] of best) this.#join(a[i]!, b[j]!);
    // Too many to look for the best.
    else for (const [one, other] of pairInOrder(a, b, ({ kind, name }) => `${kind} ${name}`)) this.#join(one, other);
  }

  #join(a: DiffNode, b: DiffNode, moved = false): void {
    const pair = this.#isSwapped ? { a: b, b: a, moved } : { a, b, moved };
    this.ofA.set(pair.a, pair);
    this.ofB.set(pair.b, pair);
  }

  #unpaired(nodes: readonly DiffNode[]): DiffNode[] {
    const known = (node: DiffNode) => this.ofA.has(node) || this.ofB.has(node);
    return nodes.filter((node) => !known(node));
  }
}

/** More pairs of equal calls are not tried. */
const MAX_TWIN_PAIRS = 400;

/** Of a call, more than questions about it. */
function hasInside({ kind, inside }: DiffNode): boolean {
  return kind === 'tool-call' && ![...(inside ?? [])].every((one) => REQUEST_KINDS.has(one.kind));
}

/**
 * What only the second list has stands before the next pair, behind what only the first one has. Loose lanes cross: what was
 * passed already is no next pair, so that the second list stays in order.
 */
function mergeInOrder(a: readonly DiffNode[], b: readonly DiffNode[], { ofA, ofB }: LanePairing): NodePair[] {
  const places = new Map(a.map((node, i) => [node, i]));
  /** From each place on, the first that has a partner in order. */
  const paired = new Array<number>(a.length + 1).fill(a.length);
  for (let i = a.length - 1; i >= 0; i--) paired[i] = ofA.get(a[i]!)?.moved === false ? i : paired[i + 1]!;
  const ahead: DiffNode[][] = a.map(() => []);
  const last: DiffNode[] = [];
  /** The first of the first list that is not passed. */
  let next = 0;
  for (const node of b) {
    const pair = ofB.get(node);
    if (pair && !pair.moved) next = Math.max(next, places.get(pair.a!)! + 1);
    if (!pair) (ahead[paired[next]!] ?? last).push(node);
  }
  const added = (nodes: readonly DiffNode[]): NodePair[] => nodes.map((node) => ({ a: null, b: node, moved: false }));
  const out = a.flatMap((node, i) => [...added(ahead[i]!), ofA.get(node) ?? { a: node, b: null, moved: false }]);
  return [...out, ...added(last)];
}
