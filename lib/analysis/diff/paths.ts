/** Paths of entries within their session: `/turn/2/step/1/tool-call/1`. */
import type { DiffNode } from './node.ts';
import { kindAt, type SiblingNodes } from './nodes.ts';

/** Where the nodes of a list are, one after another: by their kind, and their number among those of their kind. */
export class EntryPaths {
  readonly #list: SiblingNodes;
  readonly #container: string;
  readonly #counts = new Map<string, number>();

  constructor(list: SiblingNodes, container: string) {
    this.#list = list;
    this.#container = container;
  }

  next(i: number): string {
    const kind = kindAt(this.#list, i);
    const n = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, n);
    return `${this.#container}/${kind}/${n}`;
  }

  /** Of nodes in the middle, from `from` on. */
  all(nodes: readonly DiffNode[], from: number): ReadonlyMap<DiffNode, string> {
    return new Map(nodes.map((node, n) => [node, this.next(from + n)]));
  }
}
