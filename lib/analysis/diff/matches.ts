/** Which calls and requests of two sessions belong together, as the conversation has paired them. */
import { REQUEST_KINDS } from './entry-content.ts';
import type { DiffNode } from './node.ts';
import { pairNodes } from './pair-nodes.ts';

type MatchSide = 'a' | 'b';

/** Of what long sessions have in common, it knows nothing. */
export class Matches {
  /** The partner of each call and request; null if it has none. */
  readonly #partners = { a: new Map<number, number | null>(), b: new Map<number, number | null>() };
  /** The call that each request is about. */
  readonly #calls = { a: new Map<number, number>(), b: new Map<number, number>() };

  /** Undefined if the conversation does not have it. */
  partnerOf(side: MatchSide, place: number): number | null | undefined {
    return this.#partners[side].get(place);
  }

  /** The call that a request is about, or the call itself. */
  callOf(side: MatchSide, place: number): number {
    return this.#calls[side].get(place) ?? place;
  }

  /** Of the pair itself, whatever is inside it. */
  addPair(a: DiffNode, b: DiffNode): void {
    if (!isSubject(a) || !isSubject(b)) return;
    const [one, other] = [this.#remember('a', a), this.#remember('b', b)];
    this.#partners.a.set(one, other);
    this.#partners.b.set(other, one);
  }

  /** They are the same, with everything inside them. */
  addSame(a: DiffNode, b: DiffNode): void {
    if (!a.content || !b.content) return;
    this.addPair(a, b);
    if (!a.inside?.length || !b.inside?.length) return;
    for (const addPair of pairNodes([...a.inside], [...b.inside], { container: a.kind, isNeutral: false }))
      if (addPair.a && addPair.b) this.addSame(addPair.a, addPair.b);
  }

  /** It has no partner, and nor does what is inside it. */
  addUnpaired(side: MatchSide, node: DiffNode): void {
    if (isSubject(node)) this.#partners[side].set(this.#remember(side, node), null);
    for (const part of node.inside ?? []) if (part.content) this.addUnpaired(side, part);
  }

  #remember(side: MatchSide, node: DiffNode): number {
    const { eventKey: place } = node;
    if (node.kind === 'tool-call')
      for (const part of node.inside ?? [])
        if (REQUEST_KINDS.has(part.kind)) this.#calls[side].set(part.eventKey, place);
    return place;
  }
}

const isSubject = ({ kind, content: face }: DiffNode): boolean =>
  face !== null && (kind === 'tool-call' || REQUEST_KINDS.has(kind));
