/**
 * Numbers as few bytes: whole numbers as differences, each in as many bytes as it needs, and seconds as microseconds.
 * What is neither is stored as it is. NaN stands for null and survives.
 */

/** Numbers that are added one by one and changed later. */
export class Numbers {
  #values = new Float64Array(256);
  length = 0;

  push(value: number): void {
    if (this.length === this.#values.length) {
      const wider = new Float64Array(2 * this.length);
      wider.set(this.#values);
      this.#values = wider;
    }
    this.#values[this.length++] = value;
  }

  at(index: number): number {
    return this.#values[index]!;
  }

  set(index: number, value: number): void {
    this.#values[index] = value;
  }

  get values(): Float64Array {
    return this.#values.subarray(0, this.length);
  }
}

/** Bytes that are added one by one. */
export class Bytes {
  #bytes = new Uint8Array(256);
  #length = 0;

  get written(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  add(more: Uint8Array): void {
    this.#reserve(more.length);
    this.#bytes.set(more, this.#length);
    this.#length += more.length;
  }

  /** A number of at least 0, seven bits to a byte, the lowest first. */
  whole(value: number): void {
    this.#reserve(8);
    let rest = value;
    for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) this.#bytes[this.#length++] = (rest % 0x80) | 0x80;
    this.#bytes[this.#length++] = rest;
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const wider = new Uint8Array(Math.max(2 * this.#bytes.length, this.#length + count));
    wider.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = wider;
  }
}

/** Bytes as they are, and other numbers packed, one behind the other; `sized`: each behind its length. */
export interface PackInput {
  parts: readonly (Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array)[];
  sized: boolean;
}

export function packParts({ parts, sized }: PackInput): Uint8Array {
  const bytes = new Bytes();
  for (const part of parts) {
    const packed = part instanceof Uint8Array ? part : packNumbers(part);
    if (sized) bytes.whole(packed.length);
    bytes.add(packed);
  }
  return bytes.written;
}

/** Reads them in the same order. Throws if there are not as many as are asked for. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  take(count: number): Uint8Array {
    if (this.#at + count > this.#bytes.length) throw new RangeError('the data ends too early');
    this.#at += count;
    return this.#bytes.subarray(this.#at - count, this.#at);
  }

  rest(): Uint8Array {
    return this.#bytes.subarray(this.#at);
  }

  whole(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 0x80) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined || scale > MAX_SCALE) throw new RangeError('the data is not what it should be');
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  }
}

const MAX_SCALE = 2 ** 49;

/** How numbers are stored. */
const WHOLE = 0;
const MICROS = 1;
const FLOAT = 2;
/** Larger differences would not be exact. */
const MAX_EXACT_DIFFERENCE = 2 ** 51;

export function packNumbers(numbers: ArrayLike<number>): Uint8Array {
  // Always the same type, so that the loops are compiled once.
  const values = numbers instanceof Float64Array ? numbers : new Float64Array(numbers);
  const count = new Bytes();
  count.whole(values.length);
  const first = 1 + count.written.length;
  const bytes = new Uint8Array(first + MAX_NUMBER_BYTES * values.length);
  bytes.set(count.written, 1);
  for (const form of [WHOLE, MICROS]) {
    const end = writeDifferences(values, form === MICROS ? 1e6 : 1, bytes, first);
    bytes[0] = form;
    if (end >= first) return bytes.subarray(0, end);
  }
  const view = new DataView(bytes.buffer, first);
  for (let i = 0; i < values.length; i++) view.setFloat64(8 * i, values[i]!, true);
  bytes[0] = FLOAT;
  return bytes;
}

/** A number has no more bytes than this. */
const MAX_NUMBER_BYTES = 8;

/**
 * Writes how much each number is more than the one before it, as `whole` does, but all in one loop, for millions of them.
 * Returns where they end; -1 if one would not come back as it is. Each path through the loop does the same things, because V8
 * compiles it anew for what it has not seen.
 */
function writeDifferences(values: Float64Array, scale: number, bytes: Uint8Array, first: number): number {
  let at = first;
  let before = 0;
  let latest = 0;
  for (let i = 0; i < values.length; i++) {
    const number = values[i]!;
    // NaN is 0, and the same number again, as many are, is 1.
    let rest = 0;
    if (Object.is(number, latest)) rest = 1;
    else if (!Number.isNaN(number)) {
      const value = Math.round(number * scale);
      if (value / scale !== number || Math.abs(value) > MAX_EXACT_DIFFERENCE || Object.is(number, -0)) return -1;
      const more = value - before;
      before = value;
      latest = number;
      rest = 2 * Math.abs(more) + (more >= 0 ? 1 : 0);
    }
    for (; rest > 0x7fffffff; rest = Math.floor(rest / 0x80)) bytes[at++] = (rest % 0x80) | 0x80;
    // Shifting bits is faster, where there are no more than 31.
    let bits = rest | 0;
    for (; bits > 0x7f; bits >>= 7) bytes[at++] = (bits & 0x7f) | 0x80;
    bytes[at++] = bits;
  }
  return at;
}

export function unpackNumbers(packed: Uint8Array): Float64Array {
  const reader = new ByteReader(packed);
  const form = reader.whole();
  const count = reader.whole();
  // A byte a number is the least.
  if (count > packed.length) throw new RangeError('the data is not what it should be');
  const values = new Float64Array(count);
  if (form === FLOAT) {
    const raw = reader.take(8 * count);
    const view = new DataView(raw.buffer, raw.byteOffset, raw.byteLength);
    for (let i = 0; i < count; i++) values[i] = view.getFloat64(8 * i, true);
    return values;
  }
  let before = 0;
  for (let i = 0; i < count; i++) {
    const word = reader.whole();
    if (word === 0) values[i] = Number.NaN;
    else {
      before += word % 2 === 1 ? (word - 1) / 2 : -word / 2;
      values[i] = form === MICROS ? before / 1e6 : before;
    }
  }
  return values;
}
