/** Decides, piece by piece, how a line is stored on the tape: verbatim, as text, or in base64. */
import { isUtf8 } from 'node:buffer';
import { JsonJudge } from '../core/json-judge.ts';

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
    let start = 0;
    if (this.#begun.length > 0) {
      const missing = charLength(this.#begun[0]!) - this.#begun.length;
      start = Math.min(missing, piece.length);
      const more = Uint8Array.from([...this.#begun, ...piece.subarray(0, start)]);
      if (start < missing) {
        this.#begun = more;
        return;
      }
      this.#begun = new Uint8Array(0);
      this.#isGood = isUtf8(more);
    }
    const end = piece.length - cutOff(piece, start, piece.length);
    this.#isGood &&= isUtf8(piece.subarray(start, end));
    // Copied, because the piece may be a view of a reused buffer.
    this.#begun = Uint8Array.from(piece.subarray(end));
  }

  get verdict(): boolean {
    return this.#isGood && this.#begun.length === 0;
  }
}

/** The number of bytes of an incomplete character at the end. */
export function cutOff(bytes: Uint8Array, start: number, end: number): number {
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
