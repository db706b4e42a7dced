/** Compares two lists of nodes and reports each difference. What is the same is skipped. */
import { isChance, isUnnamed, type TurnAround, turnAround } from './chance.ts';
import { labelOf, NAMELESS, type Names, namesOf } from './label.ts';
import { Matches } from './matches.ts';
import { withoutSilence } from './neutral.ts';
import type { Node } from './node.ts';
import { glanceAt, hashAt, nodeAt, type Siblings } from './nodes.ts';
import { commonEnds, type Pair, pairNodes } from './pair.ts';
import { Paths } from './paths.ts';
import type { Reader } from './reading.ts';
import type { Change, DiffEntry, EntryKind, Op, TurnDiff } from './result.ts';
import { diffValues } from './values.ts';

/** What is reported besides the differences. */
interface Telling {
  showMasked?: boolean;
  showSame?: boolean;
  /** The sessions speak different protocols. */
  isNeutral?: boolean;
}

interface Compared {
  session: string;
  reader: Reader;
}

/** A pair, and where its nodes are. */
interface Placed extends Pair {
  paths: { a: string | null; b: string | null };
}

/** What a list is inside of, and where that is. */
interface Around {
  kind: EntryKind | null;
  a: string;
  b: string;
}

export class Comparison {
  readonly entries: DiffEntry[] = [];
  readonly turns: TurnDiff[] = [];
  /** Pairs that differ only in what is volatile: what is inside them is not counted. */
  #masked = 0;
  readonly #a: Compared;
  readonly #b: Compared;
  readonly #showMasked: boolean;
  readonly #showSame: boolean;
  readonly #isNeutral: boolean;
  /** How many entries that are the same were reported. */
  #same = 0;
  #turn: TurnAround = { isCut: false, differs: false };
  readonly matches = new Matches();
  /** What differs, but was not kept: it has to be read again. */
  readonly missing = { a: new Set<Node>(), b: new Set<Node>() };

  constructor(a: Compared, b: Compared, { showMasked = false, showSame = false, isNeutral = false }: Telling) {
    this.#a = a;
    this.#b = b;
    this.#showMasked = showMasked;
    this.#showSame = showSame;
    this.#isNeutral = isNeutral;
  }

  lists(a: Siblings, b: Siblings): void {
    const told = (pair: Placed, differences: number) => {
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
    const each = (pair: Placed) => {
      const before = this.entries.length;
      this.#pair(pair);
      told(pair, this.entries.slice(before).filter(({ op, masked }) => op !== 'same' && !masked).length);
    };
    const equal = (pair: Placed, isExact: boolean) => {
      this.#equal(pair, isExact);
      told(pair, 0);
    };
    this.#lists(a, b, { kind: null, a: '', b: '' }, each, equal);
  }

  /** `each` is called with what may differ, `equal` with what does not, at the beginning and the end. */
  #lists(
    a: Siblings,
    b: Siblings,
    around: Around,
    each: (pair: Placed) => void = (pair) => this.#pair(pair),
    equal: (pair: Placed, isExact: boolean) => void = (pair, isExact) => this.#equal(pair, isExact),
  ): void {
    const { head, tail } = commonEnds(a, b);
    const paths = { a: new Paths(a, around.a), b: new Paths(b, around.b) };
    const both = (i: number, j: number) => {
      const isExact = hashAt(a, i, 'exact') === hashAt(b, j, 'exact');
      const isGlance = !this.#showSame && (isExact || !this.#showMasked);
      const at = isGlance ? glanceAt : nodeAt;
      const pair = { a: at(a, i), b: at(b, j), moved: false, paths: { a: paths.a.next(i), b: paths.b.next(j) } };
      this.matches.same(pair.a, pair.b);
      if (isExact) return equal(pair, true);
      if (this.#showMasked) return each(pair);
      this.#masked++;
      equal(pair, false);
    };
    for (let i = 0; i < head; i++) both(i, i);
    const middle = { a: between(a, head, tail), b: between(b, head, tail) };
    const places = { a: paths.a.all(middle.a, head), b: paths.b.all(middle.b, head) };
    for (const pair of pairNodes(middle.a, middle.b, { around: around.kind, isNeutral: this.#isNeutral })) {
      const [ofA, ofB] = [pair.a && places.a.get(pair.a)!, pair.b && places.b.get(pair.b)!];
      each({ ...pair, paths: { a: ofA, b: ofB } });
    }
    for (let n = tail; n > 0; n--) both(a.length - n, b.length - n);
  }

  #pair(pair: Placed): void {
    const { a, b, moved } = pair;
    if (!a || !b) return this.#alone(pair);
    if (moved) this.#tell('moved', pair, []);
    if (a.same === b.same) {
      this.matches.same(a, b);
      if (a.exact !== b.exact) this.#onlyMasked(pair);
      else this.#unchanged(pair);
      return;
    }
    this.matches.pair(a, b);
    const at = this.#found;
    const all = this.#changes(a, b);
    const changes = this.#told(a.kind, all);
    if (changes.length < all.length)
      this.#onlyUntold(
        pair,
        all.filter((change) => !changes.includes(change)),
      );
    if (changes.length > 0) this.#tell('changed', pair, changes);
    else if (a.inside?.length && b.inside?.length) this.#tellSame(pair);
    if (a.inside && b.inside) this.#inside(pair, a, b);
    // The hashes differ, so something does.
    if (this.#found === at) this.#tell('changed', pair, []);
  }

  /** How many differ only in what is volatile: those that were reported, if they are. */
  get masked(): number {
    return this.#showMasked ? this.entries.filter(({ masked }) => masked).length : this.#masked;
  }

  /** Differences so far, masked ones included. */
  get #found(): number {
    return this.entries.length - this.#same + this.#masked;
  }

  #equal(pair: Placed, isExact: boolean): void {
    if (isExact) this.#unchanged(pair);
    else this.#tellSame(pair);
  }

