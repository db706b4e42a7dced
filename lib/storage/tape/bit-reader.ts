/** Bits of packed data, the lowest first, from blocks that are read when they are needed. */
import { DamagedData, type HuffmanCode } from './huffman.ts';

const NO_BYTES = new Uint8Array(0);

export class BitReader {
  readonly #blocks: Iterator<Uint8Array>;
  #block: Uint8Array = NO_BYTES;
  #at = 0;
  /** Bits that were read and not taken. */
  #bits = 0;
  #count = 0;
  /** How many of these are behind the end: a code may be shorter than what is looked at. */
  #beyond = 0;

  constructor(blocks: Iterable<Uint8Array>) {
    this.#blocks = blocks[Symbol.iterator]();
  }

  /** At most 16. */
  take(count: number): number {
    if (this.#count < count) this.#fill(count);
    const value = this.#bits & ((1 << count) - 1);
    this.#drop(count);
    return value;
  }

  symbol({ table, longest }: HuffmanCode): number {
    if (this.#count < longest) this.#fill(longest);
    const entry = table[this.#bits & ((1 << longest) - 1)]!;
    if (entry === 0) throw new DamagedData('a code is invalid');
    this.#drop(entry & 15);
    return entry >> 4;
  }

  /** Skips the rest of a byte. */
  toByte(): void {
    this.#drop(this.#count & 7);
  }

  /** 32 bits. */
  word(): number {
    return (this.take(16) | (this.take(16) << 16)) >>> 0;
  }

  /** Whether nothing is left but the rest of a byte. */
  get isOver(): boolean {
    if (this.#count - this.#beyond >= 8) return false;
    return this.#byte() < 0;
  }

  #fill(count: number): void {
    while (this.#count < count) {
      const byte = this.#byte();
      if (byte < 0) this.#beyond += 8;
      else this.#bits |= byte << this.#count;
      this.#count += 8;
    }
  }

  #drop(count: number): void {
    this.#bits >>>= count;
    this.#count -= count;
    if (this.#count < this.#beyond) throw new DamagedData('it is cut off');
  }

  /** -1 at the end. */
  #byte(): number {
    while (this.#at === this.#block.length) {
      const { done, value } = this.#blocks.next();
      if (done) return -1;
      this.#block = value;
      this.#at = 0;
    }
    return this.#block[this.#at++]!;
  }
}
