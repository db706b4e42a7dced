/** Rows of numbers in little memory. It grows in chunks, so that nothing is copied and left behind. */
const ROWS_PER_CHUNK = 1024;

export class NumberTable {
  length = 0;
  readonly #width: number;
  readonly #make: (size: number) => Float64Array | Uint32Array;
  readonly #chunks: (Float64Array | Uint32Array)[] = [];

  constructor(width: number, make: (size: number) => Float64Array | Uint32Array) {
    this.#width = width;
    this.#make = make;
  }

  /** The number of the new row. */
  push(...values: number[]): number {
    const row = this.length++;
    if (row % ROWS_PER_CHUNK === 0 && row / ROWS_PER_CHUNK === this.#chunks.length)
      this.#chunks.push(this.#make(ROWS_PER_CHUNK * this.#width));
    this.#chunks[Math.floor(row / ROWS_PER_CHUNK)]!.set(values, (row % ROWS_PER_CHUNK) * this.#width);
    return row;
  }

  get(row: number, column: number): number {
    return this.#chunks[Math.floor(row / ROWS_PER_CHUNK)]![(row % ROWS_PER_CHUNK) * this.#width + column]!;
  }

  set(row: number, column: number, value: number): void {
    this.#chunks[Math.floor(row / ROWS_PER_CHUNK)]![(row % ROWS_PER_CHUNK) * this.#width + column] = value;
  }
}

/** For numbers of 53 bits, and of 32. */
export const makeFloat64 = (size: number): Float64Array => new Float64Array(size);
export const makeUint32 = (size: number): Uint32Array => new Uint32Array(size);
