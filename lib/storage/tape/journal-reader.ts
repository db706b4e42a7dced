/** Reads journals, and lines that are stored there in pieces. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { FIRST_RECORD, HEADER, Kind, MAGIC, parse, SIGNATURE, STREAM_OF, type TakeRecord } from './journal.ts';
import { readExactly } from './long-line.ts';

const BLOCK = 1 << 20;
/** Only records of a stream, and parts of a line, may be longer: they are read in pieces. Others are a few megabytes. */
const LONGEST_RECORD = 64 << 20;

/** Follows a journal that may still grow. Records are read when they are complete. */
export class JournalReader {
  readonly #fd: number;
  readonly #isOurs: boolean;
  readonly #buf = Buffer.allocUnsafe(BLOCK);
  #position = FIRST_RECORD;
  /** The rest of a stream record that is longer than a block, which is read in pieces. */
  #begun: { kind: Kind; t: number; left: number } | null = null;

  /** Takes a path, or a descriptor, which stays open. */
  constructor(file: string | number) {
    this.#isOurs = typeof file === 'string';
    this.#fd = typeof file === 'string' ? openSync(file, 'r') : file;
  }

  close(): void {
    if (this.#isOurs) closeSync(this.#fd);
  }

  /** Reads the records of one block; false if there is none. */
  readBlock(take: TakeRecord): boolean {
    if (this.#begun) return this.#readPiece(this.#begun, take);
    const have = this.#read(this.#buf.length);
    const used = parse(this.#buf, have, this.#position, take);
    this.#position += used;
    if (used > 0) return true;
    return have === this.#buf.length && this.#buf.readUInt32LE(0) === MAGIC && this.#readLong(take);
  }

  /** Reads an incomplete last record of a dead recorder: a part of a chunk that it had forwarded. */
  readRemains(take: TakeRecord): void {
    const have = this.#read(HEADER);
    const left = this.#sizeNow() - this.#position - HEADER;
    const header = this.#buf;
    if (have < HEADER || left <= 0 || header.readUInt32LE(0) !== MAGIC || !(header[4]! in STREAM_OF)) return;
    this.#begun = { kind: header[4] as Kind, t: header.readDoubleLE(16), left };
    this.#position += HEADER;
    while (this.#begun && this.#readPiece(this.#begun, take)) {}
  }

  /** Reads a record larger than the block, whose header is in the buffer. */
  #readLong(take: TakeRecord): boolean {
    const kind = this.#buf[4] as Kind;
    const t = this.#buf.readDoubleLE(16);
    const length = this.#buf.readUInt32LE(8);
    if (this.#sizeNow() - this.#position - HEADER < length) return false;
    this.#position += HEADER;
    if (kind in STREAM_OF || kind === Kind.part) {
      this.#begun = { kind, t, left: length };
      return this.#readPiece(this.#begun, take);
    }
    if (length <= LONGEST_RECORD) {
      const payload = Buffer.allocUnsafe(length);
      this.readBack(this.#position, payload);
      take(kind, t, payload, 0, length, this.#position);
    }
    this.#position += length;
    return true;
  }

  #readPiece(begun: { kind: Kind; t: number; left: number }, take: TakeRecord): boolean {
    const have = this.#read(Math.min(begun.left, this.#buf.length));
    if (have === 0) return false;
    take(begun.kind, begun.t, this.#buf, 0, have, this.#position);
    this.#position += have;
    begun.left -= have;
    if (begun.left === 0) this.#begun = null;
    return true;
  }

  #read(atMost: number): number {
    return readSync(this.#fd, this.#buf, 0, atMost, this.#position);
  }

  /** Reads the records at the start of the file, which belong after all others. */
  readKeptAside(take: TakeRecord): void {
    const region = Buffer.alloc(FIRST_RECORD);
    const have = readSync(this.#fd, region, 0, FIRST_RECORD, 0);
    parse(region.subarray(SIGNATURE.length), have - SIGNATURE.length, SIGNATURE.length, take);
  }

  /** Reads bytes of the file, for a line that is too long to hold in memory. */
  readBack(at: number, into: Buffer): void {
    readExactly(this.#fd, into, 0, into.length, at);
  }

  #sizeNow(): number {
    return fstatSync(this.#fd).size;
  }
}

export type ReadBack = (at: number, into: Buffer) => void;

const LOOK_BACK = 1 << 18;

/**
 * The payloads of one kind, in pieces, each valid until the next one: `inRecord` bytes of the current record from `at` on,
 * then those of the following records, up to the offset `to`.
 */
export function* payloadsIn(
  kind: Kind,
  at: number,
  inRecord: number,
  to: number,
  readBack: ReadBack,
): Generator<Buffer> {
  const block = Buffer.allocUnsafe(Math.min(LOOK_BACK, to - at));
  let left = inRecord;
  let isWanted = true;
  for (let position = at; position < to; ) {
    const have = Math.min(block.length, to - position);
    readBack(position, block.subarray(0, have));
    let i = 0;
    while (i < have) {
      if (left === 0) {
        if (i + HEADER > have) break;
        isWanted = block[i + 4] === kind;
        left = block.readUInt32LE(i + 8);
        i += HEADER;
      }
      const end = Math.min(have, i + left);
      if (isWanted && end > i) yield block.subarray(i, end);
      left -= end - i;
      i = end;
    }
    if (i === 0) throw new Error('the journal has changed');
    position += i;
  }
}
