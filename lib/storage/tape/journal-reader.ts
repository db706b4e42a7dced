/** Reads journals, and lines that are stored there in pieces. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import {
  FIRST_RECORD,
  HEADER_BYTES,
  parseRecords,
  RECORD_MAGIC,
  RecordKind,
  SIGNATURE,
  STREAM_OF,
  type TakeRecord,
} from './journal.ts';
import { readExactly } from './long-line.ts';

const BLOCK_BYTES = 1 << 20;
/** Only records of a stream, and parts of a line, may be longer: they are read in pieces. Others are a few megabytes. */
const MAX_RECORD_BYTES = 64 << 20;

/** Follows a journal that may still grow. Records are read when they are complete. */
export class JournalReader {
  readonly #fd: number;
  readonly #isOurs: boolean;
  readonly #buf = Buffer.allocUnsafe(BLOCK_BYTES);
  #position = FIRST_RECORD;
  /** The rest of a stream record that is longer than a block, which is read in pieces. */
  #longRecord: { kind: RecordKind; t: number; left: number } | null = null;

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
    if (this.#longRecord) return this.#readPiece(this.#longRecord, take);
    const have = this.#read(this.#buf.length);
    const used = parseRecords(this.#buf, have, this.#position, take);
    this.#position += used;
    if (used > 0) return true;
    return have === this.#buf.length && this.#buf.readUInt32LE(0) === RECORD_MAGIC && this.#readLong(take);
  }

  /** Reads an incomplete last record of a dead recorder: a part of a chunk that it had forwarded. */
  readRemains(take: TakeRecord): void {
    const have = this.#read(HEADER_BYTES);
    const left = this.#sizeNow() - this.#position - HEADER_BYTES;
    const header = this.#buf;
    if (have < HEADER_BYTES || left <= 0 || header.readUInt32LE(0) !== RECORD_MAGIC || !(header[4]! in STREAM_OF))
      return;
    this.#longRecord = { kind: header[4] as RecordKind, t: header.readDoubleLE(16), left };
    this.#position += HEADER_BYTES;
    while (this.#longRecord && this.#readPiece(this.#longRecord, take)) {}
  }

  /** Reads a record larger than the block, whose header is in the buffer. */
  #readLong(take: TakeRecord): boolean {
    const kind = this.#buf[4] as RecordKind;
    const t = this.#buf.readDoubleLE(16);
    const length = this.#buf.readUInt32LE(8);
    if (this.#sizeNow() - this.#position - HEADER_BYTES < length) return false;
    this.#position += HEADER_BYTES;
    if (kind in STREAM_OF || kind === RecordKind.part) {
      this.#longRecord = { kind, t, left: length };
      return this.#readPiece(this.#longRecord, take);
    }
    if (length <= MAX_RECORD_BYTES) {
      const payload = Buffer.allocUnsafe(length);
      this.readBack(this.#position, payload);
      take(kind, t, payload, 0, length, this.#position);
    }
    this.#position += length;
    return true;
  }

  #readPiece(longRecord: { kind: RecordKind; t: number; left: number }, take: TakeRecord): boolean {
    const have = this.#read(Math.min(longRecord.left, this.#buf.length));
    if (have === 0) return false;
    take(longRecord.kind, longRecord.t, this.#buf, 0, have, this.#position);
    this.#position += have;
    longRecord.left -= have;
    if (longRecord.left === 0) this.#longRecord = null;
    return true;
  }

  #read(atMost: number): number {
    return readSync(this.#fd, this.#buf, 0, atMost, this.#position);
  }

  /** Reads the records at the start of the file, which belong after all others. */
  readKeptAside(take: TakeRecord): void {
    const region = Buffer.alloc(FIRST_RECORD);
    const have = readSync(this.#fd, region, 0, FIRST_RECORD, 0);
    parseRecords(region.subarray(SIGNATURE.length), have - SIGNATURE.length, SIGNATURE.length, take);
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

const READ_BACK_BYTES = 1 << 18;

/**
 * The payloads of one kind, in pieces, each valid until the next one: `inRecord` bytes of the current record from `at` on,
 * then those of the following records, up to the offset `to`.
 */
export function* payloadsIn(
  kind: RecordKind,
  at: number,
  inRecord: number,
  to: number,
  readBack: ReadBack,
): Generator<Buffer> {
  const block = Buffer.allocUnsafe(Math.min(READ_BACK_BYTES, to - at));
  let left = inRecord;
  let isWanted = true;
  for (let position = at; position < to; ) {
    const have = Math.min(block.length, to - position);
    readBack(position, block.subarray(0, have));
    let i = 0;
    while (i < have) {
      if (left === 0) {
        if (i + HEADER_BYTES > have) break;
        isWanted = block[i + 4] === kind;
        left = block.readUInt32LE(i + 8);
        i += HEADER_BYTES;
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
