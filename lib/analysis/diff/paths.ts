/** Paths of entries within their session: `/turn/2/step/1/tool-call/1`. */
import type { Node } from './node.ts';
import { kindAt, type Siblings } from './nodes.ts';

/** Where the nodes of a list are, one after another: by their kind, and their number among those of their kind. */
export class Paths {
  readonly #list: Siblings;
  readonly #around: string;
  readonly #counts = new Map<string, number>();

  constructor(list: Siblings, around: string) {
    this.#list = list;
    this.#around = around;
  }

  next(i: number): string {
    const kind = kindAt(this.#list, i);
    const n = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, n);
    return `${this.#around}/${kind}/${n}`;
  }

  /** Of nodes in the middle, from `from` on. */
  all(nodes: readonly Node[], from: number): ReadonlyMap<Node, string> {
    return new Map(nodes.map((node, n) => [node, this.next(from + n)]));
  }
}
