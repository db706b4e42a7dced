/**
 * Unpacks DEFLATE (RFC 1951) and gzip piece by piece. Node unpacks in pieces only asynchronously, and tapes are read
 * synchronously. Whatever the data says, no more than a piece and the window are held.
 */
import { crc32 } from 'node:zlib';
import { BitReader } from './bit-reader.ts';
import { DamagedData, distanceCodes, type HuffmanCode, huffmanCode, literalCodes, readCodes } from './huffman.ts';

/** How far back a match may be. */
const WINDOW_BYTES = 1 << 15;
const BUFFER_BYTES = 1 << 18;
const MAX_MATCH_LENGTH = 258;
const END_OF_BLOCK = 256;

// A length or a distance is a base and some extra bits.
const LENGTHS = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195,
];
const LENGTH_BASES = [...LENGTHS, 227, MAX_MATCH_LENGTH];
const LENGTH_BITS = LENGTH_BASES.map((_, i) => (i < 8 || i === 28 ? 0 : (i >> 2) - 1));
const DISTANCE_BITS = Array.from({ length: 30 }, (_, i) => (i < 4 ? 0 : (i >> 1) - 1));
const DISTANCE_BASES = DISTANCE_BITS.map((bits, i) => (i < 4 ? i + 1 : (2 + (i & 1)) * 2 ** bits + 1));

const FIXED_LITERALS = huffmanCode(
  Uint8Array.from({ length: 288 }, (_, i) => (i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8)),
);
const FIXED_DISTANCES = huffmanCode(new Uint8Array(32).fill(5));

/** Each piece is valid until the next one. Throws `DamagedData`. What follows the data must be nothing. */
export function* inflate(blocks: Iterable<Uint8Array>): Generator<Buffer> {
  const input = new BitReader(blocks);
  yield* unpacked(input);
  if (!input.isOver) throw new DamagedData('something follows the end of the data');
}

/** The same for gzip: one member, whose checksum must be right. */
export function* gunzip(blocks: Iterable<Uint8Array>): Generator<Buffer> {
  const input = new BitReader(blocks);
  skipGzipHeader(input);
  let [sum, size] = [0, 0];
  for (const piece of unpacked(input)) {
    sum = crc32(piece, sum);
    size = (size + piece.length) >>> 0;
    yield piece;
  }
  input.toByte();
  if (input.word() !== sum || input.word() !== size) throw new DamagedData('the checksum is wrong');
  if (!input.isOver) throw new DamagedData('something follows the end of the data');
}

/** Flags of a gzip header. */
const [HEADER_SUM, EXTRA, NAME, COMMENT] = [2, 4, 8, 16];

function skipGzipHeader(input: BitReader): void {
  if (input.take(8) !== 0x1f || input.take(8) !== 0x8b || input.take(8) !== 8) throw new DamagedData('it is not gzip');
  const flags = input.take(8);
  for (let i = 0; i < 6; i++) input.take(8);
  if (flags & EXTRA) for (let left = input.take(16); left > 0; left--) input.take(8);
  for (const text of [NAME, COMMENT]) if (flags & text) while (input.take(8) !== 0) {}
  if (flags & HEADER_SUM) input.take(16);
}

function* unpacked(input: BitReader): Generator<Buffer> {
  const output = new InflateOutput();
  for (let isLast = false; !isLast; ) {
    isLast = input.take(1) === 1;
    const type = input.take(2);
    if (type === 3) throw new DamagedData('it has a block of an unknown type');
    if (type === 0) yield* stored(input, output);
    else {
      const codes = type === 1 ? null : readCodes(input);
      const literals = codes ? literalCodes(codes) : FIXED_LITERALS;
      const distances = codes ? distanceCodes(codes) : FIXED_DISTANCES;
      while (!decode(input, output, literals, distances)) yield output.flush();
    }
  }
  if (output.hasMore) yield output.flush();
}

function* stored(input: BitReader, output: InflateOutput): Generator<Buffer> {
  input.toByte();
  const length = input.take(16);
  if (input.take(16) !== (length ^ 0xffff)) throw new DamagedData('the two lengths of a stored block differ');
  for (let left = length; left > 0; left--) {
    if (output.isFull) yield output.flush();
    output.bytes[output.at++] = input.take(8);
  }
}

/** False if the output is full before the block ends. */
function decode(input: BitReader, output: InflateOutput, literals: HuffmanCode, distances: HuffmanCode): boolean {
  const { bytes } = output;
  while (!output.isFull) {
    const symbol = input.symbol(literals);
    if (symbol < END_OF_BLOCK) {
      bytes[output.at++] = symbol;
      continue;
    }
    if (symbol === END_OF_BLOCK) return true;
    const nth = symbol - END_OF_BLOCK - 1;
    const base = LENGTH_BASES[nth];
    if (base === undefined) throw new DamagedData('a length is invalid');
    const length = base + input.take(LENGTH_BITS[nth]!);
    const far = input.symbol(distances);
    const farBase = DISTANCE_BASES[far];
    if (farBase === undefined) throw new DamagedData('a distance is invalid');
    output.repeat(farBase + input.take(DISTANCE_BITS[far]!), length);
  }
  return false;
}

class InflateOutput {
  readonly bytes = Buffer.allocUnsafe(BUFFER_BYTES);
  at = 0;
  /** Bytes from here on were not given out yet. */
  #given = 0;

  /** There is no room for another match. */
  get isFull(): boolean {
    return this.at + MAX_MATCH_LENGTH > BUFFER_BYTES;
  }

  get hasMore(): boolean {
    return this.at > this.#given;
  }

  repeat(distance: number, length: number): void {
    const { bytes } = this;
    if (distance > this.at) throw new DamagedData('it refers to data before its beginning');
    const to = this.at + length;
    // A match may overlap what it makes.
    for (let from = this.at - distance; this.at < to; ) bytes[this.at++] = bytes[from++]!;
  }

  flush(): Buffer {
    // The window stays before what comes next; it moves only when there is no room behind it.
    if (this.#given > 0 && this.#given === this.at) return this.bytes.subarray(0, 0);
    const piece = Buffer.from(this.bytes.subarray(this.#given, this.at));
    const kept = Math.min(WINDOW_BYTES, this.at);
    this.bytes.copyWithin(0, this.at - kept, this.at);
    this.at = kept;
    this.#given = kept;
    return piece;
  }
}
