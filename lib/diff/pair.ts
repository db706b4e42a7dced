/**
 * Pairs the entries of two lists by meaning: first those that say the same, then those that are the same thing (a prompt,
 * a call with its arguments), then those that are most alike. Entries of a loose lane are paired in any order.
 */
import { toJson } from '../core/message.ts';
import { align, isBehind } from './align.ts';
import { ASKS, type Fields } from './face.ts';
import { isLoose, type Node } from './node.ts';
import { hashAt, laneAt, type Siblings } from './nodes.ts';
import type { EntryKind } from './result.ts';
import { ALIKE, bestPairs, LOOKED_AT, likeness, type Words, wordsOf } from './similar.ts';

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
    const [ofA, ofB] = [byAnchor(a), byAnchor(b)];
    for (const [anchor, some] of ofA) {
      const others = ofB.get(anchor) ?? [];
      if (some.length * others.length < 2 || some.length * others.length > MOST_TWINS) continue;
      for (const [one, other] of closest(some, others)) this.#join(one, other);
    }
  }

  /** Those with an equal hash, in the order in which they come. */
  #equals(a: readonly Node[], b: readonly Node[], which: 'same' | 'anchor', moved: boolean): void {
    const waiting = new Map<number, Node[]>();
    for (const node of [...b].reverse()) {
      const list = waiting.get(node[which]);
      if (list) list.push(node);
      else waiting.set(node[which], [node]);
    }
    for (const node of a) {
      const other = waiting.get(node[which])?.pop();
      if (other) this.#join(node, other, moved);
    }
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
    for (const [i, j] of best ?? inTurn(a, b)) this.#join(a[i]!, b[j]!);
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

/** Calls with something inside. */
function byAnchor(nodes: readonly Node[]): Map<number, Node[]> {
  const found = new Map<number, Node[]>();
  for (const node of nodes) {
    if (node.kind !== 'tool-call' || [...(node.inside ?? [])].every(({ kind }) => ASKS.has(kind))) continue;
    const list = found.get(node.anchor);
    if (list) list.push(node);
    else found.set(node.anchor, [node]);
  }
  return found;
}

/** Those first that have most in common; of equal ones, in the order in which they come. */
function closest(a: readonly Node[], b: readonly Node[]): [Node, Node][] {
  const words = (node: Node) => wordsOf([...(node.inside ?? [])].map((one) => textIn(one)).join(' '));
  const [ofA, ofB] = [a.map(words), b.map(words)];
  const all = ofA.flatMap((one, i) => ofB.map((other, j) => ({ i, j, like: likeness(one, other) })));
  const taken = { a: new Set<number>(), b: new Set<number>() };
  const pairs: [Node, Node][] = [];
  for (const { i, j } of all.sort((one, other) => other.like - one.like)) {
    if (taken.a.has(i) || taken.b.has(j)) continue;
    taken.a.add(i);
    taken.b.add(j);
    pairs.push([a[i]!, b[j]!]);
  }
  return pairs;
}

/** Too many to look for the best: those of a kind and a name as they come. */
function inTurn(a: readonly Node[], b: readonly Node[]): [number, number][] {
  const keyOf = ({ kind, name }: Node) => `${kind} ${name}`;
  const waiting = new Map<string, number[]>();
  for (let j = b.length - 1; j >= 0; j--) {
    const list = waiting.get(keyOf(b[j]!));
    if (list) list.push(j);
    else waiting.set(keyOf(b[j]!), [j]);
  }
  return a.flatMap((node, i): [number, number][] => {
    const j = waiting.get(keyOf(node))?.pop();
    return j === undefined ? [] : [[i, j]];
  });
}

/** Enough if nothing else is in question. */
const BARELY = 0.01;

/** One in the place of another is that in other words. Two other calls, requests or errors are two things. */
const SPOKEN: ReadonlySet<EntryKind> = new Set<EntryKind>([
  ...(['turn', 'step', 'prompt', 'turn-begin', 'text', 'thinking', 'steer', 'plan', 'mode'] as const),
]);

/** A tool by another name is given much the same. Two protocols have other names for most tools. */
const OTHERWISE = 0.6;

/** `least`: how much calls by other names must be alike. */
function score(
  a: Node,
  b: Node,
  known: Map<Node, Said>,
  { isEven, least }: { isEven: boolean; least: number },
): number {
  if (a.kind !== b.kind) return 0;
  const isNamed = a.name !== null && a.name === b.name;
  const [ofA, ofB] = [saidIn(a, known), saidIn(b, known)];
  const own = likeness(ofA.own, ofB.own);
  // Agents have other words for one change of a file.
  const like = ofA.shown && ofB.shown ? Math.max(own, likeness(ofA.shown, ofB.shown)) : own;
  if (like >= (a.kind === 'tool-call' ? least : ALIKE) || isNamed) return like + (isNamed ? 0.5 : 0);
  return isEven ? BARELY : 0;
}

/** Protocols tell a call in other words, or with nothing but a title: it may be one if nothing speaks against it. */
function mayBeOne({ kind, face: a }: Node, { kind: other, face: b }: Node): boolean {
  if (kind !== 'tool-call' || other !== kind || !a || !b) return false;
  const [ofA, ofB] = [a, b].map(({ fields }) => fields.arguments);
  if (ofA === undefined || ofB === undefined) return true;
  const files = filesIn(ofA);
  return [...filesIn(ofB)].some((file) => files.has(file));
}

const filesIn = (value: unknown): Set<string> => new Set(plain(value).slice(0, LOOKED_AT).match(FILES));

/** Names of files, whatever folder they are in. */
const FILES = /[\w-]+\.[A-Za-z]\w{0,4}\b/g;

interface Said {
  own: Words;
  /** What a call shows of what it does. */
  shown: Words | null;
}

function saidIn(node: Node, known: Map<Node, Said>): Said {
  const found = known.get(node) ?? { own: wordsOf(textIn(node)), shown: shownBy(node) };
  known.set(node, found);
  return found;
}

function shownBy({ kind, face }: Node): Words | null {
  if (kind !== 'tool-call' || !face) return null;
  const { shown, result } = face.fields;
  const blocks = [shown, (result as Fields | undefined)?.displays].filter((list) => list !== undefined);
  return blocks.length === 0 ? null : wordsOf(toJson(blocks));
}

/** What it says, and what those inside it say. A call is what it was asked for, whatever a subagent made of it. */
function textIn(node: Node, room = 4096): string {
  const { face, inside, kind, name } = node;
  if (kind === 'turn' && face) return toJson(face.fields.prompt ?? '');
  if (kind === 'tool-call' && face?.fields.arguments !== undefined) return plain(face.fields.arguments);
  let text = name ?? '';
  for (const key of face?.keys ?? []) if (face!.fields[key] !== undefined) text += ` ${plain(face!.fields[key])}`;
  if (kind === 'tool-call') return text;
  for (const one of inside ?? []) if (text.length < room) text += ` ${textIn(one, room - text.length)}`;
  return text;
}

const plain = (value: unknown): string => (typeof value === 'string' ? value : toJson(value));

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
