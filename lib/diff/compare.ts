/** Compares two lists of nodes and tells each difference. Whatever is the same is passed over. */
import { labelOf } from './label.ts';
import type { Node } from './node.ts';
import { type Pair, pairNodes } from './pair.ts';
import type { Reader } from './reading.ts';
import type { Change, DiffEntry, Op, TurnDiff } from './result.ts';
import { diffValues } from './values.ts';

/** What is told besides the differences. */
interface Telling {
  showMasked?: boolean;
  showSame?: boolean;
}

interface Compared {
  session: string;
  reader: Reader;
}

/** Where a node is, by its kind and its number among those of its kind. */
type Paths = ReadonlyMap<Node, string>;

export class Comparison {
  readonly entries: DiffEntry[] = [];
  readonly turns: TurnDiff[] = [];
  /** Pairs that differ only in what is volatile. */
  masked = 0;
  readonly #a: Compared;
  readonly #b: Compared;
  readonly #showMasked: boolean;
  readonly #showSame: boolean;
  /** How many entries that are the same were told. */
  #same = 0;
  /** The turn was cut off on both sides. */
  #isCut = false;
  /** What differs, but was not kept: it has to be read again. */
  readonly missing = { a: new Set<Node>(), b: new Set<Node>() };

  constructor(a: Compared, b: Compared, { showMasked = false, showSame = false }: Telling) {
    this.#a = a;
    this.#b = b;
    this.#showMasked = showMasked;
    this.#showSame = showSame;
  }

