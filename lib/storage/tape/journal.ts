/**
 * The journal: the raw traffic in the order it was seen, until the tape is complete. The recorder appends each chunk right
 * after forwarding it, with one write and no fsync, so that a killed recorder loses at most the current chunk. If a write
 * fails, the file is truncated to the last complete record, and the missing bytes are counted. A `gap` record reports them
 * when writing works again. Until then the count is in a reserved region at the start of the file, where it fits even if
 * the disk is full.
 *
 *   0     "wtjrnl1\n", then records that belong after all others (zeros if there are none)
 *   4096  records: magic u32, kind u8, 3 zeros, length u32, u32 zero, microseconds since the start f64, payload
 */
import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writeSync, writevSync } from 'node:fs';
import type { Stream } from '../../model/frame.ts';

export const RecordKind = {
  client: 1,
  agent: 2,
  stderr: 3,
  event: 4,
  clock: 5,
  gap: 6,
  metadata: 7,
  end: 8,
  line: 9,
  /** A part of an imported line that is too long for one record. An empty `line` record follows the parts. */
  part: 10,
} as const;
export type RecordKind = (typeof RecordKind)[keyof typeof RecordKind];

export const RECORD_MAGIC = 0x314a5457;
export const HEADER_BYTES = 24;
export const FIRST_RECORD = 4096;
export const SIGNATURE = Buffer.from('wtjrnl1\n');
export const STREAM_OF: Record<number, Stream> = { 1: 'client', 2: 'agent', 3: 'stderr' };

function writeHeader(header: Buffer, kind: RecordKind, length: number, t: number): void {
  header.writeUInt32LE(RECORD_MAGIC, 0);
  header.writeUInt32LE(kind, 4);
  header.writeUInt32LE(length, 8);
  header.writeUInt32LE(0, 12);
  header.writeDoubleLE(t, 16);
}

/** A record in the format of the journal. */
export function encodeRecord(kind: RecordKind, t: number, payload: Uint8Array): Buffer {
  const record = Buffer.alloc(HEADER_BYTES + payload.length);
  writeHeader(record, kind, payload.length, t);
  record.set(payload, HEADER_BYTES);
  return record;
}

/**
 * Appends to a journal. It never throws: `onError` is called once each time writing stops working. Only one process
 * appends at a time; the next one continues at the size where the first stopped.
 */
export class Journal {
  readonly fd: number;
  readonly #onError: (error: Error) => void;
  readonly #header = Buffer.alloc(HEADER_BYTES);
  #size: number;
  #failing = false;
  /** The region at the start cannot be written either. */
  #reservedFailed = false;
  /** The bytes of each stream that could not be written, and other records that wait. */
  #missing = new Map<Stream, number>();
  #waiting: Buffer[] = [];

  constructor(fd: number, size: number, onError: (error: Error) => void) {
    this.fd = fd;
    this.#size = size;
    this.#onError = onError;
  }

  static create(path: string, onError: (error: Error) => void): Journal {
    const fd = openSync(path, 'wx+', 0o600);
    const start = Buffer.alloc(FIRST_RECORD);
    start.set(SIGNATURE);
    writeSync(fd, start, 0, start.length, 0);
    return new Journal(fd, FIRST_RECORD, onError);
  }

  get size(): number {
    return this.#size;
  }

  get failing(): boolean {
    return this.#failing;
  }

  /** Continues after another process has appended: at `size`, or (null) after the last complete record. */
  resume(size: number | null): void {
    this.#size = size ?? wholeRecordsEnd(this.fd, this.#size);
  }

  /** Records that could not be written to this file at all; null if there are none. */
  get unwritten(): Buffer | null {
    return this.#failing && this.#reservedFailed ? this.#pendingRecords(0) : null;
  }

