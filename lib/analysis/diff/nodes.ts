/**
 * Nodes in order, in little memory: of a node that was not kept in full, there are only numbers in a table. It becomes an
 * object when it is asked for, and is then always the same one.
 */
import type { DiffNode } from './node.ts';
import { makeFloat64, makeUint32, NumberTable } from './number-table.ts';
import type { EntryKind } from './result.ts';
import { StringTable } from './string-table.ts';

/** What is next to each other: in one turn, or outside of turns. */
export type SiblingNodes = readonly DiffNode[] | NodeList;

type NodeHash = 'same' | 'exact' | 'anchor';

/** Columns of 53 bits, and of 32. `parts`: where those of a turn begin. */
const WIDE_COLUMNS = { same: 0, anchor: 1 };
const NARROW_COLUMNS = { exact: 0, f: 1, at: 2, sort: 3, name: 4, asked: 5, parts: 6, count: 7 };
/** No text, or no parts. */
const NONE = 0xffffffff;

export class NodeList implements Iterable<DiffNode> {
  readonly #wide = new NumberTable(Object.keys(WIDE_COLUMNS).length, makeFloat64);
  readonly #narrow = new NumberTable(Object.keys(NARROW_COLUMNS).length, makeUint32);
  readonly #strings: StringTable;
  /** Those kept in full, and those that were asked for. */
  readonly #objects = new Map<number, DiffNode>();
  /** The parts of all turns, one turn after another. */
  #parts: NodeList | null = null;
  readonly #sorts = new Map<number, [string, string]>();

  constructor(strings = new StringTable()) {
    this.#strings = strings;
  }

  get length(): number {
    return this.#wide.length;
  }

  /** An empty list with the same strings. */
  emptyCopy(): NodeList {
    return new NodeList(this.#strings);
  }

  push(node: DiffNode): void {
    const { kind, name, lane, promptLabel: asked, inside, exact, f, at } = node;
    const numberOf = (text: string | null) => (text === null ? NONE : this.#strings.number(text));
    const i = this.#wide.push(node.same, node.anchor);
    this.#narrow.push(exact, f, at, numberOf(`${kind} ${lane}`), numberOf(name), numberOf(asked), NONE, 0);
    if (node.content) this.#objects.set(i, node);
    else if (inside) this.#storeParts(i, inside);
  }

  /** A copy of a row of another list with the same strings. */
  copy(from: NodeList, i: number): void {
    const object = from.#objects.get(i);
    if (object) return this.push(object);
    this.push(from.peek(i));
    const first = from.#narrow.get(i, NARROW_COLUMNS.parts);
    if (first === NONE) return;
    this.#parts ??= this.emptyCopy();
    const count = from.#narrow.get(i, NARROW_COLUMNS.count);
    this.#narrow.set(this.length - 1, NARROW_COLUMNS.parts, this.#parts.length);
    this.#narrow.set(this.length - 1, NARROW_COLUMNS.count, count);
    for (let j = first; j < first + count; j++) this.#parts.copy(from.#parts!, j);
  }

  /** Keeps only numbers, of parts of turns too. */
  dropObjects(): void {
    for (const [i, { kind, inside }] of this.#objects)
      if (kind === 'turn' && inside && this.#narrow.get(i, NARROW_COLUMNS.parts) === NONE) this.#storeParts(i, inside);
    this.#objects.clear();
  }

  at(i: number): DiffNode {
    const known = this.#objects.get(i);
    if (known) return known;
    const [from, length] = [this.#narrow.get(i, NARROW_COLUMNS.parts), this.#narrow.get(i, NARROW_COLUMNS.count)];
    const node = this.peek(i);
    if (from !== NONE) node.inside = Array.from({ length }, (_, n) => this.#parts!.at(from + n));
    this.#objects.set(i, node);
    return node;
  }

  /** A copy for a moment, without parts. */
  peek(i: number): DiffNode {
    const [kind, lane] = this.#kindAndLane(i) as [EntryKind, string];
    const numbers = this.#narrow;
    const text = (number: number) => (number === NONE ? null : this.#strings.text(number));
    return {
      ...{
        kind,
        name: text(numbers.get(i, NARROW_COLUMNS.name)),
        lane,
        f: numbers.get(i, NARROW_COLUMNS.f),
        eventKey: 0,
        at: numbers.get(i, NARROW_COLUMNS.at),
      },
      ...{ same: this.hash(i, 'same'), exact: this.hash(i, 'exact'), anchor: this.hash(i, 'anchor') },
      ...{ promptLabel: text(numbers.get(i, NARROW_COLUMNS.asked)), content: null, inside: null },
    };
  }

  hash(i: number, which: NodeHash): number {
    return which === 'exact' ? this.#narrow.get(i, NARROW_COLUMNS.exact) : this.#wide.get(i, WIDE_COLUMNS[which]);
  }

  lane(i: number): string {
    return this.#kindAndLane(i)[1]!;
  }

  kind(i: number): EntryKind {
    return this.#kindAndLane(i)[0] as EntryKind;
  }

  /** Those that are objects, in order. */
  objects(): DiffNode[] {
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

  *[Symbol.iterator](): Generator<DiffNode> {
    for (let i = 0; i < this.length; i++) yield this.at(i);
  }

  #kindAndLane(i: number): [kind: string, lane: string] {
    const number = this.#narrow.get(i, NARROW_COLUMNS.sort);
    const known = this.#sorts.get(number);
    if (known) return known;
    const sort = this.#strings.text(number).split(' ') as [string, string];
    this.#sorts.set(number, sort);
    return sort;
  }

  /** Parts of parts are not compared on their own. */
  #storeParts(i: number, inside: SiblingNodes): void {
    this.#parts ??= this.emptyCopy();
    this.#narrow.set(i, NARROW_COLUMNS.parts, this.#parts.length);
    this.#narrow.set(i, NARROW_COLUMNS.count, inside.length);
    for (let j = 0; j < inside.length; j++) {
      if (inside instanceof NodeList) this.#parts.copy(inside, j);
      else this.#parts.push(inside[j]!);
    }
    this.#parts.#objects.clear();
  }
}

export const nodeAt = (list: SiblingNodes, i: number): DiffNode => (list instanceof NodeList ? list.at(i) : list[i]!);
export const peekAt = (list: SiblingNodes, i: number): DiffNode => (list instanceof NodeList ? list.peek(i) : list[i]!);
export const hashAt = (list: SiblingNodes, i: number, which: NodeHash): number =>
  list instanceof NodeList ? list.hash(i, which) : list[i]![which];
export const laneAt = (list: SiblingNodes, i: number): string =>
  list instanceof NodeList ? list.lane(i) : list[i]!.lane;
export const kindAt = (list: SiblingNodes, i: number): EntryKind =>
  list instanceof NodeList ? list.kind(i) : list[i]!.kind;
/** Those that were kept in full or asked for. */
export const loadedNodes = (list: SiblingNodes): readonly DiffNode[] =>
  list instanceof NodeList ? list.objects() : list;