  lists(a: readonly Node[], b: readonly Node[]): void {
    const numbers = { a: numbersOf(a), b: numbersOf(b) };
    this.#lists(a, b, '', '', (pair) => {
      const { a: one, b: other } = pair;
      if ((one ?? other)!.kind !== 'turn') return this.#pair(pair);
      const before = this.entries.length;
      this.#pair(pair);
      const differences = this.entries.slice(before).filter(({ op, masked }) => op !== 'same' && !masked).length;
      this.turns.push({
        a: one && numbers.a.get(one)!,
        b: other && numbers.b.get(other)!,
        a_f: one?.f ?? null,
        b_f: other?.f ?? null,
        op: opOf(pair, differences > 0),
        what: labelOf(one ?? other!),
        differences,
      });
    });
  }

  #paths: { a: Paths; b: Paths } = { a: new Map(), b: new Map() };

  #lists(
    a: readonly Node[],
    b: readonly Node[],
    aPath: string,
    bPath: string,
    each: (pair: Pair) => void = (pair) => this.#pair(pair),
  ): void {
    const outer = this.#paths;
    this.#paths = { a: pathsOf(a, aPath), b: pathsOf(b, bPath) };
    for (const pair of pairNodes(a, b)) each(pair);
    this.#paths = outer;
  }

  #pair(pair: Pair): void {
    const { a, b, moved } = pair;
    if (!a || !b) return this.#alone((a ?? b)!, a !== null);
    if (moved) this.#tell('moved', pair, []);
    if (a.same === b.same) {
      if (a.exact !== b.exact) this.#onlyMasked(pair);
      else this.#unchanged(pair);
      return;
    }
    const changes = this.#changes(a, b);
    if (this.#isCut && isFurther(changes)) return this.#onlyFurther(pair, changes);
    const at = this.#found;
    if (changes.length > 0) this.#tell('changed', pair, changes);
    else if (a.inside?.length && b.inside?.length) this.#tellSame(pair);
    if (a.inside && b.inside) this.#inside(a, b);
    // The hashes differ, so something does.
    if (this.#found === at) this.#tell('changed', pair, []);
  }

  /** Differences so far, masked ones included. */
  get #found(): number {
    return this.entries.length - this.#same + this.masked;
  }

  /** The pair is the same, with everything inside it. */
  #unchanged(pair: Pair): void {
    if (!this.#showSame) return;
    const { a, b, moved } = pair;
    if (!moved) this.#tellSame(pair);
    if (a!.inside && b!.inside)
      this.#lists(a!.inside, b!.inside, this.#paths.a.get(a!)!, this.#paths.b.get(b!)!, (inner) =>
        this.#unchanged(inner),
      );
  }

  /** Of the pair itself, whatever is inside it. */
  #tellSame(pair: Pair): void {
    if (!this.#showSame) return;
    this.#same++;
    this.#tell('same', pair, []);
  }

  #inside(a: Node, b: Node): void {
    const around = this.#isCut;
    if (a.kind === 'turn') this.#isCut = isCut(a) && isCut(b);
    this.#lists(a.inside!, b.inside!, this.#paths.a.get(a)!, this.#paths.b.get(b)!);
    this.#isCut = around;
  }

  /** How far an agent came before it was stopped is chance. */
  #onlyFurther(pair: Pair, changes: Change[]): void {
    this.masked++;
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

  #alone(node: Node, isOfA: boolean): void {
    const missing = isOfA ? this.missing.a : this.missing.b;
    for (const part of node.inside ?? []) if (!part.face) missing.add(part);
    const value = wholeOf(node);
    const change: Change = isOfA
      ? { op: 'removed', path: '', a: value, b: null }
      : { op: 'added', path: '', a: null, b: value };
    this.#tell(isOfA ? 'removed' : 'added', { a: isOfA ? node : null, b: isOfA ? null : node, moved: false }, [change]);
  }

  #onlyMasked(pair: Pair): void {
    this.masked++;
    if (!this.#showMasked || !pair.a?.face || !pair.b?.face) return this.#tellSame(pair);
    this.#maskedIn(pair);
  }

  /** Tells what the masks hide, in this pair and inside it. */
  #maskedIn(pair: Pair): void {
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
    if (a.inside && b.inside)
      this.#lists(a.inside, b.inside, this.#paths.a.get(a)!, this.#paths.b.get(b)!, (inner) => this.#maskedIn(inner));
  }

  #tell(op: Op, { a, b }: Pair, changes: Change[], masked = false): void {
    const [ofA, ofB] = [a && this.#paths.a.get(a)!, b && this.#paths.b.get(b)!];
    // What is the same need not be read again.
    if (op !== 'same' && a && !a.face) this.missing.a.add(a);
    if (op !== 'same' && b && !b.face) this.missing.b.add(b);
    this.entries.push({
      op,
      section: 'conversation',
      kind: (a ?? b)!.kind,
      path: (ofA ?? ofB)!,
      a: { session: this.#a.session, f: a?.f ?? null, path: ofA },
      b: { session: this.#b.session, f: b?.f ?? null, path: ofB },
      what: labelOf((a?.face ? a : b) ?? a!),
      changes,
      masked,
    });
  }
}

const same = (text: string): string => text;

/** The client ended the turn, or the process did. */
function isCut({ face }: Node): boolean {
  const { cancelled, status } = face?.fields ?? {};
  return cancelled === true || CUT.test(String(status));
}

const CUT = /cancel|interrupt|abort|unanswered|unfinished/;

/** One text is the beginning of the other. */
function isFurther(changes: readonly Change[]): boolean {
  const [change] = changes;
  if (changes.length !== 1 || change!.path !== '/text') return false;
  const [a, b] = [change!.masked?.a ?? change!.a, change!.masked?.b ?? change!.b].map(String);
  return a!.startsWith(b!) || b!.startsWith(a!);
}

function opOf({ a, b, moved }: Pair, differs: boolean): Op {
  if (!a) return 'added';
  if (!b) return 'removed';
  if (moved) return 'moved';
  return differs ? 'changed' : 'same';
}

/** All that an entry says, with what is inside it. */
function wholeOf({ kind, face, inside }: Node): unknown {
  if (!face) return null;
  const parts = (inside ?? []).map((one) => ({ kind: one.kind, ...(wholeOf(one) as object | null) }));
  return parts.length > 0
    ? { ...face.fields, inside: parts }
    : { ...face.fields, ...(kind === 'step' ? { inside: [] } : {}) };
}

/** Turns have numbers of their own. */
function numbersOf(nodes: readonly Node[]): Map<Node, number> {
  const turns = nodes.filter(({ kind }) => kind === 'turn');
  return new Map(turns.map((turn, i) => [turn, i + 1]));
}

function pathsOf(nodes: readonly Node[], around: string): Paths {
  const counts = new Map<string, number>();
  return new Map(
    nodes.map((node) => {
      const n = (counts.get(node.kind) ?? 0) + 1;
      counts.set(node.kind, n);
      return [node, `${around}/${node.kind}/${n}`];
    }),
  );
}
