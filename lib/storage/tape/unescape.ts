/** Decodes a JSON string in blocks, and computes its size, for strings that are too long to hold. */
import { incompleteBytes } from './line-judge.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const U = 0x75;

interface ScannedPart {
  /** Up to here there are whole characters and escapes. */
  end: number;
  /** Their size when decoded. */
  size: number;
  /** The string ends there. */
  closed: boolean;
}

/** The decoded size, from after the opening quote to the closing one. Null if there is no closing quote. */
export function escapedSize(blocks: Iterable<Buffer>): number | null {
  let size = 0;
  for (const { scanned } of inCharacters(blocks)) {
    size += scanned.size;
    if (scanned.closed) return size;
  }
  return null;
}

/** The decoded bytes; of a string that is cut off, only its complete characters. */
export function* escapedBlocks(blocks: Iterable<Buffer>): Generator<Buffer> {
  for (const { bytes, scanned } of inCharacters(blocks)) {
    yield Buffer.from(JSON.parse(`"${bytes.toString('utf8', 0, scanned.end)}"`) as string);
    if (scanned.closed) return;
  }
}

function* inCharacters(blocks: Iterable<Buffer>): Generator<{ bytes: Buffer; scanned: ScannedPart }> {
  let begun = Buffer.alloc(0);
  for (const block of blocks) {
    const bytes = begun.length > 0 ? Buffer.concat([begun, block]) : block;
    const scanned = scanPart(bytes);
    yield { bytes, scanned };
    if (scanned.closed) return;
    begun = Buffer.from(bytes.subarray(scanned.end));
  }
}

function scanPart(b: Buffer): ScannedPart {
  const last = b.length - incompleteBytes(b, 0, b.length);
  let size = 0;
  let i = 0;
  while (i < last) {
    const c = b[i]!;
    if (c === QUOTE) return { end: i, size, closed: true };
    if (c !== BACKSLASH) {
      size++;
      i++;
      continue;
    }
    const length = escapeLength(b, i, last);
    if (length === 0) break;
    size += length === 2 ? 1 : length === 12 ? 4 : utf8Length(unitAt(b, i));
    i += length;
  }
  return { end: i, size, closed: false };
}

/** Of the escape that begins there; the two halves of a character are one. 0 where its end may not be there. */
function escapeLength(b: Buffer, at: number, last: number): 0 | 2 | 6 | 12 {
  if (at + 2 > last) return 0;
  if (b[at + 1] !== U) return 2;
  if (at + 6 > last) return 0;
  const unit = unitAt(b, at);
  if (unit < 0xd800 || unit > 0xdbff) return 6;
  if (at + 12 <= last) return isLow(b, at + 6) ? 12 : 6;
  return at + 6 === last || b[at + 6] === BACKSLASH ? 0 : 6;
}

function isLow(b: Buffer, at: number): boolean {
  const unit = b[at] === BACKSLASH && b[at + 1] === U ? unitAt(b, at) : 0;
  return unit >= 0xdc00 && unit <= 0xdfff;
}

function unitAt(b: Buffer, at: number): number {
  return Number.parseInt(b.toString('latin1', at + 2, at + 6), 16);
}

/** Half a surrogate pair becomes U+FFFD. */
function utf8Length(unit: number): number {
  return unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3;
}
