/** The facts of all frames as columns: numbers, or codes of the values that occur. Later frames change earlier facts. */

import type { Change } from '../facts/fact-reader.ts';
import type { Facts } from '../facts/facts.ts';
import { FACT_LIST, type FactName, type Stored } from '../facts/table.ts';
import { ByteReader, Bytes, Numbers, packNumbers, unpackNumbers } from './numbers.ts';

/** A fact of all frames. Codes are indices of `values`; `values[0]` is null. Numbers: NaN is null. */
export type ReadColumn =
  | { is: 'coded'; codes: Uint8Array | Uint16Array | Uint32Array; values: readonly unknown[] }
  | { is: 'numbers'; numbers: Float64Array };

const isNumber = (stored: Stored): boolean => stored === 'integer' || stored === 'real';

export class FactColumns {
  readonly #columns = FACT_LIST.map(([name, { stored }]) => ({
    name,
    column: isNumber(stored) ? new NumberColumn() : new CodedColumn(),
  }));
  readonly #byName = new Map(this.#columns.map(({ name, column }) => [name, column]));
  /** The index of a frame, if its number is not its place. */
  readonly #places = new Map<number, number>();
  readonly #f = this.#byName.get('f') as NumberColumn;
  readonly #marks = this.#byName.get('marks') as NumberColumn;

  get count(): number {
    return this.#f.length;
  }

  /** In the order of their numbers. */
  add(facts: Facts): void {
    const place = this.count;
    if (facts.f !== place + 1) this.#places.set(facts.f, place);
    for (const { name, column } of this.#columns) column.push(facts[name]);
  }

  change({ f, set = 0, clear = 0, ...values }: Change): void {
    const at = this.indexOf(f);
    if (at < 0) return;
    for (const [name, value] of Object.entries(values)) this.#byName.get(name as FactName)?.set(at, value);
    if (set !== 0 || clear !== 0) this.#marks.set(at, (this.#marks.at(at) | set) & ~clear);
  }

  /** -1 if there is no such frame. */
  indexOf(f: number): number {
    const place = this.#places.get(f);
    if (place !== undefined) return place;
    return f >= 1 && f <= this.count && this.#f.at(f - 1) === f ? f - 1 : -1;
  }

  numbers(name: FactName): Float64Array {
    return (this.#byName.get(name) as NumberColumn).values;
  }

  *packed(): Generator<[FactName, Uint8Array]> {
    for (const { name, column } of this.#columns) yield [name, column.packed()];
  }
}

class NumberColumn {
  readonly #numbers = new Numbers();

  get length(): number {
    return this.#numbers.length;
  }

  get values(): Float64Array {
    return this.#numbers.values;
  }

  at(index: number): number {
    return this.#numbers.at(index);
  }

  push(value: unknown): void {
    this.#numbers.push(value === null ? Number.NaN : (value as number));
  }

  set(index: number, value: unknown): void {
    this.#numbers.set(index, value === null ? Number.NaN : (value as number));
  }

  packed(): Uint8Array {
    return packNumbers(this.#numbers.values);
  }
}

class CodedColumn {
  #codes: Uint8Array | Uint16Array | Uint32Array = new Uint8Array(256);
  #length = 0;
  readonly #known = new Map<unknown, number>();
  readonly #values: unknown[] = [null];

  push(value: unknown): void {
    const code = this.#codeOf(value);
    if (this.#length === this.#codes.length) {
      const wider = arrayFor(this.#values.length, 2 * this.#length);
      wider.set(this.#codes);
      this.#codes = wider;
    }
    this.#codes[this.#length++] = code;
  }

  set(index: number, value: unknown): void {
    const code = this.#codeOf(value);
    this.#codes[index] = code;
  }

  #codeOf(value: unknown): number {
    if (value === null) return 0;
    // Lists are compared by their words, and an id 1 is not "1".
    const key = typeof value === 'object' ? JSON.stringify(value) : value;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const code = this.#values.push(value) - 1;
    this.#known.set(key, code);
    if (code > largestIn(this.#codes)) {
      const wider = arrayFor(this.#values.length, this.#codes.length);
      wider.set(this.#codes);
      this.#codes = wider;
    }
    return code;
  }

  packed(): Uint8Array {
    const bytes = new Bytes();
    const texts = new TextEncoder().encode(JSON.stringify(this.#values, (_, value) => plainly(value)));
    bytes.whole(texts.length);
    bytes.add(texts);
    const codes = this.#codes.subarray(0, this.#length);
    bytes.add(codes instanceof Uint8Array ? codes : packNumbers(codes));
    return bytes.written;
  }
}

/** A bigint is an object, which no value of a fact is. */
function plainly(value: unknown): unknown {
  return typeof value === 'bigint' ? { digits: `${value}` } : value;
}

export function unpackColumn(name: FactName, packed: Uint8Array, count: number): ReadColumn {
  const [, { stored }] = FACT_LIST.find(([one]) => one === name)!;
  if (isNumber(stored)) return { is: 'numbers', numbers: exactly(unpackNumbers(packed), count) };
  const reader = new ByteReader(packed);
  const length = reader.whole();
  const start = reader.take(length);
  const values = JSON.parse(new TextDecoder().decode(start), (_, value) =>
    value !== null && typeof value === 'object' && typeof value.digits === 'string' ? BigInt(value.digits) : value,
  ) as unknown[];
  const rest = packed.subarray(start.byteOffset - packed.byteOffset + length);
  if (values.length <= BYTE + 1) return { is: 'coded', codes: exactly(rest, count), values };
  const codes = arrayFor(values.length, count);
  codes.set(exactly(unpackNumbers(rest), count));
  return { is: 'coded', codes, values };
}

const BYTE = 0xff;
const SHORT = 0xffff;

function largestIn(codes: Uint8Array | Uint16Array | Uint32Array): number {
  return codes.BYTES_PER_ELEMENT === 1 ? BYTE : codes.BYTES_PER_ELEMENT === 2 ? SHORT : 0xffffffff;
}

function arrayFor(values: number, length: number): Uint8Array | Uint16Array | Uint32Array {
  if (values - 1 <= BYTE) return new Uint8Array(length);
  return values - 1 <= SHORT ? new Uint16Array(length) : new Uint32Array(length);
}

export function exactly<T extends { length: number }>(values: T, count: number): T {
  if (values.length !== count) throw new RangeError('the data is not as long as it should be');
  return values;
}
