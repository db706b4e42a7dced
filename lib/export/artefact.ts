/**
 * What is in a finished file, for the leak scan: its text in lines, and of a page or an archive everything inside it,
 * decoded. It knows the containers and nothing of how they were made.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Piece } from '../redact/scan.ts';
import { LineReader } from '../tape/line-reader.ts';
import { ZipReader } from '../tape/zip.ts';

const ARCHIVE = Buffer.from('PK\u0003\u0004');
const BLOCK = /^<script type="application\/octet-stream" id="([^"]*)">([A-Za-z0-9+/=]*)<\/script>$/;
/** A block of a page is some hundred kilobytes; the head of a long session some megabytes. */
const LARGEST = 1 << 28;
const LONGEST_LINE = 1 << 29;

/** What needs no second look: an archive has its tape twice, as a file and in a page. */
export class Seen {
  readonly #texts = new Set<string>();
  /** Digests of whole files. */
  readonly #files = new Set<string>();

  /** Somebody else looks at this file. */
  file(path: string): void {
    for (const { text } of linesOf(path, '')) this.#texts.add(text);
    this.#files.add(digestOf(readFileSync(path)));
  }

  hasFile(content: Uint8Array): boolean {
    return this.#files.has(digestOf(content));
  }

  /** Those that were not here yet. */
  *others(pieces: Iterable<Piece>): Generator<Piece> {
    for (const piece of pieces) {
      if (this.#texts.has(piece.text)) continue;
      this.#texts.add(piece.text);
      yield piece;
    }
  }

  /** The same for all of a file. */
  *othersIn(path: string, pieces: Iterable<Piece>): Generator<Piece> {
    yield* this.others(pieces);
    this.#files.add(digestOf(readFileSync(path)));
  }
}

const digestOf = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');

/**
 * `seen`: nothing in it is given again, and all that is given is added; archives have one of their own otherwise. `name`: how
 * the file is called, for whoever is told where something is.
 */
export function* piecesIn(path: string, seen: Seen | null = null, name = ''): Generator<Piece> {
  if (beginsAsArchive(path)) return yield* archived(path, seen ?? new Seen());
  const pieces = linesOf(path, name === '' ? '' : `${name}, `);
  yield* seen ? seen.othersIn(path, pieces) : pieces;
}

function* linesOf(path: string, prefix: string): Generator<Piece> {
  const reader = new LineReader(path, LONGEST_LINE);
  try {
    let n = 0;
    for (const { line } of reader.lines()) yield* pieceOf(line.toString('utf8'), `${prefix}line ${++n}`);
    const rest = reader.takeRest();
    if (rest) yield* pieceOf(rest.line.toString('utf8'), `${prefix}line ${n + 1}`);
  } finally {
    reader.close();
  }
}

function beginsAsArchive(path: string): boolean {
  const reader = new LineReader(path, 1 << 16);
  try {
    for (const { line } of reader.lines()) return line.subarray(0, ARCHIVE.length).equals(ARCHIVE);
    return false;
  } finally {
    reader.close();
  }
}

function* archived(path: string, seen: Seen): Generator<Piece> {
  const zip = new ZipReader(path);
  for (const name of zip.names) {
    yield { where: 'names of files', text: name };
    const content = zip.extract(name);
    if (seen.hasFile(content)) continue;
    for (const [at, line] of content.toString('utf8').split('\n').entries())
      yield* seen.others(pieceOf(line, `${name}, line ${at + 1}`));
  }
}

/** A line, or what is in the block that it holds. */
function* pieceOf(line: string, where: string): Generator<Piece> {
  const [, id, base64] = BLOCK.exec(line) ?? [];
  if (id === undefined || base64 === undefined) return yield { where, text: line };
  const text = gunzipSync(Buffer.from(base64, 'base64'), { maxOutputLength: LARGEST }).toString('utf8');
  for (const inner of text.split('\n')) yield { where: `block ${id}`, text: inner };
}
