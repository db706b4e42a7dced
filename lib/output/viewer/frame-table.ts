/** The frames of a session by their numbers. A part of a tape keeps its numbers, so they may have gaps. */
import type { ColumnName } from '../page/columns.ts';
import type { Column, FrameTable } from './source.ts';

export class Frames implements FrameTable {
  readonly #numbers: Float64Array;
  readonly #rows: Float64Array;
  readonly #read: (name: ColumnName) => Promise<Column>;
  /** Only if the numbers do not grow, as on a tape that was made by hand. */
  readonly #places: Map<number, number> | null;

  constructor(numbers: Float64Array, rows: Float64Array, read: (name: ColumnName) => Promise<Column>) {
    this.#numbers = numbers;
    this.#rows = rows;
    this.#read = read;
    this.#places = isGrowing(numbers) ? null : placesOf(numbers);
  }

  get count(): number {
    return this.#numbers.length;
  }

  f(index: number): number {
    return this.#numbers[index]!;
  }

  indexOf(f: number): number {
    const numbers = this.#numbers;
    // Almost always its number is its place.
    if (numbers[f - 1] === f) return f - 1;
    if (this.#places) return this.#places.get(f) ?? -1;
    let [low, high] = [0, numbers.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (numbers[middle]! < f) low = middle + 1;
      else high = middle;
    }
    return numbers[low] === f ? low : -1;
  }

  rowOf(f: number): number {
    return this.#rows[this.indexOf(f)] ?? -1;
  }

  column(name: ColumnName): Promise<Column> {
    return this.#read(name);
  }
}

function isGrowing(numbers: Float64Array): boolean {
  for (let i = 1; i < numbers.length; i++) if (numbers[i]! <= numbers[i - 1]!) return false;
  return true;
}

function placesOf(numbers: Float64Array): Map<number, number> {
  const places = new Map<number, number>();
  for (let i = numbers.length - 1; i >= 0; i--) places.set(numbers[i]!, i);
  return places;
}
