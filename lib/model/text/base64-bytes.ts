/**
 * Bytes from base64, in plain code: what a browser offers is missing in older ones, or refuses what Node accepts. Other
 * characters are skipped, and the first `=` ends it.
 */
const SKIPPED = 0xff;
const VALUES = new Uint8Array(128).fill(SKIPPED);
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
for (let i = 0; i < ALPHABET.length; i++) VALUES[ALPHABET.charCodeAt(i)] = i;
VALUES['-'.charCodeAt(0)] = 62;
VALUES['_'.charCodeAt(0)] = 63;
const END = '='.charCodeAt(0);

export function decodeBase64Bytes(text: string): Uint8Array {
  const bytes = new Uint8Array(Math.ceil((text.length * 3) / 4));
  let [count, bits, held] = [0, 0, 0];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === END) break;
    const value = code < 128 ? VALUES[code]! : SKIPPED;
    if (value === SKIPPED) continue;
    held = ((held << 6) | value) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[count++] = (held >> bits) & 0xff;
  }
  return bytes.subarray(0, count);
}
