/**
 * A sketch of a block of text: one bit, out of 16384, for each three bytes that follow one another in it. A block whose
 * sketch lacks a bit of a term does not contain the term, so it need not be read. It takes 2 kB for a block of 64 kB.
 */
const SKETCH_BITS = 14;

function bitOf(threeBytes: number): number {
  return Math.imul(threeBytes, 0x9e3779b1) >>> (32 - SKETCH_BITS);
}

export function sketchOf(text: Uint8Array): Buffer {
  const sketch = Buffer.alloc(1 << (SKETCH_BITS - 3));
  let three = (text[0]! << 8) | text[1]!;
  for (let i = 2; i < text.length; i++) {
    three = ((three << 8) | text[i]!) & 0xffffff;
    const bit = bitOf(three);
    sketch[bit >> 3]! |= 1 << (bit & 7);
  }
  return sketch;
}

/** The bits of a term; none if it is shorter than three bytes, so that every block may contain it. */
export function bitsOf(term: Uint8Array): number[] {
  const bits: number[] = [];
  for (let i = 2; i < term.length; i++) bits.push(bitOf((term[i - 2]! << 16) | (term[i - 1]! << 8) | term[i]!));
  return bits;
}

export function mayContain(sketch: Uint8Array, bits: readonly number[]): boolean {
  for (const bit of bits) if (!(sketch[bit >> 3]! & (1 << (bit & 7)))) return false;
  return true;
}
