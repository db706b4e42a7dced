/** Which calls and requests of two sessions belong together, as the conversation has paired them. */
import { ASKS } from './face.ts';
import type { Node } from './node.ts';
import { pairNodes } from './pair.ts';

type Side = 'a' | 'b';

/** Of what long sessions have in common, it knows nothing. */
export class Matches {
  /** The partner of each call and request; null if it has none. */
  readonly #partners = { a: new Map<number, number | null>(), b: new Map<number, number | null>() };
  /** The call that each request is about. */
  readonly #calls = { a: new Map<number, number>(), b: new Map<number, number>() };

  /** Undefined if the conversation does not have it. */
  partner(side: Side, place: number): number | null | undefined {
    return this.#partners[side].get(place);
  }

  /** The call that a request is about, or the call itself. */
  call(side: Side, place: number): number {
    return this.#calls[side].get(place) ?? place;
  }

  /** Of the pair itself, whatever is inside it. */
  pair(a: Node, b: Node): void {
    if (!isSubject(a) || !isSubject(b)) return;
    const [one, other] = [this.#seen('a', a), this.#seen('b', b)];
    this.#partners.a.set(one, other);
    this.#partners.b.set(other, one);
  }

  /** They are the same, with everything inside them. */
  same(a: Node, b: Node): void {
    if (!a.face || !b.face) return;
    this.pair(a, b);
    if (!a.inside?.length || !b.inside?.length) return;
    for (const pair of pairNodes([...a.inside], [...b.inside], { around: a.kind, isNeutral: false }))
      if (pair.a && pair.b) this.same(pair.a, pair.b);
  }

  /** It has no partner, and nor does what is inside it. */
  alone(side: Side, node: Node): void {
    if (isSubject(node)) this.#partners[side].set(this.#seen(side, node), null);
    for (const part of node.inside ?? []) if (part.face) this.alone(side, part);
  }

  #seen(side: Side, node: Node): number {
    const { place } = node;
    if (node.kind === 'tool-call')
      for (const part of node.inside ?? []) if (ASKS.has(part.kind)) this.#calls[side].set(part.place, place);
    return place;
  }
}

const isSubject = ({ kind, face }: Node): boolean => face !== null && (kind === 'tool-call' || ASKS.has(kind));
