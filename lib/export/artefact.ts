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

export function* piecesIn(path: string): Generator<Piece> {
  if (beginsAsArchive(path)) return yield* archived(path);
  const reader = new LineReader(path, LONGEST_LINE);
  try {
    let n = 0;
    for (const { line } of reader.lines()) yield* pieceOf(line.toString('utf8'), `line ${++n}`);
    const rest = reader.takeRest();
    if (rest) yield* pieceOf(rest.line.toString('utf8'), `line ${n + 1}`);
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
  // The tape is there twice, as a file and in the page: the same text needs no second look.
  const seen = new Set<string>();
  for (const name of zip.names) {
    yield { where: 'names of files', text: name };
    for (const [at, line] of zip.extract(name).toString('utf8').split('\n').entries())
      for (const piece of pieceOf(line, `${name}, line ${at + 1}`)) {
        if (seen.has(piece.text)) continue;
        seen.add(piece.text);
        yield piece;
      }
  }
}

/** A line, or what is in the block that it holds. */
function* pieceOf(line: string, where: string): Generator<Piece> {
  const [, id, base64] = BLOCK.exec(line) ?? [];
  if (id === undefined || base64 === undefined) return yield { where, text: line };
  const text = gunzipSync(Buffer.from(base64, 'base64'), { maxOutputLength: LARGEST }).toString('utf8');
  for (const inner of text.split('\n')) yield { where: `block ${id}`, text: inner };
}
