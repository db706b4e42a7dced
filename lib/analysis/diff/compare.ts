/** Compares two lists of nodes and reports each difference. What is the same is skipped. */
import { isByChance, isLateName, type TurnEnding, turnEnding } from './chance-differences.ts';
import type { ContentReader } from './content-reader.ts';
import { labelOf, SAME_NAMES, type SideNames, sideNames } from './label.ts';
import { Matches } from './matches.ts';
import { withoutOneSided } from './neutral.ts';
import type { DiffNode } from './node.ts';
import { hashAt, nodeAt, peekAt, type SiblingNodes } from './nodes.ts';
import { commonEnds, type NodePair, pairNodes } from './pair-nodes.ts';
import { EntryPaths } from './paths.ts';
import type { Change, DiffEntry, DiffOp, EntryKind, TurnDiff } from './result.ts';
import { diffValues } from './values.ts';

/** What is reported besides the differences. */
interface ComparisonOptions {
  showMasked?: boolean;
  showSame?: boolean;
  /** The sessions speak different protocols. */
  isNeutral?: boolean;
}

interface ComparedSide {
  session: string;
  reader: ContentReader;
}

/** A pair, and where its nodes are. */
interface PlacedPair extends NodePair {
  paths: { a: string | null; b: string | null };
}

/** What a list is inside of, and where that is. */
interface ListContainer {
  kind: EntryKind | null;
  a: string;
  b: string;
}

export class ConversationComparison {
  readonly entries: DiffEntry[] = [];
  readonly turns: TurnDiff[] = [];
  /** Pairs that differ only in what is volatile: what is inside them is not counted. */
  #masked = 0;
  readonly #a: ComparedSide;
  readonly #b: ComparedSide;
  readonly #showMasked: boolean;
  readonly #showSame: boolean;
  readonly #isNeutral: boolean;
  /** How many entries that are the same were reported. */
  #same = 0;
  #turn: TurnEnding = { isCut: false, differs: false };
  readonly matches = new Matches();
  /** What differs, but was not kept: it has to be read again. */
  readonly missing = { a: new Set<DiffNode>(), b: new Set<DiffNode>() };

  constructor(
    a: ComparedSide,
    b: ComparedSide,
    { showMasked = false, showSame = false, isNeutral = false }: ComparisonOptions,
  ) {
    this.#a = a;
    this.#b = b;
    this.#showMasked = showMasked;
    this.#showSame = showSame;
    this.#isNeutral = isNeutral;
  }

  compareLists(a: SiblingNodes, b: SiblingNodes): void {
    const addTurn = (pair: PlacedPair, differences: number) => {
      const { a: one, b: other, paths } = pair;
      if ((one ?? other)!.kind !== 'turn') return;
      this.turns.push({
        a: numberIn(paths.a),
        b: numberIn(paths.b),
        a_f: one?.f ?? null,
        b_f: other?.f ?? null,
        op: opOf(pair, differences > 0),
        what: this.#label(one, other),
        differences,
      });
    };
    const visit = (pair: PlacedPair) => {
      const before = this.entries.length;
      this.#comparePair(pair);
      addTurn(pair, this.entries.slice(before).filter(({ op, masked }) => op !== 'same' && !masked).length);
    };
    const visitSame = (pair: PlacedPair, isExact: boolean) => {
      this.#addEqual(pair, isExact);
      addTurn(pair, 0);
    };
    this.#compareLists(a, b, { kind: null, a: '', b: '' }, visit, visitSame);
  }

