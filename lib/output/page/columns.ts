/**
 * The facts of all frames as columns: numbers, or codes of the values that occur. Later frames change earlier facts. Beside
 * the facts stands what each frame adds to a text that arrives in pieces, for searches.
 */

import type { FactChange } from '../../analysis/facts/fact-reader.ts';
import type { Facts } from '../../analysis/facts/facts.ts';
import { FACT_LIST, type FactName, type StoredType } from '../../analysis/facts/table.ts';
import type { PiecePosition } from '../../model/text/searchable.ts';
import { ByteReader, Bytes, type PackInput, unpackNumbers } from './numbers.ts';

/** A fact of all frames. Codes are indices of `values`; `values[0]` is null. Numbers: NaN is null. */
export type ReadColumn =
  | { is: 'coded'; codes: Uint8Array | Uint16Array | Uint32Array; values: readonly unknown[] }
  | { is: 'numbers'; numbers: Float64Array };

export type ColumnName = FactName | 'piece';

const isNumber = (stored: StoredType): boolean => stored === 'integer' || stored === 'real';

export class FactColumns {
  readonly #columns = FACT_LIST.map(([name, { stored }]) => ({
    name,
    column: isNumber(stored) ? new NumberColumn() : new CodedColumn(),
  }));
  /** The same by their type, at their places in the table: every frame has a value for each. */
  readonly #numbered = this.#columns.map(({ column }) => (column instanceof NumberColumn ? column : null));
  readonly #coded = this.#columns.map(({ column }) => (column instanceof CodedColumn ? column : null));
  readonly #pieces = new CodedColumn();
  readonly #byName = new Map(this.#columns.map(({ name, column }) => [name, column]));
  /** The index of a frame, if its number is not its place. */
  readonly #places = new Map<number, number>();
  readonly #f = this.#byName.get('f') as NumberColumn;
  readonly #marks = this.#byName.get('marks') as NumberColumn;
  /** How many frames there are, and how many there is room for. */
  #count = 0;
  #room = 0;

  get count(): number {
    return this.#count;
  }

  /** In the order of their numbers. */
  add(facts: Facts, piece: PiecePosition | null): void {
    const place = this.#count;
    if (place === this.#room) this.#widen();
    this.#count = place + 1;
    if (facts.f !== place + 1) this.#places.set(facts.f, place);
    // All facts have the keys of the table, in its order. No other loop is as fast as this one.
    let at = 0;
    for (const name in facts) {
      const value = facts[name as FactName];
      const numbers = this.#numbered[at]!;
      if (numbers === null) {
        const codes = this.#coded[at]!;
        if (value !== codes.latest) codes.begin(place, value);
      } else numbers.all[place] = value === null ? Number.NaN : (value as number);
      at++;
    }
    if (piece !== this.#pieces.latest) this.#pieces.begin(place, piece);
  }

  #widen(): void {
    this.#room = Math.max(MIN_CAPACITY, 2 * this.#room);
    for (const { column } of this.#columns) column.widen(this.#room);
    this.#pieces.widen(this.#room);
  }

  change(change: FactChange): void {
    const { f, set = 0, clear = 0 } = change;
    const at = this.indexOf(f);
    if (at < 0) return;
    for (const name in change) {
      if (name === 'f' || name === 'set' || name === 'clear') continue;
      this.#byName.get(name as FactName)?.set(at, change[name as keyof FactChange], this.#count);
    }
    if (set !== 0 || clear !== 0) this.#marks.all[at] = (this.#marks.all[at]! | set) & ~clear;
  }

  /** -1 if there is no such frame. */
  indexOf(f: number): number {
    const place = this.#places.get(f);
    if (place !== undefined) return place;
    return f >= 1 && f <= this.#count && this.#f.all[f - 1] === f ? f - 1 : -1;
  }

  numbers(name: FactName): Float64Array {
    return (this.#byName.get(name) as NumberColumn).all.subarray(0, this.#count);
  }

  /** Of no frame, 0. */
  marksOf(f: number): number {
    const at = this.indexOf(f);
    return at < 0 ? 0 : this.#marks.all[at]!;
  }

  /** To be packed. */
  *parts(): Generator<[ColumnName, PackInput]> {
    for (const { name, column } of this.#columns) yield [name, column.parts(this.#count)];
    yield ['piece', this.#pieces.parts(this.#count)];
  }
}

/** There is room for so many frames at least. */
const MIN_CAPACITY = 256;

class NumberColumn {
  all = new Float64Array(0);

  widen(room: number): void {
    const wider = new Float64Array(room);
    wider.set(this.all);
    this.all = wider;
  }

  set(index: number, value: unknown): void {
    this.all[index] = value === null ? Number.NaN : (value as number);
  }

  parts(count: number): PackInput {
    return { parts: [Uint8Array.of(NUMBERS), this.all.subarray(0, count)], sized: false };
  }
}

/** Lists that are recognised at once. */
const MAX_KNOWN_LISTS = 1000;

class CodedColumn {
  #codes: Uint8Array | Uint16Array | Uint32Array = new Uint8Array(0);
  readonly #known = new Map<unknown, number>();
  readonly #values: unknown[] = [null];
  /** Many frames have the same value as the one before. */
  latest: unknown = null;
  #code = 0;
  /** The first frame with this value in a row. The codes from here on are not written yet. */
  #first = 0;

  widen(room: number): void {
    const wider = arrayFor(this.#values.length, room);
    wider.set(this.#codes);
    this.#codes = wider;
  }

  /** From this frame on, frames have another value. */
  begin(index: number, value: unknown): void {
    this.#write(index);
    this.latest = value;
    this.#code = this.#codeOf(value);
  }

  #write(end: number): void {
    // Null is there already.
    if (this.#code !== 0) for (let i = this.#first; i < end; i++) this.#codes[i] = this.#code;
    this.#first = end;
  }

  /** Of a frame that was added; `count`: how many were. */
  set(index: number, value: unknown, count: number): void {
    if (index >= this.#first) this.#write(count);
    const code = this.#codeOf(value);
    this.#codes[index] = code;
  }

  #codeOf(value: unknown): number {
    return value === null ? 0 : this.#find(value);
  }

  #find(value: unknown): number {
    // An id 1 is not "1".
    const same = this.#known.get(value);
    if (same !== undefined) return same;
    if (typeof value !== 'object') return this.#new(value, value);
    // Lists are compared by their words. Most are one of a few objects.
    const key = `\0${JSON.stringify(value)}`;
    const code = this.#known.get(key) ?? this.#new(value, key);
    if (this.#known.size < MAX_KNOWN_LISTS) this.#known.set(value, code);
    return code;
  }

  #new(value: unknown, key: unknown): number {
    const code = this.#values.push(value) - 1;
    this.#known.set(key, code);
    if (code > largestIn(this.#codes)) {
      const wider = arrayFor(this.#values.length, this.#codes.length);
      wider.set(this.#codes);
      this.#codes = wider;
    }
    return code;
  }

  parts(count: number): PackInput {
    this.#write(count);
    const values = new Bytes();
    values.whole(CODED);
    const texts = new TextEncoder().encode(JSON.stringify(this.#values, (_, value) => plainly(value)));
    values.whole(texts.length);
    values.add(texts);
    return { parts: [values.written, this.#codes.subarray(0, count)], sized: false };
  }
}

/** A bigint is an object, which no value of a fact is. */
function plainly(value: unknown): unknown {
  return typeof value === 'bigint' ? { digits: `${value}` } : value;
}

export function unpackColumn(packed: Uint8Array, count: number): ReadColumn {
  const reader = new ByteReader(packed);
  if (reader.whole() === NUMBERS) return { is: 'numbers', numbers: exactly(unpackNumbers(reader.rest()), count) };
  const values = JSON.parse(new TextDecoder().decode(reader.take(reader.whole())), (_, value) =>
    value !== null && typeof value === 'object' && typeof value.digits === 'string' ? BigInt(value.digits) : value,
  ) as unknown[];
  if (values.length <= BYTE + 1) return { is: 'coded', codes: exactly(reader.rest(), count), values };
  const codes = arrayFor(values.length, count);
  codes.set(exactly(unpackNumbers(reader.rest()), count));
  return { is: 'coded', codes, values };
}

/** What a column begins with. */
const NUMBERS = 0;
const CODED = 1;
const BYTE = 0xff;
const SHORT = 0xffff;

function largestIn(codes: Uint8Array | Uint16Array | Uint32Array): number {
  return codes.BYTES_PER_ELEMENT === 1 ? BYTE : codes.BYTES_PER_ELEMENT === 2 ? SHORT : 0xffffffff;
}

function arrayFor(values: number, length: number): Uint8Array | Uint16Array | Uint32Array {
  if (values - 1 <= BYTE) return new Uint8Array(length);
  return values - 1 <= SHORT ? new Uint16Array(length) : new Uint32Array(length);
}

function exactly<T extends { length: number }>(values: T, count: number): T {
  if (values.length !== count) throw new RangeError('the data is not as long as it should be');
  return values;
}
