/**
 * What is in a finished file, for the leak scan: its text in lines, and of a page or an archive everything inside it,
 * decoded. It knows only the container formats.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { ArtefactPiece } from '../../analysis/redact/leak-scan.ts';
import { LineReader } from '../../storage/tape/line-reader.ts';
import { ZipReader } from '../../storage/tape/zip-reader.ts';

const ARCHIVE = Buffer.from('PK\u0003\u0004');
const BLOCK = /^<script type="application\/octet-stream" id="([^"]*)">([A-Za-z0-9+/=]*)<\/script>$/;
/** A block of a page is some hundred kilobytes; the head of a long session some megabytes. */
const MAX_BLOCK_BYTES = 1 << 28;
const MAX_LINE_BYTES = 1 << 29;
const LF = 0x0a;
/** Bytes of a file that are compared at once. */
const COMPARED_BYTES = 1 << 18;

/** Options of a leak scan of a file. */
export interface InspectOptions {
  /** The name of the file in messages. */
  name?: string;
  /**
   * Files that are scanned too: the same bytes are not scanned twice. An archive has its tape twice: by itself and in
   * its page.
   */
  besides?: readonly string[];
}

export function* piecesIn(path: string, { name = '', besides = [] }: InspectOptions = {}): Generator<ArtefactPiece> {
  const files = besides.map((one) => new SeenFile(one));
  try {
    yield* isArchive(path) ? piecesOfArchive(path, files) : piecesOfLines(path, name === '' ? '' : `${name}, `, files);
  } finally {
    for (const file of files) file.close();
  }
}

/** A file that is scanned separately. */
class SeenFile {
  readonly #fd: number;
  readonly #size: number;
  /** How many of its bytes were found so far. */
  #at = 0;

  constructor(path: string) {
    this.#fd = openSync(path, 'r');
    this.#size = fstatSync(this.#fd).size;
  }

  /** Whether these bytes come next in it. */
  continuesWith(bytes: Uint8Array): boolean {
    if (!this.#has(bytes, this.#at)) return false;
    this.#at += bytes.length;
    return true;
  }

  /** Whether it has the bytes of a file in an archive, and no others. */
  equals(archive: ZipReader, name: string): boolean {
    if (archive.sizeOf(name) !== this.#size) return false;
    let at = 0;
    for (const piece of archive.pieces(name)) {
      if (!this.#has(piece, at)) return false;
      at += piece.length;
    }
    return true;
  }

  close(): void {
    closeSync(this.#fd);
  }

  #has(bytes: Uint8Array, at: number): boolean {
    if (at + bytes.length > this.#size) return false;
    const own = Buffer.allocUnsafe(Math.min(bytes.length, COMPARED_BYTES));
    for (let done = 0; done < bytes.length; ) {
      const count = readSync(this.#fd, own, 0, Math.min(own.length, bytes.length - done), at + done);
      if (count === 0 || own.compare(bytes, done, done + count, 0, count) !== 0) return false;
      done += count;
    }
    return true;
  }
}

function* piecesOfLines(path: string, prefix: string, besides: readonly SeenFile[]): Generator<ArtefactPiece> {
  const reader = new LineReader(path, MAX_LINE_BYTES);
  try {
    let n = 0;
    for (const { line } of reader.lines()) yield* pieceOf(line.toString('utf8'), `${prefix}line ${++n}`, besides);
    const rest = reader.takeRest();
    if (rest) yield* pieceOf(rest.line.toString('utf8'), `${prefix}line ${n + 1}`, besides);
  } finally {
    reader.close();
  }
}

function isArchive(path: string): boolean {
  const reader = new LineReader(path, 1 << 16);
  try {
    for (const { line } of reader.lines()) return line.subarray(0, ARCHIVE.length).equals(ARCHIVE);
    return false;
  } finally {
    reader.close();
  }
}

function* piecesOfArchive(path: string, besides: readonly SeenFile[]): Generator<ArtefactPiece> {
  const zip = new ZipReader(path);
  for (const name of zip.names) {
    yield { where: 'names of files', text: name };
    if (besides.some((file) => file.equals(zip, name))) continue;
    let n = 0;
    for (const line of linesIn(zip.pieces(name))) yield* pieceOf(line, `${name}, line ${++n}`, besides);
  }
}

function* linesIn(pieces: Iterable<Buffer>): Generator<string> {
  let begun: Buffer[] = [];
  for (const piece of pieces) {
    let from = 0;
    for (let lf = piece.indexOf(LF); lf >= 0; lf = piece.indexOf(LF, from)) {
      yield Buffer.concat([...begun, piece.subarray(from, lf)]).toString('utf8');
      begun = [];
      from = lf + 1;
    }
    begun.push(Buffer.from(piece.subarray(from)));
  }
  yield Buffer.concat(begun).toString('utf8');
}

/** A line, or what is in the block that it holds. */
function* pieceOf(line: string, where: string, besides: readonly SeenFile[]): Generator<ArtefactPiece> {
  const [, id, base64] = BLOCK.exec(line) ?? [];
  if (id === undefined || base64 === undefined) return yield { where, text: line };
  const content = gunzipSync(Buffer.from(base64, 'base64'), { maxOutputLength: MAX_BLOCK_BYTES });
  if (besides.some((file) => file.continuesWith(content))) return;
  for (const inner of content.toString('utf8').split('\n')) yield { where: `block ${id}`, text: inner };
}
