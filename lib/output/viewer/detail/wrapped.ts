/**
 * Long text in pieces that fit a line, as offsets. Nothing is added or left out, so the pieces can be copied as they are.
 */

/** Cells that a character takes in a fixed-width font. */
const widthOf = (code: number): number => (code >= 0x1100 && (code >= 0x2e80 || code <= 0x115f) ? 2 : 1);

const BACKSLASH = 0x5c;

/**
 * Where the pieces of `text` from `from` to `to` begin, each at most `columns` cells. A piece also ends after a line
 * feed, or after the escape of one if this is a JSON string. Escapes and surrogate pairs stay whole.
 */
export function piecesOf(text: string, from: number, to: number, columns: number, isJson: boolean): Uint32Array {
  const starts: number[] = [from];
  let used = 0;
  for (let at = from; at < to; ) {
    const length = lengthAt(text, at, isJson);
    const width = length === 1 ? widthOf(text.charCodeAt(at)) : length;
    if (used > 0 && used + width > columns) {
      starts.push(at);
      used = 0;
    }
    used += width;
    at += length;
    if (at < to && endsLine(text, at, length)) {
      starts.push(at);
      used = 0;
    }
  }
  return Uint32Array.from(starts);
}

/** Of a character or an escape, in UTF-16 units. */
function lengthAt(text: string, at: number, isJson: boolean): number {
  const code = text.charCodeAt(at);
  if (isJson && code === BACKSLASH) return text[at + 1] === 'u' ? 6 : 2;
  return code >= 0xd800 && code < 0xdc00 ? 2 : 1;
}

/** Whether what ends here is a line feed or its escape. */
const endsLine = (text: string, at: number, length: number): boolean =>
  length === 1 ? text[at - 1] === '\n' : length === 2 && text[at - 1] === 'n' && text[at - 2] === '\\';

/** Where a piece of so many cells ends that is not broken at line feeds. */
export function pieceEnd(text: string, from: number, to: number, columns: number): number {
  let used = 0;
  for (let at = from; at < to; ) {
    const length = lengthAt(text, at, true);
    used += length === 1 ? widthOf(text.charCodeAt(at)) : length;
    if (used > columns) return at;
    at += length;
  }
  return to;
}