  append(kind: RecordKind, t: number, payload: Uint8Array): void {
    if (this.#failing && !this.#catchUp(t)) return this.#countMissing(kind, t, payload);
    writeHeader(this.#header, kind, payload.length, t);
    if (!this.#write([this.#header, payload], HEADER_BYTES + payload.length)) this.#countMissing(kind, t, payload);
  }

  /** Appends encoded records, in one write if possible. */
  appendEncoded(records: Buffer): void {
    if (!this.#failing && this.#write([records], records.length)) return;
    parseRecords(records, records.length, 0, (kind, t, buf, start, end) =>
      this.append(kind, t, buf.subarray(start, end)),
    );
  }

  /** Writes the signature again, to measure how long a write takes. */
  touch(): void {
    try {
      writeSync(this.fd, SIGNATURE, 0, SIGNATURE.length, 0);
    } catch {
      // The next append reports it.
    }
  }

  close(): void {
    closeSync(this.fd);
  }

  #write(parts: Uint8Array[], length: number): boolean {
    try {
      let written = writevSync(this.fd, parts, this.#size);
      if (written < length) {
        const whole = Buffer.concat(parts);
        while (written < length) written += writeSync(this.fd, whole, written, undefined, this.#size + written);
      }
      this.#size += length;
      return true;
    } catch (error) {
      try {
        ftruncateSync(this.fd, this.#size);
      } catch {
        // The next write overwrites the incomplete record.
      }
      if (!this.#failing) {
        this.#failing = true;
        this.#onError(error as Error);
      }
      return false;
    }
  }

  #countMissing(kind: RecordKind, t: number, payload: Uint8Array): void {
    const stream = STREAM_OF[kind];
    if (stream) this.#missing.set(stream, (this.#missing.get(stream) ?? 0) + payload.length);
    else if (kind !== RecordKind.clock) this.#waiting.push(encodeRecord(kind, t, payload));
    this.#writeReserved(this.#pendingRecords(t));
  }

  /** `gap` records for the missing bytes, followed by the records that wait. */
  #pendingRecords(t: number): Buffer {
    const gaps = [...this.#missing].map(([stream, missing]) =>
      encodeRecord(RecordKind.gap, t, Buffer.from(JSON.stringify({ stream, missing }))),
    );
    return Buffer.concat([...gaps, ...this.#waiting]);
  }

  #catchUp(t: number): boolean {
    const pending = this.#pendingRecords(t);
    if (!this.#write([pending], pending.length)) return false;
    this.#missing.clear();
    this.#waiting = [];
    this.#failing = false;
    this.#writeReserved(Buffer.alloc(0));
    return true;
  }

  /** Writes records to the region at the start. Records that do not fit are dropped. */
  #writeReserved(records: Buffer): void {
    const region = Buffer.alloc(FIRST_RECORD - SIGNATURE.length);
    records.copy(region, 0, 0, Math.min(records.length, region.length));
    try {
      writeSync(this.fd, region, 0, region.length, SIGNATURE.length);
      this.#reservedFailed = false;
    } catch {
      this.#reservedFailed = true;
    }
  }
}

function wholeRecordsEnd(fd: number, from: number): number {
  const header = Buffer.alloc(HEADER_BYTES);
  const { size } = fstatSync(fd);
  for (let at = from; ; ) {
    if (readSync(fd, header, 0, HEADER_BYTES, at) < HEADER_BYTES || header.readUInt32LE(0) !== RECORD_MAGIC) return at;
    const end = at + HEADER_BYTES + header.readUInt32LE(8);
    if (end > size) return at;
    at = end;
  }
}

/** Receives one record: its payload is in `buf` from `start` to `end`, and in the file at `at`. */
export type TakeRecord = (kind: RecordKind, t: number, buf: Buffer, start: number, end: number, at: number) => void;

/** Calls `take` with every complete record of a buffer, and returns their size in bytes. */
export function parseRecords(buf: Buffer, have: number, position: number, take: TakeRecord): number {
  let i = 0;
  while (i + HEADER_BYTES <= have && buf.readUInt32LE(i) === RECORD_MAGIC) {
    const end = i + HEADER_BYTES + buf.readUInt32LE(i + 8);
    if (end > have) break;
    take(buf[i + 4] as RecordKind, buf.readDoubleLE(i + 16), buf, i + HEADER_BYTES, end, position + i + HEADER_BYTES);
    i = end;
  }
  return i;
}
