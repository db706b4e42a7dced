/**
 * What is in a finished file, for the leak scan: its text in lines, and of a page or an archive everything inside it,
 * decoded. It knows the containers and nothing of how they were made.
 */
import { gunzipSync } from 'node:zlib';
import type { Piece } from '../redact/scan.ts';
import { LineReader } from '../tape/line-reader.ts';
import { ZipReader } from '../tape/zip.ts';

const ARCHIVE = Buffer.from('PK\u0003\u0004');
const BLOCK = /^<script type="application\/octet-stream" id="([^"]*)">([A-Za-z0-9+/=]*)<\/script>$/;
/** A block of a page is some hundred kilobytes; the head of a long session some megabytes. */
const LARGEST = 1 << 28;
const LONGEST_LINE = 1 << 29;

/** Texts that need no second look: an archive has its tape twice, as a file and in a page. */
export type Seen = Set<string>;

/**
 * `seen`: nothing in it is given again, and all that is given is added; archives have one of their own otherwise. `name`: how
 * the file is called, for whoever is told where something is.
 */
export function* piecesIn(path: string, seen: Seen | null = null, name = ''): Generator<Piece> {
  if (beginsAsArchive(path)) return yield* unseen(archived(path), seen ?? new Set());
  const pieces = linesOf(path, name === '' ? '' : `${name}, `);
  yield* seen ? unseen(pieces, seen) : pieces;
}

function* unseen(pieces: Iterable<Piece>, seen: Seen): Generator<Piece> {
  for (const piece of pieces) {
    if (seen.has(piece.text)) continue;
    seen.add(piece.text);
    yield piece;
  }
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

function* archived(path: string): Generator<Piece> {
  const zip = new ZipReader(path);
  for (const name of zip.names) {
    yield { where: 'names of files', text: name };
    for (const [at, line] of zip.extract(name).toString('utf8').split('\n').entries())
      yield* pieceOf(line, `${name}, line ${at + 1}`);
  }
}

/** A line, or what is in the block that it holds. */
function* pieceOf(line: string, where: string): Generator<Piece> {
  const [, id, base64] = BLOCK.exec(line) ?? [];
  if (id === undefined || base64 === undefined) return yield { where, text: line };
  const text = gunzipSync(Buffer.from(base64, 'base64'), { maxOutputLength: LARGEST }).toString('utf8');
  for (const inner of text.split('\n')) yield { where: `block ${id}`, text: inner };
}
