/** Which rows of two audits belong together. */
import { align } from '../align.ts';
import type { Matches } from '../matches.ts';
import { pairInOrder } from '../pair-in-order.ts';
import type { Verdicts } from './verdicts.ts';

/** Rows of both; null on the side that has none. */
type VerdictPair = [a: number | null, b: number | null];

const UNPAIRED = 0xffffffff;

/** As the conversation paired their calls and requests; others by what they are about. */
export function pairVerdicts(a: Verdicts, b: Verdicts, matches: Matches): Iterable<VerdictPair> {
  const pairs = new VerdictPairing(a, b, matches);
  pairs.pairByRequest();
  pairs.pairByCall();
  pairs.pairInSequence();
  // What the conversation found to be alone may be the same elsewhere, in another turn.
  pairs.pairBy((rows, i) => rows.key(i), true);
  pairs.pairBy((rows, i) => rows.kindAndTool(i), false);
  // Agents have other names for the same tool.
  pairs.pairBy((rows, i) => rows.kind(i), false);
  return pairs.all();
}

class VerdictPairing {
  readonly #ofA: Uint32Array;
  readonly #ofB: Uint32Array;
  readonly #a: Verdicts;
  readonly #b: Verdicts;
  readonly #matches: Matches;

  constructor(a: Verdicts, b: Verdicts, matches: Matches) {
    this.#a = a;
    this.#b = b;
    this.#matches = matches;
    this.#ofA = new Uint32Array(a.length).fill(UNPAIRED);
    this.#ofB = new Uint32Array(b.length).fill(UNPAIRED);
  }

  /** All rows: those of the first in their order, then what only the second has. */
  *all(): Generator<VerdictPair> {
    for (const [i, j] of this.#ofA.entries()) yield [i, j === UNPAIRED ? null : j];
    for (const j of this.#unpaired('b')) yield [null, j];
  }

  /** The same request, or the same call that was never asked about. */
  pairByRequest(): void {
    const places = new Map<number, number>();
    for (const j of this.#unpaired('b')) if (this.#isKnown('b', j)) places.set(this.#b.eventKey(j), j);
    for (const i of this.#unpaired('a')) {
      const partner = this.#matches.partnerOf('a', this.#a.eventKey(i));
      const j = partner == null ? undefined : places.get(partner);
      if (j !== undefined) this.#join(i, j);
    }
  }

  /** One was asked about the call, the other was not, or in other words. */
  pairByCall(): void {
    const keyOf = (call: number | null | undefined, kind: string) => (call == null ? undefined : `${call} ${kind}`);
    const callOf = (side: 'a' | 'b', rows: Verdicts, i: number) => this.#matches.callOf(side, rows.eventKey(i));
    const pairs = pairInOrder(
      this.#unpaired('a'),
      this.#unpaired('b'),
      (i) => keyOf(this.#matches.partnerOf('a', callOf('a', this.#a, i)), this.#a.kind(i)),
      (j) => keyOf(callOf('b', this.#b, j), this.#b.kind(j)),
    );
    for (const [i, j] of pairs) this.#join(i, j);
  }

  /** Of long sessions, the conversation knows only what differs. What is left is about the same, in the same order. */
  pairInSequence(): void {
    const [a, b] = [this.#unknown('a'), this.#unknown('b')];
    let head = 0;
    while (head < a.length && head < b.length && this.#a.key(a[head]!) === this.#b.key(b[head]!)) {
      this.#join(a[head]!, b[head]!);
      head++;
    }
    const [restA, restB] = [a.slice(head), b.slice(head)];
    const rows = align(
      restA.map((i) => this.#a.key(i)),
      restB.map((j) => this.#b.key(j)),
    );
    for (const [n, m] of rows) if (n >= 0 && m >= 0) this.#join(restA[n]!, restB[m]!);
  }

  /** Pairs what is left by a key, those of a key in the order in which they come. `known`: also what the conversation has. */
  pairBy(keyOf: (rows: Verdicts, i: number) => unknown, known: boolean): void {
    const rows = (side: 'a' | 'b') => (known ? this.#unpaired(side) : this.#unknown(side));
    const pairs = pairInOrder(
      rows('a'),
      rows('b'),
      (i) => keyOf(this.#a, i),
      (j) => keyOf(this.#b, j),
    );
    for (const [i, j] of pairs) this.#join(i, j);
  }

  #unknown(side: 'a' | 'b'): number[] {
    return this.#unpaired(side).filter((i) => !this.#isKnown(side, i));
  }

  #isKnown(side: 'a' | 'b', i: number): boolean {
    return this.#matches.partnerOf(side, (side === 'a' ? this.#a : this.#b).eventKey(i)) !== undefined;
  }

  #unpaired(side: 'a' | 'b'): number[] {
    const partners = side === 'a' ? this.#ofA : this.#ofB;
    return Array.from(partners.keys()).filter((i) => partners[i] === UNPAIRED);
  }

  #join(i: number, j: number): void {
    this.#ofA[i] = j;
    this.#ofB[j] = i;
  }
}
