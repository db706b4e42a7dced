/**
 * Zip archives: one file for several. Written as a stream, with no time of day in it, so that the same files give the same
 * bytes. No zip64: no report comes near 4 GB. `zip-reader.ts` reads it.
 */
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createDeflateRaw } from 'node:zlib';

export interface ZipFile {
  /** As it is called in the archive: relative, with slashes. */
  name: string;
  content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
}

export const LOCAL = 0x04034b50;
const DESCRIPTOR = 0x08074b50;
export const CENTRAL = 0x02014b50;
export const END = 0x06054b50;
/** Sizes come after the content; names are UTF-8. */
const FLAGS = 0x0808;
export const DEFLATED = 8;
/** The first day that the format knows. */
const FIRST_DAY = 0x0021;
const MAX_SIZE = 0xffffffff;

interface ZipEntry {
  name: Buffer;
  crc: number;
  packed: number;
  size: number;
  at: number;
}

/** The archive, in pieces. */
export async function* zip(files: Iterable<ZipFile>): AsyncGenerator<Buffer> {
  const entries: ZipEntry[] = [];
  let at = 0;
  for (const { name, content } of files) {
    const entry: ZipEntry = { name: Buffer.from(name), crc: 0, packed: 0, size: 0, at };
    entries.push(entry);
    const head = Buffer.concat([entryHead(LOCAL, 30, 4, entry), entry.name]);
    yield head;
    for await (const piece of deflated(content, entry)) {
      entry.packed += piece.length;
      yield piece;
    }
    const tail = Buffer.alloc(16);
    tail.writeUInt32LE(DESCRIPTOR, 0);
    writeSizes(tail, 4, entry);
    yield tail;
    at += head.length + entry.packed + tail.length;
    if (at > MAX_SIZE || entry.size > MAX_SIZE) throw new RangeError(`${name} is too large for a zip archive`);
  }
  const directory = Buffer.concat(entries.flatMap((entry) => [centralRecord(entry), entry.name]));
  yield directory;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(END, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(at, 16);
  yield end;
}

async function* deflated(content: ZipFile['content'], entry: ZipEntry): AsyncGenerator<Buffer> {
  const deflate = createDeflateRaw();
  async function* measured() {
    for await (const piece of content) {
      entry.crc = crc32(piece, entry.crc);
      entry.size += piece.length;
      yield piece;
    }
  }
  const done = pipeline(measured, deflate);
  for await (const piece of deflate as Readable) yield piece as Buffer;
  await done;
}

/** The head of an entry: in both places the same, but for where it begins. */
function entryHead(signature: number, length: number, at: number, { name }: ZipEntry): Buffer {
  const head = Buffer.alloc(length);
  head.writeUInt32LE(signature, 0);
  head.writeUInt16LE(20, at);
  head.writeUInt16LE(FLAGS, at + 2);
  head.writeUInt16LE(DEFLATED, at + 4);
  head.writeUInt16LE(FIRST_DAY, at + 8);
  head.writeUInt16LE(name.length, at + 22);
  return head;
}

function centralRecord(entry: ZipEntry): Buffer {
  const head = entryHead(CENTRAL, 46, 6, entry);
  head.writeUInt16LE(20, 4);
  writeSizes(head, 16, entry);
  head.writeUInt32LE(entry.at, 42);
  return head;
}

function writeSizes(into: Buffer, at: number, { crc, packed, size }: ZipEntry): void {
  into.writeUInt32LE(crc, at);
  into.writeUInt32LE(packed, at + 4);
  into.writeUInt32LE(size, at + 8);
}
