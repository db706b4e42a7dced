/** Decides, piece by piece, how a line is stored on the tape: verbatim, as text, or in base64. */
import { isUtf8 } from 'node:buffer';
import { JsonJudge } from '../../model/json/json-judge.ts';

const LF = 0x0a;

export class LineJudge {
  readonly #json = new JsonJudge();
  readonly #utf8 = new Utf8Judge();
  /** Whether there is a line feed, which a verbatim line must not have. */
  hasLineFeed = false;

  feed(piece: Uint8Array): void {
    this.#json.feed(piece, 0, piece.length);
    this.#utf8.feed(piece);
    this.hasLineFeed ||= piece.includes(LF);
  }

  get isText(): boolean {
    return this.#utf8.verdict;
  }

  get isJson(): boolean {
    return this.#json.verdict !== 'no' && this.isText;
  }
}

/** Whether the pieces together are UTF-8. A character may be split between two pieces. */
class Utf8Judge {
  #isGood = true;
  /** The start of a character that continues in the next piece. */
  #begun = new Uint8Array(0);

  feed(piece: Uint8Array): void {
    if (!this.#isGood) return;
    const bytes = this.#begun.length > 0 ? Buffer.concat([this.#begun, piece]) : piece;
    const end = bytes.length - incompleteBytes(bytes, 0, bytes.length);
    this.#isGood = isUtf8(bytes.subarray(0, end));
    // Copied, because the piece may be a view of a reused buffer.
    this.#begun = Uint8Array.from(bytes.subarray(end));
  }

  get verdict(): boolean {
    return this.#isGood && this.#begun.length === 0;
  }
}

/** The number of bytes of an incomplete character at the end. */
export function incompleteBytes(bytes: Uint8Array, start: number, end: number): number {
  for (let count = 1; count <= 3 && end - count >= start; count++) {
    const byte = bytes[end - count]!;
    if ((byte & 0xc0) !== 0x80) return charLength(byte) > count ? count : 0;
  }
  return 0;
}

/** The length of the character that starts with this byte. */
function charLength(first: number): number {
  return first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
}