  /** The pair is the same, with everything inside it. */
  #unchanged(pair: Placed): void {
    if (!this.#showSame) return;
    const { a, b, moved } = pair;
    if (!moved) this.#tellSame(pair);
    if (a!.inside && b!.inside) this.#lists(a!.inside, b!.inside, aroundOf(pair), (inner) => this.#unchanged(inner));
  }

  /** Of the pair itself, whatever is inside it. */
  #tellSame(pair: Placed): void {
    if (!this.#showSame) return;
    this.#same++;
    this.#tell('same', pair, []);
  }

  #inside(pair: Placed, a: Node, b: Node): void {
    const around = this.#turn;
    if (a.kind === 'turn') this.#turn = turnAround(a, b);
    this.#lists(a.inside!, b.inside!, aroundOf(pair));
    this.#turn = around;
  }

  /** Without what is chance, and what only one of two protocols reports. */
  #told(kind: EntryKind, all: Change[]): Change[] {
    const changes = all.filter((change) => !isChance(this.#turn, kind, change) && !isUnnamed(change));
    return this.#isNeutral && kind === 'tool-call' ? withoutSilence(changes) : changes;
  }

  #onlyUntold(pair: Placed, changes: Change[]): void {
    this.#masked++;
    if (this.#showMasked) this.#tell('changed', pair, changes, true);
  }

  #changes(a: Node, b: Node): Change[] {
    if (!a.face || !b.face) return [];
    const { kind } = a;
    const [ofA, ofB] = [this.#a.reader.fieldsOf(a.face), this.#b.reader.fieldsOf(b.face)];
    const changes: Change[] = [];
    for (const field of new Set([...Object.keys(ofA), ...Object.keys(ofB)])) {
      const how = {
        a: this.#a.reader.leaf(kind, field),
        b: this.#b.reader.leaf(kind, field),
        isIgnored: (pointer: string) => this.#a.reader.isIgnored(kind, pointer),
      };
      changes.push(...diffValues(ofA[field], ofB[field], `/${field}`, how));
    }
    return changes;
  }

  #alone(pair: Placed): void {
    const isOfA = pair.a !== null;
    const node = (pair.a ?? pair.b)!;
    const missing = isOfA ? this.missing.a : this.missing.b;
    for (const part of node.inside ?? []) if (!part.face) missing.add(part);
    this.matches.alone(isOfA ? 'a' : 'b', node);
    const value = wholeOf(node);
    const change: Change = isOfA
      ? { op: 'removed', path: '', a: value, b: null }
      : { op: 'added', path: '', a: null, b: value };
    this.#tell(isOfA ? 'removed' : 'added', pair, [change]);
  }

  #onlyMasked(pair: Placed): void {
    this.#masked++;
    if (!this.#showMasked || !pair.a?.face || !pair.b?.face) return this.#tellSame(pair);
    this.#maskedIn(pair);
  }

  /** Reports what the masks hide, in this pair and inside it. */
  #maskedIn(pair: Placed): void {
    const { a, b } = pair;
    if (!a || !b) return;
    if (a.exact === b.exact) return this.#unchanged(pair);
    const plain = { a: same, b: same, isIgnored: () => false };
    const changes =
      a.face && b.face
        ? [
            ...diffValues(a.face.fields, b.face.fields, '', plain),
            ...diffValues(a.face.volatile, b.face.volatile, '', plain),
          ]
        : [];
    if (changes.length > 0) this.#tell('changed', pair, changes, true);
    else this.#tellSame(pair);
    if (a.inside && b.inside) this.#lists(a.inside, b.inside, aroundOf(pair), (inner) => this.#maskedIn(inner));
  }

  #label(a: Node | null, b: Node | null): string {
    const [node, { reader }] = a && (a.face || !b) ? [a, this.#a] : [b ?? a!, this.#b];
    return labelOf(node, reader.leaf('text', 'text'));
  }

  /** What each side calls a pair. Within one protocol, what is the same has one name. */
  #names(op: Op, a: Node | null, b: Node | null): Names {
    if (!a?.face || !b?.face || (op === 'same' && !this.#isNeutral)) return NAMELESS;
    return namesOf(this.#label(a, null), this.#label(null, b));
  }

  #tell(op: Op, { a, b, paths }: Placed, changes: Change[], masked = false): void {
    // What is the same need not be read again.
    if (op !== 'same' && a && !a.face) this.missing.a.add(a);
    if (op !== 'same' && b && !b.face) this.missing.b.add(b);
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

const aroundOf = ({ a, paths }: Placed): Around => ({ kind: a!.kind, a: paths.a!, b: paths.b! });

function opOf({ a, b, moved }: Pair, differs: boolean): Op {
  if (!a) return 'added';
  if (!b) return 'removed';
  if (moved) return 'moved';
  return differs ? 'changed' : 'same';
}

/** All that an entry says, with what is inside it. */
function wholeOf({ kind, face, inside }: Node): unknown {
  if (!face) return null;
  const parts = [...(inside ?? [])].map((one) => ({ kind: one.kind, ...(wholeOf(one) as object | null) }));
  return parts.length > 0
    ? { ...face.fields, inside: parts }
    : { ...face.fields, ...(kind === 'step' ? { inside: [] } : {}) };
}

const between = (list: Siblings, head: number, tail: number): Node[] =>
  Array.from({ length: list.length - head - tail }, (_, n) => nodeAt(list, head + n));

/** Turns have numbers of their own. */
const numberIn = (path: string | null): number | null => (path === null ? null : Number(path.split('/').at(-1)));
