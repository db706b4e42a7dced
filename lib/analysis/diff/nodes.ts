/**
 * Nodes in order, in little memory: of a node that was not kept in full, there are only numbers in a table. It becomes an
 * object when it is asked for, and is then always the same one.
 */
import type { Node } from './node.ts';
import type { EntryKind } from './result.ts';
import { Strings } from './strings.ts';
import { narrow, Table, wide } from './table.ts';

/** What is next to each other: in one turn, or outside of turns. */
export type Siblings = readonly Node[] | Nodes;

type Hash = 'same' | 'exact' | 'anchor';

/** Columns of 53 bits, and of 32. `parts`: where those of a turn begin. */
const WIDE = { same: 0, anchor: 1 };
const NARROW = { exact: 0, f: 1, at: 2, sort: 3, name: 4, asked: 5, parts: 6, count: 7 };
/** No text, or no parts. */
const NONE = 0xffffffff;

export class Nodes implements Iterable<Node> {
  readonly #wide = new Table(Object.keys(WIDE).length, wide);
  readonly #narrow = new Table(Object.keys(NARROW).length, narrow);
  readonly #strings: Strings;
  /** Those kept in full, and those that were asked for. */
  readonly #objects = new Map<number, Node>();
  /** The parts of all turns, one turn after another. */
  #parts: Nodes | null = null;
  readonly #sorts = new Map<number, [string, string]>();

  constructor(strings = new Strings()) {
    this.#strings = strings;
  }

  get length(): number {
    return this.#wide.length;
  }

  /** An empty list with the same strings. */
  another(): Nodes {
    return new Nodes(this.#strings);
  }

  push(node: Node): void {
    const { kind, name, lane, asked, inside, exact, f, at } = node;
    const numberOf = (text: string | null) => (text === null ? NONE : this.#strings.number(text));
    const i = this.#wide.push(node.same, node.anchor);
    this.#narrow.push(exact, f, at, numberOf(`${kind} ${lane}`), numberOf(name), numberOf(asked), NONE, 0);
    if (node.face) this.#objects.set(i, node);
    else if (inside) this.#putAway(i, inside);
  }

  /** A copy of a row of another list with the same strings. */
  copy(from: Nodes, i: number): void {
    const object = from.#objects.get(i);
    if (object) return this.push(object);
    this.push(from.glance(i));
    const first = from.#narrow.get(i, NARROW.parts);
    if (first === NONE) return;
    this.#parts ??= this.another();
    const count = from.#narrow.get(i, NARROW.count);
    this.#narrow.set(this.length - 1, NARROW.parts, this.#parts.length);
    this.#narrow.set(this.length - 1, NARROW.count, count);
    for (let j = first; j < first + count; j++) this.#parts.copy(from.#parts!, j);
  }

  /** Keeps only numbers, of parts of turns too. */
  hollow(): void {
    for (const [i, { kind, inside }] of this.#objects)
      if (kind === 'turn' && inside && this.#narrow.get(i, NARROW.parts) === NONE) this.#putAway(i, inside);
    this.#objects.clear();
  }

  at(i: number): Node {
    const known = this.#objects.get(i);
    if (known) return known;
    const [from, length] = [this.#narrow.get(i, NARROW.parts), this.#narrow.get(i, NARROW.count)];
    const node = this.glance(i);
    if (from !== NONE) node.inside = Array.from({ length }, (_, n) => this.#parts!.at(from + n));
    this.#objects.set(i, node);
    return node;
  }

  /** A copy for a moment, without parts. */
  glance(i: number): Node {
    const [kind, lane] = this.#sort(i) as [EntryKind, string];
    const numbers = this.#narrow;
    const text = (number: number) => (number === NONE ? null : this.#strings.text(number));
    return {
      ...{
        kind,
        name: text(numbers.get(i, NARROW.name)),
        lane,
        f: numbers.get(i, NARROW.f),
        place: 0,
        at: numbers.get(i, NARROW.at),
      },
      ...{ same: this.hash(i, 'same'), exact: this.hash(i, 'exact'), anchor: this.hash(i, 'anchor') },
      ...{ asked: text(numbers.get(i, NARROW.asked)), face: null, inside: null },
    };
  }

  hash(i: number, which: Hash): number {
    return which === 'exact' ? this.#narrow.get(i, NARROW.exact) : this.#wide.get(i, WIDE[which]);
  }

  lane(i: number): string {
    return this.#sort(i)[1]!;
  }

  kind(i: number): EntryKind {
    return this.#sort(i)[0] as EntryKind;
  }

  /** Those that are objects, in order. */
  objects(): Node[] {
    return [...this.#objects].sort(([i], [j]) => i - j).map(([, node]) => node);
  }

  /** Calls back with the hash of each node and of each part of a turn. */
  eachHash(found: (same: number) => void): void {
    for (let i = 0; i < this.length; i++) {
      found(this.hash(i, 'same'));
      const inside = this.#objects.get(i)?.inside;
      for (let j = 0; inside && j < inside.length; j++) found(hashAt(inside, j, 'same'));
    }
    this.#parts?.eachHash(found);
  }

  *[Symbol.iterator](): Generator<Node> {
    for (let i = 0; i < this.length; i++) yield this.at(i);
  }

  #sort(i: number): [kind: string, lane: string] {
    const number = this.#narrow.get(i, NARROW.sort);
    const known = this.#sorts.get(number);
    if (known) return known;
    const sort = this.#strings.text(number).split(' ') as [string, string];
    this.#sorts.set(number, sort);
    return sort;
  }

  /** Parts of parts are not compared on their own. */
  #putAway(i: number, inside: Siblings): void {
    this.#parts ??= this.another();
    this.#narrow.set(i, NARROW.parts, this.#parts.length);
    this.#narrow.set(i, NARROW.count, inside.length);
    for (let j = 0; j < inside.length; j++) {
      if (inside instanceof Nodes) this.#parts.copy(inside, j);
      else this.#parts.push(inside[j]!);
    }
    this.#parts.#objects.clear();
  }
}

export const nodeAt = (list: Siblings, i: number): Node => (list instanceof Nodes ? list.at(i) : list[i]!);
export const glanceAt = (list: Siblings, i: number): Node => (list instanceof Nodes ? list.glance(i) : list[i]!);
export const hashAt = (list: Siblings, i: number, which: Hash): number =>
  list instanceof Nodes ? list.hash(i, which) : list[i]![which];
export const laneAt = (list: Siblings, i: number): string => (list instanceof Nodes ? list.lane(i) : list[i]!.lane);
export const kindAt = (list: Siblings, i: number): EntryKind => (list instanceof Nodes ? list.kind(i) : list[i]!.kind);
/** Those that were kept in full or asked for. */
export const objectsIn = (list: Siblings): readonly Node[] => (list instanceof Nodes ? list.objects() : list);
