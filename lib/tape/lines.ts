/**
 * A line that is not complete yet. Lines are split on byte 0x0A only; until one is whole its pieces are kept as copies
 * while they are few bytes, and as places in the journal once they are many, so that a line of any length costs
 * next to no memory while it grows.
 */
interface Place {
  offset: number;
  length: number;
}

export type Piece = Uint8Array | Place;

const KEEP = 1 << 20;

export class PartialLine {
  #pieces: Piece[] = [];
  length = 0;
  /** When its first byte came. */
  t0 = 0;

  add(t: number, buf: Buffer, start: number, end: number, at: number): void {
    if (this.length === 0) this.t0 = t;
    const length = end - start;
    this.length += length;
    this.#pieces.push(this.length <= KEEP ? Buffer.from(buf.subarray(start, end)) : { offset: at, length });
  }

  /** Hands out the pieces and starts anew. */
  take(): Piece[] {
    const pieces = this.#pieces;
    this.#pieces = [];
    this.length = 0;
    return pieces;
  }
}
