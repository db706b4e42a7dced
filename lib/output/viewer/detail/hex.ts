/** Bytes as people read them: offset, hexadecimal digits, and characters. */

export interface HexRow {
  offset: string;
  hex: string;
  text: string;
}

const digits = (n: number, width: number): string => n.toString(16).padStart(width, '0');

/** The row of `width` bytes that begins at `from`. Groups of eight stand apart. */
export function hexRow(bytes: Uint8Array, from: number, width: number): HexRow {
  let hex = '';
  let text = '';
  for (let i = 0; i < width; i++) {
    if (i > 0) hex += i % 8 === 0 ? '  ' : ' ';
    const byte = bytes[from + i];
    hex += byte === undefined ? '  ' : digits(byte, 2);
    text += byte === undefined ? '' : byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.';
  }
  return { offset: digits(from, 8), hex, text };
}

/** The whole dump as text, to copy. */
export function hexText(bytes: Uint8Array): string {
  const out: string[] = [];
  for (let at = 0; at < bytes.length; at += 16) {
    const { offset, hex, text } = hexRow(bytes, at, 16);
    out.push(`${offset}  ${hex}  ${text}`);
  }
  return out.join('\n');
}
