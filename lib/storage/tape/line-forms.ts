/** How the content of a line is stored, and writing it in blocks: as a JSON string, or in base64. */
import type { Form } from '../../model/frame.ts';
import { incompleteBytes, LineJudge } from './line-judge.ts';
import type { BlockedLine } from './partial-line.ts';
import type { TapeSink } from './sink.ts';

/** Bytes converted to a string at once; escaping may make it six times as long. */
const STEP_BYTES = 3 << 15;
/** The longest JavaScript string (Node 20 and later). Longer JSON strings are stored in base64. */
const MAX_STRING_LENGTH = 2 ** 29 - 24;

export function inMemory(bytes: Buffer): BlockedLine {
  return { length: bytes.length, blocks: () => [bytes] };
}

export function judgeLine({ blocks }: BlockedLine): LineJudge {
  const judge = new LineJudge();
  for (const block of blocks()) judge.feed(block);
  return judge;
}

/** `mayBeVerbatim`: false if a line feed is in it, which a line of the tape must not have. */
export function formOf({ length, blocks }: BlockedLine, judge: LineJudge, mayBeVerbatim = true): Form {
  if (mayBeVerbatim && judge.isJson) return 'message';
  return judge.isText && fitsString(length, blocks) ? 'text' : 'bytes';
}

/** Writes text as `JSON.stringify` does, without the quotes. */
export function writeEscaped(sink: TapeSink, blocks: Iterable<Uint8Array>): void {
  let begun = Buffer.alloc(0);
  for (const piece of inSlices(blocks)) {
    const bytes = begun.length > 0 ? Buffer.concat([begun, piece]) : piece;
    const end = bytes.length - incompleteBytes(bytes, 0, bytes.length);
    sink.utf8(JSON.stringify(bytes.toString('utf8', 0, end)).slice(1, -1));
    begun = Buffer.from(bytes.subarray(end));
  }
}

/** Base64 of all blocks together, in pieces. */
export function* base64Of(blocks: Iterable<Uint8Array>): Generator<string> {
  let begun = Buffer.alloc(0);
  for (const piece of inSlices(blocks)) {
    const bytes = begun.length > 0 ? Buffer.concat([begun, piece]) : piece;
    const end = bytes.length - (bytes.length % 3);
    yield bytes.toString('base64', 0, end);
    begun = Buffer.from(bytes.subarray(end));
  }
  yield begun.toString('base64');
}

/** Whether text fits into a JavaScript string as JSON, escaped and in quotes. */
function fitsString(length: number, blocks: () => Iterable<Uint8Array>): boolean {
  // A byte takes at most six characters.
  if (6 * length + 2 <= MAX_STRING_LENGTH) return true;
  let units = 2;
  for (const block of blocks()) for (let i = 0; i < block.length; i++) units += UNITS_PER_BYTE[block[i]!]!;
  return units <= MAX_STRING_LENGTH;
}

/** How many UTF-16 units each byte of UTF-8 adds to a JSON string. */
const UNITS_PER_BYTE = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte < 0x80) return JSON.stringify(String.fromCharCode(byte)).length - 2;
  return byte >= 0xf0 ? 2 : byte >= 0xc0 ? 1 : 0;
});

function* inSlices(blocks: Iterable<Uint8Array>): Generator<Buffer> {
  for (const { buffer, byteOffset, length } of blocks) {
    for (let i = 0; i < length; i += STEP_BYTES)
      yield Buffer.from(buffer, byteOffset + i, Math.min(STEP_BYTES, length - i));
  }
}
