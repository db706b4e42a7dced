/**
 * Pairs the entries of two lists by meaning: first those that say the same, then those that are the same thing (a prompt,
 * a call with its arguments), then those that are most alike. Entries of a loose lane are paired in any order.
 */
import { align, isBehind } from './align.ts';
import { ASKS } from './face.ts';
import { byKey, inTurn } from './in-turn.ts';
import { isLoose, type Node } from './node.ts';
import { closest, mayBeOne, OTHERWISE, type Said, SPOKEN, score } from './node-likeness.ts';
import { hashAt, laneAt, type Siblings } from './nodes.ts';
import type { EntryKind } from './result.ts';
import { ALIKE, bestPairs } from './similar.ts';

export interface Pair {
  a: Node | null;
  b: Node | null;
  /** The same, but elsewhere among its siblings. */
  moved: boolean;
}

/** How many are the same at the beginning and at the end. */
export function commonEnds(a: Siblings, b: Siblings, which: 'same' | 'exact' = 'same'): { head: number; tail: number } {
  const most = Math.min(a.length, b.length);
  const equal = (i: number, j: number) => hashAt(a, i, which) === hashAt(b, j, which) && laneAt(a, i) === laneAt(b, j);
  let head = 0;
  while (head < most && equal(head, head)) head++;
  let tail = 0;
  while (tail < most - head && equal(a.length - 1 - tail, b.length - 1 - tail)) tail++;
  return { head, tail };
}

interface Where {
  /** The kind of what they are inside of. */
  around: EntryKind | null;
  /** The lists are of two protocols. */
  isNeutral: boolean;
}

/** In the order of the first list, with what only the second has behind its neighbour. */
export function pairNodes(a: readonly Node[], b: readonly Node[], where: Where): Pair[] {
  const found = new Pairing(where);
  for (const lane of new Set([...a, ...b].map((node) => node.lane))) {
    const ofA = a.filter((node) => node.lane === lane);
    const ofB = b.filter((node) => node.lane === lane);
    const isSwapped = isBehind(
      ofA.map(({ same }) => same),
      ofB.map(({ same }) => same),
    );
    if (isSwapped) found.lane(ofB, ofA, true);
    else found.lane(ofA, ofB, false);
  }
  return inOrder(a, b, found);
}

class Pairing {
  readonly ofA = new Map<Node, Pair>();
  readonly ofB = new Map<Node, Pair>();
  /** What is paired belongs to one call, so requests are about the same. */
  readonly #isOfCall: boolean;
  readonly #isNeutral: boolean;
  #isSwapped = false;

  constructor({ around, isNeutral }: Where) {
    this.#isOfCall = around === 'tool-call';
    this.#isNeutral = isNeutral;
  }

  lane(a: readonly Node[], b: readonly Node[], isSwapped: boolean): void {
    this.#isSwapped = isSwapped;
    const [first] = a.length > 0 ? a : b;
    if (first && isLoose(first)) this.#anyOrder(a, b);
    else this.#ordered(a, b);
  }

