/**
 * Reads zip archives, which may come from anybody: what is ambiguous, forged or of no use for a report is refused by name.
 * Nothing is unpacked beyond the size that the archive declares, and never more than a piece at a time.
 */
import { closeSync, fstatSync, openSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { visible } from '../../model/text/text.ts';
import { blocksAt, bytesAt, FileTooShort } from './file-part.ts';
import { DamagedData } from './huffman.ts';
import { inflate } from './inflate.ts';
import { UnreadableTape } from './unreadable.ts';
import { CENTRAL, DEFLATED, END, LOCAL } from './zip.ts';

const END_LENGTH = 22;
const CENTRAL_LENGTH = 46;
const LOCAL_LENGTH = 30;
const MAX_COMMENT_BYTES = 0xffff;
/** A report has four. */
const MAX_FILES = 1000;
const MAX_DIRECTORY_BYTES = 1 << 20;
/** In place of a number that zip64 has elsewhere. */
const [ELSEWHERE_16, ELSEWHERE_32] = [0xffff, 0xffffffff];
const STORED = 0;
/** Flags: encrypted, encrypted in a stronger way, and with a masked directory. */
const ENCRYPTED = 0x0001 | 0x0040 | 0x2000;
const UNIX = 3;
/** Kinds of files, and the one that is a link. */
const [KINDS, LINK] = [0o170000, 0o120000];

interface ZipDirectoryEntry {
  name: Buffer;
  flags: number;
  method: number;
  crc: number;
  packed: number;
  size: number;
  at: number;
  isLink: boolean;
}

/** What is in an archive. */
export class ZipReader {
  readonly #path: string;
  readonly #entries = new Map<string, ZipDirectoryEntry>();
  /** Where the files end and the directory begins. */
  readonly #end: number;

  /** Throws `UnreadableTape`. */
  constructor(path: string) {
    this.#path = path;
    const fd = openSync(path, 'r');
    try {
      const directory = findDirectory(fd);
      this.#end = directory.start;
      for (const entry of entriesOf(fd, directory)) {
        const name = entry.name.toString();
        if (this.#entries.has(name)) throw refused(`it has two files called ${shownName(name)}`);
        this.#entries.set(name, entry);
      }
    } catch (error) {
      throw error instanceof FileTooShort ? cutOffArchive() : error;
    } finally {
      closeSync(fd);
    }
    this.#refuseOverlaps();
  }

  get names(): string[] {
    return [...this.#entries.keys()];
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** As the archive declares it; `pieces` fails if that is not true. */
  sizeOf(name: string): number {
    return this.#entryOf(name).size;
  }

  /** Unpacks a file; each piece is valid until the next one. */
  *pieces(name: string): Generator<Buffer> {
    const entry = this.#entryOf(name);
    refuseStrange(name, entry);
    const fd = openSync(this.#path, 'r');
    let [sum, size] = [0, 0];
    try {
      const packed = blocksAt(fd, contentOf(fd, entry, name), entry.packed);
      for (const piece of entry.method === DEFLATED ? inflate(packed) : packed) {
        size += piece.length;
        if (size > entry.size) throw refused(`${name} is larger than the archive says`);
        sum = crc32(piece, sum);
        yield piece;
      }
    } catch (error) {
      if (error instanceof FileTooShort) throw cutOffArchive();
      if (error instanceof DamagedData) throw damaged(`${name} cannot be unpacked: ${error.message}`);
      throw error;
    } finally {
      closeSync(fd);
    }
    if (size < entry.size) throw damaged(`${name} is smaller than the archive says`);
    if (sum !== entry.crc) throw damaged(`${name} is damaged: its checksum is wrong`);
  }

  #entryOf(name: string): ZipDirectoryEntry {
    const entry = this.#entries.get(name);
    if (!entry) throw refused(`there is no ${name} in the archive`);
    return entry;
  }

  /** Two files in the same bytes are how archives claim to hold more than any disk does. */
  #refuseOverlaps(): void {
    const entries = [...this.#entries.values()].sort((a, b) => a.at - b.at);
    for (const [i, { at, name, packed }] of entries.entries()) {
      if (at + LOCAL_LENGTH + name.length + packed > (entries[i + 1]?.at ?? this.#end))
        throw refused(`${shownName(name.toString())} overlaps what follows it`);
    }
  }
}

function refuseStrange(name: string, { flags, method, packed, size, at, isLink }: ZipDirectoryEntry): void {
  if (flags & ENCRYPTED) throw refused(`${name} is encrypted`);
  if (method !== DEFLATED && method !== STORED)
    throw refused(`${name} is compressed with method ${method}; only 0 (stored) and 8 (deflated) are read`);
  if ([packed, size, at].includes(ELSEWHERE_32)) throw zip64();
  if (isLink) throw refused(`${name} is a symbolic link`);
}

interface ZipDirectory {
  start: number;
  length: number;
  count: number;
}

/** The end of an archive names its directory. Behind it there is only its comment. */
function findDirectory(fd: number): ZipDirectory {
  const { size } = fstatSync(fd);
  const length = Math.min(size, MAX_COMMENT_BYTES + END_LENGTH);
  const tail = bytesAt(fd, size - length, length);
  const at = placeOfEnd(tail);
  const end = size - length + at;
  const [disk, first, here, count] = [4, 6, 8, 10].map((behind) => tail.readUInt16LE(at + behind));
  const [bytes, start] = [tail.readUInt32LE(at + 12), tail.readUInt32LE(at + 16)];
  if (count === ELSEWHERE_16 || bytes === ELSEWHERE_32 || start === ELSEWHERE_32) throw zip64();
  if (disk !== 0 || first !== 0 || here !== count) throw refused('the archive is in several parts');
  if (count! > MAX_FILES || bytes > MAX_DIRECTORY_BYTES)
    throw refused(`the archive has ${count} files in a directory of ${bytes} bytes, which no report has`);
  if (start + bytes !== end) throw damaged('the directory of the archive is not where it says');
  return { start, length: bytes, count: count! };
}

function placeOfEnd(tail: Buffer): number {
  const signature = Buffer.alloc(4);
  signature.writeUInt32LE(END, 0);
  const last = tail.lastIndexOf(signature);
  // The comment may contain the signature as well.
  for (let at = last; at >= 0; at = at === 0 ? -1 : tail.lastIndexOf(signature, at - 1)) {
    if (at + END_LENGTH <= tail.length && at + END_LENGTH + tail.readUInt16LE(at + 20) === tail.length) return at;
  }
  if (last >= 0 && last + END_LENGTH <= tail.length) throw damaged('something follows the end of the archive');
  throw damaged('this is not a zip archive, or its end is missing');
}

function* entriesOf(fd: number, { start, length, count }: ZipDirectory): Generator<ZipDirectoryEntry> {
  const directory = bytesAt(fd, start, length);
  let at = 0;
  for (let i = 0; i < count; i++) {
    if (at + CENTRAL_LENGTH > length || directory.readUInt32LE(at) !== CENTRAL) throw badDirectory();
    const end = at + CENTRAL_LENGTH + directory.readUInt16LE(at + 28);
    if (end > length) throw badDirectory();
    yield {
      name: directory.subarray(at + CENTRAL_LENGTH, end),
      flags: directory.readUInt16LE(at + 8),
      method: directory.readUInt16LE(at + 10),
      crc: directory.readUInt32LE(at + 16),
      packed: directory.readUInt32LE(at + 20),
      size: directory.readUInt32LE(at + 24),
      at: directory.readUInt32LE(at + 42),
      isLink: directory[at + 5] === UNIX && (directory.readUInt16LE(at + 40) & KINDS) === LINK,
    };
    at = end + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  if (at !== length) throw badDirectory();
}

/** The file has a head of its own, which may be longer than the one in the directory, but not another file's. */
function contentOf(fd: number, { at, flags, method, name }: ZipDirectoryEntry, called: string): number {
  const head = bytesAt(fd, at, LOCAL_LENGTH);
  const own = bytesAt(fd, at + LOCAL_LENGTH, head.readUInt16LE(26));
  const isSame = head.readUInt16LE(6) === flags && head.readUInt16LE(8) === method && own.equals(name);
  if (head.readUInt32LE(0) !== LOCAL || !isSame)
    throw refused(`${called} is not where the directory of the archive says`);
  return at + LOCAL_LENGTH + own.length + head.readUInt16LE(28);
}

/** Names come from the archive, and may have any length. */
const shownName = (name: string): string => visible(name.length > 40 ? `${name.slice(0, 40)}…` : name);

const refused = (message: string): UnreadableTape => new UnreadableTape(message);
const damaged = (message: string): UnreadableTape => new UnreadableTape(message, 'get a whole copy of it');
const cutOffArchive = (): UnreadableTape => damaged('the archive is cut off');
const badDirectory = (): UnreadableTape => damaged('the directory of the archive is damaged');
const zip64 = (): UnreadableTape => refused('it is a zip64 archive, which is for more than a report can hold');
