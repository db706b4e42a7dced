/** The columns of the table, read once. */
import type { Column, FrameTable } from '../source.ts';

export const READ = [
  't',
  'from',
  'kind',
  'method',
  'type',
  'turn',
  'tool',
  'size',
  'latency',
  'pair_f',
  'marks',
] as const;
export type FrameColumns = Record<(typeof READ)[number], Column>;

export async function columnsOf(frames: FrameTable): Promise<FrameColumns> {
  const columns = await Promise.all(READ.map((name) => frames.column(name)));
  return Object.fromEntries(READ.map((name, index) => [name, columns[index]])) as FrameColumns;
}

/** What the table shows: all frames or those found, in the order of time or against it. */
export class Order {
  readonly #count: number;
  readonly #found: Uint32Array | null;
  readonly #isReversed: boolean;

  constructor(count: number, hits: Uint8Array | null, found: number, isReversed: boolean) {
    this.#isReversed = isReversed;
    this.#found = hits && indicesOf(hits, found);
    this.#count = this.#found ? this.#found.length : count;
  }

  get count(): number {
    return this.#count;
  }

  /** The index of the frame in a row. */
  at(row: number): number {
    const place = this.#isReversed ? this.#count - 1 - row : row;
    return this.#found ? this.#found[place]! : place;
  }

  /** The row of a frame; if it is not shown, the one that it would follow. -1: before all. */
  near(index: number): number {
    const place = this.#found ? lastUpTo(this.#found, index) : index;
    return this.#isReversed ? this.#count - 1 - place : place;
  }

  /** -1 if it is not shown. */
  rowOf(index: number): number {
    const row = this.near(index);
    return row >= 0 && row < this.#count && this.at(row) === index ? row : -1;
  }
}

function indicesOf(hits: Uint8Array, found: number): Uint32Array {
  const indices = new Uint32Array(found);
  let at = 0;
  for (let index = 0; index < hits.length && at < found; index++) if (hits[index] === 1) indices[at++] = index;
  return at === found ? indices : indices.subarray(0, at);
}

/** The last place whose value is not greater; -1: none. */
function lastUpTo(sorted: Uint32Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