  /** `visit` is called with what may differ, `equal` with what does not, at the beginning and the end. */
  #compareLists(
    a: SiblingNodes,
    b: SiblingNodes,
    container: ListContainer,
    visit: (pair: PlacedPair) => void = (pair) => this.#comparePair(pair),
    visitSame: (pair: PlacedPair, isExact: boolean) => void = (pair, isExact) => this.#addEqual(pair, isExact),
  ): void {
    const { head, tail } = commonEnds(a, b);
    const paths = { a: new EntryPaths(a, container.a), b: new EntryPaths(b, container.b) };
    const visitEqual = (i: number, j: number) => {
      const isExact = hashAt(a, i, 'exact') === hashAt(b, j, 'exact');
      const isGlance = !this.#showSame && (isExact || !this.#showMasked);
      const at = isGlance ? peekAt : nodeAt;
      const pair = { a: at(a, i), b: at(b, j), moved: false, paths: { a: paths.a.next(i), b: paths.b.next(j) } };
      this.matches.addSame(pair.a, pair.b);
      if (isExact) return visitSame(pair, true);
      if (this.#showMasked) return visit(pair);
      this.#masked++;
      visitSame(pair, false);
    };
    for (let i = 0; i < head; i++) visitEqual(i, i);
    const middle = { a: between(a, head, tail), b: between(b, head, tail) };
    const places = { a: paths.a.all(middle.a, head), b: paths.b.all(middle.b, head) };
    for (const pair of pairNodes(middle.a, middle.b, { container: container.kind, isNeutral: this.#isNeutral })) {
      const [ofA, ofB] = [pair.a && places.a.get(pair.a)!, pair.b && places.b.get(pair.b)!];
      visit({ ...pair, paths: { a: ofA, b: ofB } });
    }
    for (let n = tail; n > 0; n--) visitEqual(a.length - n, b.length - n);
  }

  #comparePair(pair: PlacedPair): void {
    const { a, b, moved } = pair;
    if (!a || !b) return this.#addUnpaired(pair);
    if (moved) this.#addEntry('moved', pair, []);
    if (a.same === b.same) {
      this.matches.addSame(a, b);
      if (a.exact !== b.exact) this.#addMasked(pair);
      else this.#addUnchanged(pair);
      return;
    }
    this.matches.addPair(a, b);
    const at = this.#countSoFar;
    const all = this.#changes(a, b);
    const changes = this.#countedChanges(a.kind, all);
    if (changes.length < all.length)
      this.#addChance(
        pair,
        all.filter((change) => !changes.includes(change)),
      );
    if (changes.length > 0) this.#addEntry('changed', pair, changes);
    else if (a.inside?.length && b.inside?.length) this.#addSame(pair);
    if (a.inside && b.inside) this.#compareInside(pair, a, b);
    // The hashes differ, so something does.
    if (this.#countSoFar === at) this.#addEntry('changed', pair, []);
  }

  /** How many differ only in what is volatile: those that were reported, if they are. */
  get masked(): number {
    return this.#showMasked ? this.entries.filter(({ masked }) => masked).length : this.#masked;
  }

  /** Differences so far, masked ones included. */
  get #countSoFar(): number {
    return this.entries.length - this.#same + this.#masked;
  }

  #addEqual(pair: PlacedPair, isExact: boolean): void {
    if (isExact) this.#addUnchanged(pair);
    else this.#addSame(pair);
  }

  /** The pair is the same, with everything inside it. */
  #addUnchanged(pair: PlacedPair): void {
    if (!this.#showSame) return;
    const { a, b, moved } = pair;
    if (!moved) this.#addSame(pair);
    if (a!.inside && b!.inside)
      this.#compareLists(a!.inside, b!.inside, containerOf(pair), (inner) => this.#addUnchanged(inner));
  }

  /** Of the pair itself, whatever is inside it. */
  #addSame(pair: PlacedPair): void {
    if (!this.#showSame) return;
    this.#same++;
    this.#addEntry('same', pair, []);
  }

  #compareInside(pair: PlacedPair, a: DiffNode, b: DiffNode): void {
    const container = this.#turn;
    if (a.kind === 'turn') this.#turn = turnEnding(a, b);
    this.#compareLists(a.inside!, b.inside!, containerOf(pair));
    this.#turn = container;
  }

  /** Without what is chance, and what only one of two protocols reports. */
  #countedChanges(kind: EntryKind, all: Change[]): Change[] {
    const changes = all.filter((change) => !isByChance(this.#turn, kind, change) && !isLateName(change));
    return this.#isNeutral && kind === 'tool-call' ? withoutOneSided(changes) : changes;
  }

  #addChance(pair: PlacedPair, changes: Change[]): void {
    this.#masked++;
    if (this.#showMasked) this.#addEntry('changed', pair, changes, true);
  }

  #changes(a: DiffNode, b: DiffNode): Change[] {
    if (!a.content || !b.content) return [];
    const { kind } = a;
    const [ofA, ofB] = [this.#a.reader.fieldsOf(a.content), this.#b.reader.fieldsOf(b.content)];
    const changes: Change[] = [];
    for (const field of new Set([...Object.keys(ofA), ...Object.keys(ofB)])) {
      const how = {
        a: this.#a.reader.normaliserFor(kind, field),
        b: this.#b.reader.normaliserFor(kind, field),
        isIgnored: (pointer: string) => this.#a.reader.isIgnored(kind, pointer),
      };
      changes.push(...diffValues(ofA[field], ofB[field], `/${field}`, how));
    }
    return changes;
  }

  #addUnpaired(pair: PlacedPair): void {
    const isOfA = pair.a !== null;
    const node = (pair.a ?? pair.b)!;
    const missing = isOfA ? this.missing.a : this.missing.b;
    for (const part of node.inside ?? []) if (!part.content) missing.add(part);
    this.matches.addUnpaired(isOfA ? 'a' : 'b', node);
    const value = wholeContent(node);
    const change: Change = isOfA
      ? { op: 'removed', path: '', a: value, b: null }
      : { op: 'added', path: '', a: null, b: value };
    this.#addEntry(isOfA ? 'removed' : 'added', pair, [change]);
  }

  #addMasked(pair: PlacedPair): void {
    this.#masked++;
    if (!this.#showMasked || !pair.a?.content || !pair.b?.content) return this.#addSame(pair);
    this.#addMaskedInside(pair);
  }

  /** Reports what the masks hide, in this pair and inside it. */
  #addMaskedInside(pair: PlacedPair): void {
    const { a, b } = pair;
    if (!a || !b) return;
    if (a.exact === b.exact) return this.#addUnchanged(pair);
    const plain = { a: same, b: same, isIgnored: () => false };
    const changes =
      a.content && b.content
        ? [
            ...diffValues(a.content.fields, b.content.fields, '', plain),
            ...diffValues(a.content.volatile, b.content.volatile, '', plain),
          ]
        : [];
    if (changes.length > 0) this.#addEntry('changed', pair, changes, true);
    else this.#addSame(pair);
    if (a.inside && b.inside)
      this.#compareLists(a.inside, b.inside, containerOf(pair), (inner) => this.#addMaskedInside(inner));
  }

  #label(a: DiffNode | null, b: DiffNode | null): string {
    const [node, { reader }] = a && (a.content || !b) ? [a, this.#a] : [b ?? a!, this.#b];
    return labelOf(node, reader.normaliserFor('text', 'text'));
  }

  /** What each side calls a pair. Within one protocol, what is the same has one name. */
  #names(op: DiffOp, a: DiffNode | null, b: DiffNode | null): SideNames {
    if (!a?.content || !b?.content || (op === 'same' && !this.#isNeutral)) return SAME_NAMES;
    return sideNames(this.#label(a, null), this.#label(null, b));
  }

  #addEntry(op: DiffOp, { a, b, paths }: PlacedPair, changes: Change[], masked = false): void {
    // What is the same need not be read again.
    if (op !== 'same' && a && !a.content) this.missing.a.add(a);
    if (op !== 'same' && b && !b.content) this.missing.b.add(b);
    const names = this.#names(op, a, b);
    this.entries.push({
      op,
      section: 'conversation',
      kind: (a ?? b)!.kind,
      path: (paths.a ?? paths.b)!,
      a: { session: this.#a.session, f: a?.f ?? null, path: paths.a, ...names.a },
      b: { session: this.#b.session, f: b?.f ?? null, path: paths.b, ...names.b },
      what: this.#label(a, b),
      changes,
      masked,
    });
  }
}

const same = (text: string): string => text;

const containerOf = ({ a, paths }: PlacedPair): ListContainer => ({ kind: a!.kind, a: paths.a!, b: paths.b! });

function opOf({ a, b, moved }: NodePair, differs: boolean): DiffOp {
  if (!a) return 'added';
  if (!b) return 'removed';
  if (moved) return 'moved';
  return differs ? 'changed' : 'same';
}

/** All that an entry says, with what is inside it. */
function wholeContent({ kind, content: face, inside }: DiffNode): unknown {
  if (!face) return null;
  const parts = [...(inside ?? [])].map((one) => ({ kind: one.kind, ...(wholeContent(one) as object | null) }));
  return parts.length > 0
    ? { ...face.fields, inside: parts }
    : { ...face.fields, ...(kind === 'step' ? { inside: [] } : {}) };
}

const between = (list: SiblingNodes, head: number, tail: number): DiffNode[] =>
  Array.from({ length: list.length - head - tail }, (_, n) => nodeAt(list, head + n));

/** Turns have numbers of their own. */
const numberIn = (path: string | null): number | null => (path === null ? null : Number(path.split('/').at(-1)));
