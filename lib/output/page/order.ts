/** The order in which rows are read, known when the session has ended: before, they are in slots. */
import { Numbers } from './numbers.ts';

/** Where rows go: below which row, how deep, and in which turn. */
export interface RowPosition {
  parent: number;
  depth: number;
  turn: number | null;
}

const MAX_DEPTH = 0xff;

/** The order of the tree: the slot, the depth and the parent of each row. */
export class Ordered {
  readonly slot = new Numbers();
  readonly depth = new Numbers();
  readonly parent = new Numbers();
  readonly end = new Numbers();
  readonly #ends: Numbers;
  readonly #depths: Numbers;

  constructor(ends: Numbers, depths: Numbers) {
    this.#ends = ends;
    this.#depths = depths;
  }

  get count(): number {
    return this.slot.length;
  }

  one(slot: number, { parent, depth }: RowPosition): number {
    return this.#add(slot, parent, depth);
  }

  #add(slot: number, parent: number, depth: number): number {
    this.slot.push(slot);
    this.depth.push(Math.min(depth, MAX_DEPTH));
    this.parent.push(parent);
    this.end.push(0);
    return this.count - 1;
  }

  closed(row: number): void {
    this.end.set(row, this.count);
  }

  /** A row and all that is inside it, which is in one piece. */
  whole(first: number, { parent, depth }: RowPosition): void {
    const last = this.#ends.at(first);
    const shift = this.count - first;
    // The rows that are open, from the outside in.
    const open = [parent];
    const base = this.#depths.at(first);
    for (let slot = first; slot < last; slot++) {
      const inner = this.#depths.at(slot) - base;
      open.length = inner + 1;
      const row = this.#add(slot, open[inner]!, depth + inner);
      this.end.set(row, this.#ends.at(slot) + shift);
      open.push(row);
    }
  }
}