  #ordered(a: readonly Node[], b: readonly Node[]): void {
    const gaps: { a: Node[]; b: Node[] }[] = [{ a: [], b: [] }];
    const alone = { a: [] as Node[], b: [] as Node[] };
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
    this.#equals(alone.a, alone.b, 'same', true);
    for (const gap of gaps) this.#gap(this.#left(gap.a), this.#left(gap.b));
  }

  #anyOrder(a: readonly Node[], b: readonly Node[]): void {
    this.#equals(a, b, 'same', false);
    this.#equals(this.#left(a), this.#left(b), 'anchor', false);
    this.#alike(this.#left(a), this.#left(b));
  }

  #gap(all: Node[], others: Node[]): void {
    this.#twins(all, others);
    const [a, b] = [this.#left(all), this.#left(others)];
    if (a.length === 0 || b.length === 0) return;
    let between = { a: [] as Node[], b: [] as Node[] };
    const rows = align(
      a.map(({ anchor }) => anchor),
      b.map(({ anchor }) => anchor),
    );
    for (const [i, j] of rows) {
      if (i >= 0 && j >= 0) {
        this.#join(a[i]!, b[j]!);
        this.#alike(between.a, between.b);
        between = { a: [], b: [] };
      } else if (i >= 0) between.a.push(a[i]!);
      else between.b.push(b[j]!);
    }
    this.#alike(between.a, between.b);
  }

  /** Equal calls that run side by side: which is which, only what happened inside them tells. */
  #twins(a: readonly Node[], b: readonly Node[]): void {
    const anchorOf = (node: Node) => (hasInside(node) ? node.anchor : undefined);
    const [ofA, ofB] = [byKey(a, anchorOf), byKey(b, anchorOf)];
    for (const [anchor, some] of ofA) {
      const others = ofB.get(anchor) ?? [];
      if (some.length * others.length < 2 || some.length * others.length > MOST_TWINS) continue;
      for (const [one, other] of closest(some, others)) this.#join(one, other);
    }
  }

  #equals(a: readonly Node[], b: readonly Node[], which: 'same' | 'anchor', moved: boolean): void {
    for (const [one, other] of inTurn(a, b, (node) => node[which])) this.#join(one, other, moved);
  }

  #alike(a: readonly Node[], b: readonly Node[]): void {
    if (a.length === 0 || b.length === 0) return;
    const count = (nodes: readonly Node[], kind: string) => nodes.filter((node) => node.kind === kind).length;
    const mayDiffer = (kind: EntryKind) => SPOKEN.has(kind) || (this.#isOfCall && ASKS.has(kind));
    const kinds = new Set(a.map(({ kind }) => kind));
    const even = new Set([...kinds].filter((kind) => mayDiffer(kind) && count(a, kind) === count(b, kind)));
    const words = new Map<Node, Said>();
    const best = bestPairs(a.length, b.length, (i, j) => {
      const isEven = even.has(a[i]!.kind) || (this.#isNeutral && mayBeOne(a[i]!, b[j]!));
      return score(a[i]!, b[j]!, words, { isEven, least: this.#isNeutral ? ALIKE : OTHERWISE });
    });
    if (best) for (const [i, j] of best) this.#join(a[i]!, b[j]!);
    // Too many to look for the best.
    else for (const [one, other] of inTurn(a, b, ({ kind, name }) => `${kind} ${name}`)) this.#join(one, other);
  }

  #join(a: Node, b: Node, moved = false): void {
    const pair = this.#isSwapped ? { a: b, b: a, moved } : { a, b, moved };
    this.ofA.set(pair.a, pair);
    this.ofB.set(pair.b, pair);
  }

  #left(nodes: readonly Node[]): Node[] {
    const known = (node: Node) => this.ofA.has(node) || this.ofB.has(node);
    return nodes.filter((node) => !known(node));
  }
}

/** More pairs of equal calls are not tried. */
const MOST_TWINS = 400;

/** Of a call, more than questions about it. */
function hasInside({ kind, inside }: Node): boolean {
  return kind === 'tool-call' && ![...(inside ?? [])].every((one) => ASKS.has(one.kind));
}

/**
 * What only the second list has stands before the next pair, behind what only the first one has. Loose lanes cross: what was
 * passed already is no next pair, so that the second list stays in order.
 */
function inOrder(a: readonly Node[], b: readonly Node[], { ofA, ofB }: Pairing): Pair[] {
  const places = new Map(a.map((node, i) => [node, i]));
  /** From each place on, the first that has a partner in order. */
  const paired = new Array<number>(a.length + 1).fill(a.length);
  for (let i = a.length - 1; i >= 0; i--) paired[i] = ofA.get(a[i]!)?.moved === false ? i : paired[i + 1]!;
  const ahead: Node[][] = a.map(() => []);
  const last: Node[] = [];
  /** The first of the first list that is not passed. */
  let next = 0;
  for (const node of b) {
    const pair = ofB.get(node);
    if (pair && !pair.moved) next = Math.max(next, places.get(pair.a!)! + 1);
    if (!pair) (ahead[paired[next]!] ?? last).push(node);
  }
  const added = (nodes: readonly Node[]): Pair[] => nodes.map((node) => ({ a: null, b: node, moved: false }));
  const out = a.flatMap((node, i) => [...added(ahead[i]!), ofA.get(node) ?? { a: node, b: null, moved: false }]);
  return [...out, ...added(last)];
}
