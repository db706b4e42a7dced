/**
 * Which rows of the tree are shown, in numbers only: a session may have hundreds of thousands. Rows come in the order in
 * which they are read, so that what is shown is sorted and a row is found by halving.
 */
import type { RowTable } from '../../page/page.ts';
import type { FrameTable } from '../source.ts';

export class Tree {
  readonly #rows: RowTable;
  /** 1: the rows inside it are not shown. */
  readonly #closed: Uint8Array;
  readonly #shown: Uint32Array;
  /** The place among the rows shown beside it, for each that is shown; and how many are shown in a row, by parent + 1. */
  readonly #place: Uint32Array;
  readonly #inside: Uint32Array;
  #count = 0;
  /** 0: neither the row nor one inside it was found. */
  #kept: Uint8Array | null = null;

  constructor(rows: RowTable) {
    this.#rows = rows;
    this.#closed = new Uint8Array(rows.count);
    this.#shown = new Uint32Array(rows.count);
    this.#place = new Uint32Array(rows.count);
    this.#inside = new Uint32Array(rows.count + 1);
    this.#show();
  }

  /** How many rows are shown. */
  get count(): number {
    return this.#count;
  }

  row(index: number): number {
    return this.#shown[index]!;
  }

  /** Where a row is shown, or -1. */
  indexOf(row: number): number {
    const index = this.#lowest(row);
    return index < this.#count && this.#shown[index] === row ? index : -1;
  }

  /** Where the row is shown, or else the nearest one that contains it; -1 if there is none. */
  nearest(row: number): number {
    let index = -1;
    for (let at = row; at >= 0 && index < 0; at = this.#rows.parent[at]!) index = this.indexOf(at);
    return index;
  }

  /** Its place among those beside it, from 1, and how many these are. */
  place(index: number): { at: number; of: number } {
    return { at: this.#place[index]!, of: this.#inside[this.#rows.parent[this.#shown[index]!]! + 1]! };
  }

  hasInside(row: number): boolean {
    return this.#rows.end[row]! > row + 1;
  }

  isOpen(row: number): boolean {
    return this.#closed[row] === 0;
  }

  setOpen(row: number, isOpen: boolean): void {
    this.#closed[row] = isOpen ? 0 : 1;
    this.#show();
  }

  /** Opens or closes everything. */
  setAll(isOpen: boolean): void {
    this.#closed.fill(isOpen ? 0 : 1);
    this.#show();
  }

  /** Closes the deepest rows that are open, or opens the highest that are closed. False: there are none. */
  setLevel(isOpen: boolean): boolean {
    let depth = isOpen ? Number.POSITIVE_INFINITY : -1;
    for (let index = 0; index < this.#count; index++) {
      const row = this.#shown[index]!;
      if (!this.hasInside(row) || this.isOpen(row) === isOpen) continue;
      depth = isOpen ? Math.min(depth, this.#rows.depth[row]!) : Math.max(depth, this.#rows.depth[row]!);
    }
    if (depth < 0 || !Number.isFinite(depth)) return false;
    for (let row = 0; row < this.#rows.count; row++)
      if (this.#rows.depth[row] === depth) this.#closed[row] = isOpen ? 0 : 1;
    this.#show();
    return true;
  }

  /** Opens all rows that contain this one. */
  reveal(row: number): void {
    let changed = false;
    for (let at = this.#rows.parent[row]!; at >= 0; at = this.#rows.parent[at]!) {
      changed ||= this.#closed[at] === 1;
      this.#closed[at] = 0;
    }
    if (changed) this.#show();
  }

  /** Shows only these rows; null: all. */
  keep(kept: Uint8Array | null): void {
    this.#kept = kept;
    this.#show();
  }

  #show(): void {
    const { count, end, parent } = this.#rows;
    this.#inside.fill(0);
    let shown = 0;
    for (let row = 0; row < count; ) {
      if (this.#kept && this.#kept[row] === 0) {
        row = end[row]!;
        continue;
      }
      this.#shown[shown] = row;
      this.#place[shown++] = ++this.#inside[parent[row]! + 1]!;
      row = this.#closed[row] ? end[row]! : row + 1;
    }
    this.#count = shown;
  }

  #lowest(row: number): number {
    let low = 0;
    let high = this.#count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#shown[middle]! < row) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Bits of a row that a query found: itself, or one inside it. */
export const FOUND = { self: 1, inside: 2 } as const;

/** What a query found, by row: a byte of `FOUND` for each. `hits` has one for each frame. */
export function foundRows(rows: RowTable, frames: FrameTable, hits: Uint8Array): Uint8Array {
  const found = new Uint8Array(rows.count);
  for (let index = 0; index < frames.count; index++) {
    if (hits[index] === 0) continue;
    const row = frames.rowOf(frames.f(index));
    if (row >= 0) found[row] = FOUND.self;
  }
  // Rows inside come after the row that contains them.
  for (let row = rows.count - 1; row > 0; row--)
    if (found[row]! > 0 && rows.parent[row]! >= 0) found[rows.parent[row]!]! |= FOUND.inside;
  return found;
}

/** The same with a row that must be shown, and those that contain it. */
export function keptWith(found: Uint8Array, rows: RowTable, row: number): Uint8Array {
  if (row < 0 || found[row]! > 0) return found;
  const kept = found.slice();
  for (let at = row; at >= 0; at = rows.parent[at]!) kept[at]! |= FOUND.inside;
  return kept;
}
