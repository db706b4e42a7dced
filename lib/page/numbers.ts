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
    if (this.#length + 8 > this.#bytes.length) this.#reserve(8);
    let rest = value;
    for (; rest > 0x7fffffff; rest = Math.floor(rest / 0x80)) this.#bytes[this.#length++] = (rest % 0x80) | 0x80;
    // Shifting bits is faster, where there are no more than 31.
    let bits = rest | 0;
    for (; bits > 0x7f; bits >>= 7) this.#bytes[this.#length++] = (bits & 0x7f) | 0x80;
    this.#bytes[this.#length++] = bits;
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const wider = new Uint8Array(Math.max(2 * this.#bytes.length, this.#length + count));
    wider.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = wider;
  }
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
      if (byte === undefined || scale > MOST) throw new RangeError('the data is not what it should be');
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  }
}

const MOST = 2 ** 49;

/** How numbers are stored. */
const WHOLE = 0;
const MICROS = 1;
const FLOAT = 2;
/** Larger differences would not be exact. */
const LARGEST = 2 ** 51;

export function packNumbers(numbers: ArrayLike<number>): Uint8Array {
  // Always the same type, so that the loops are compiled once.
  const values = numbers instanceof Float64Array ? numbers : new Float64Array(numbers);
  const bytes = new Bytes();
  const form = formOf(values);
  bytes.whole(form);
  bytes.whole(values.length);
  if (form === FLOAT) {
    const view = new DataView(new ArrayBuffer(8 * values.length));
    for (let i = 0; i < values.length; i++) view.setFloat64(8 * i, values[i]!, true);
    bytes.add(new Uint8Array(view.buffer));
    return bytes.written;
  }
  const scale = form === MICROS ? 1e6 : 1;
  let before = 0;
  for (let i = 0; i < values.length; i++) {
    const value = Math.round(values[i]! * scale);
    // NaN, as most numbers of some columns are.
    if (Number.isNaN(value)) bytes.whole(0);
    else {
      const more = value - before;
      bytes.whole(more >= 0 ? 2 * more + 1 : -2 * more);
      before = value;
    }
  }
  return bytes.written;
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

function formOf(values: Float64Array): number {
  let form = WHOLE;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (Number.isNaN(value)) continue;
    if (value === 0 && 1 / value < 0) return FLOAT;
    if (form === WHOLE && !Number.isInteger(value)) form = MICROS;
    if (form === MICROS && Math.round(value * 1e6) / 1e6 !== value) return FLOAT;
    if (Math.abs(value) * (form === MICROS ? 1e6 : 1) > LARGEST) return FLOAT;
  }
  return form;
}
