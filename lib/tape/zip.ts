/**
 * Zip archives: one file for several. Written as a stream, with no time of day in it, so that the same files give the same
 * bytes. Read back with the sizes that the archive declares as limits. No zip64: no report comes near 4 GB.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createDeflateRaw, inflateRawSync } from 'node:zlib';

export interface ZipFile {
  /** As it is called in the archive: relative, with slashes. */
  name: string;
  content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
}

const LOCAL = 0x04034b50;
const DESCRIPTOR = 0x08074b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
/** Sizes come after the content; names are UTF-8. */
const FLAGS = 0x0808;
const DEFLATED = 8;
/** The first day that the format knows. */
const DAY = 0x0021;
const LARGEST = 0xffffffff;
const LONGEST_COMMENT = 0xffff;
/** More is not unpacked into memory. */
const MOST = 1 << 30;

interface Entry {
  name: Buffer;
  crc: number;
  packed: number;
  size: number;
  at: number;
}

/** The archive, in pieces. */
export async function* zip(files: Iterable<ZipFile>): AsyncGenerator<Buffer> {
  const entries: Entry[] = [];
  let at = 0;
  for (const { name, content } of files) {
    const entry: Entry = { name: Buffer.from(name), crc: 0, packed: 0, size: 0, at };
    entries.push(entry);
    const head = Buffer.concat([record(LOCAL, 30, 4, entry), entry.name]);
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
    if (at > LARGEST || entry.size > LARGEST) throw new RangeError(`${name} is too large for a zip archive`);
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

async function* deflated(content: ZipFile['content'], entry: Entry): AsyncGenerator<Buffer> {
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
function record(signature: number, length: number, at: number, { name }: Entry): Buffer {
  const head = Buffer.alloc(length);
  head.writeUInt32LE(signature, 0);
  head.writeUInt16LE(20, at);
  head.writeUInt16LE(FLAGS, at + 2);
  head.writeUInt16LE(DEFLATED, at + 4);
  head.writeUInt16LE(DAY, at + 8);
  head.writeUInt16LE(name.length, at + 22);
  return head;
}

function centralRecord(entry: Entry): Buffer {
  const head = record(CENTRAL, 46, 6, entry);
  head.writeUInt16LE(20, 4);
  writeSizes(head, 16, entry);
  head.writeUInt32LE(entry.at, 42);
  return head;
}

function writeSizes(into: Buffer, at: number, { crc, packed, size }: Entry): void {
  into.writeUInt32LE(crc, at);
  into.writeUInt32LE(packed, at + 4);
  into.writeUInt32LE(size, at + 8);
}

export class ZipError extends Error {}

/** What is in an archive. */
export class ZipReader {
  readonly #path: string;
  readonly #entries = new Map<string, Entry & { method: number }>();

  constructor(path: string) {
    this.#path = path;
    const fd = openSync(path, 'r');
    try {
      for (const entry of directoryOf(fd)) this.#entries.set(entry.name.toString(), entry);
    } finally {
      closeSync(fd);
    }
  }

  get names(): string[] {
    return [...this.#entries.keys()];
  }

  /** Unpacks a file; fails if it is not what the archive says it is. */
  extract(name: string): Buffer {
    const entry = this.#entries.get(name);
    if (!entry) throw new ZipError(`there is no ${name} in the archive`);
    if (entry.size > MOST || entry.packed > MOST)
      throw new ZipError(`${name} is too large to be read from the archive`);
    const fd = openSync(this.#path, 'r');
    try {
      const packed = bytesAt(fd, contentOf(fd, entry), entry.packed);
      const content = entry.method === DEFLATED ? inflated(packed, entry) : packed;
      if (content.length !== entry.size || crc32(content) !== entry.crc) throw new ZipError(`${name} is damaged`);
      return content;
    } finally {
      closeSync(fd);
    }
  }
}

function inflated(packed: Buffer, { name, size }: Entry): Buffer {
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, size) });
  } catch {
    throw new ZipError(`${name} is damaged, or larger than the archive says`);
  }
}

/** The entry has a head of its own, which may be longer than the one in the directory. */
function contentOf(fd: number, { at }: Entry): number {
  const head = bytesAt(fd, at, 30);
  if (head.readUInt32LE(0) !== LOCAL) throw new ZipError('the archive is damaged');
  return at + 30 + head.readUInt16LE(26) + head.readUInt16LE(28);
}

function* directoryOf(fd: number): Generator<Entry & { method: number }> {
  const { size } = fstatSync(fd);
  const tail = bytesAt(fd, Math.max(0, size - LONGEST_COMMENT - 22), Math.min(size, LONGEST_COMMENT + 22));
  const at = tail.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  if (at < 0 || at + 22 > tail.length) throw new ZipError('this is no zip archive, or its end is missing');
  const [count, length, start] = [tail.readUInt16LE(at + 10), tail.readUInt32LE(at + 12), tail.readUInt32LE(at + 16)];
  if (start + length > size) throw new ZipError('the archive is damaged');
  const directory = bytesAt(fd, start, length);
  let next = 0;
  for (let i = 0; i < count; i++) {
    if (next + 46 > directory.length || directory.readUInt32LE(next) !== CENTRAL)
      throw new ZipError('the archive is damaged');
    const end = next + 46 + directory.readUInt16LE(next + 28);
    yield {
      name: directory.subarray(next + 46, end),
      method: directory.readUInt16LE(next + 10),
      crc: directory.readUInt32LE(next + 16),
      packed: directory.readUInt32LE(next + 20),
      size: directory.readUInt32LE(next + 24),
      at: directory.readUInt32LE(next + 42),
    };
    next = end + directory.readUInt16LE(next + 30) + directory.readUInt16LE(next + 32);
  }
}

function bytesAt(fd: number, at: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let done = 0;
  while (done < length) {
    const read = readSync(fd, bytes, done, length - done, at + done);
    if (read === 0) throw new ZipError('the archive is cut off');
    done += read;
  }
  return bytes;
}
