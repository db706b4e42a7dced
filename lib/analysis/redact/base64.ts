/** Base64 in either alphabet, without Node. */

const BASE64_VALUES = new Int8Array(256).fill(-1);
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
[...ALPHABET].forEach((c, i) => {
  BASE64_VALUES[c.charCodeAt(0)] = i;
});
BASE64_VALUES[0x2d] = 62;
BASE64_VALUES[0x5f] = 63;

/** A shorter run cannot hide a secret. */
export const MIN_BASE64_CHARS = 16;

export function isBase64(c: number): boolean {
  return BASE64_VALUES[c]! >= 0;
}

/** The length of the alphabet's run that starts here. */
export function runEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const c = text.charCodeAt(at);
    if (c > 127 || BASE64_VALUES[c]! < 0) break;
    at++;
  }
  return at;
}

/** Where the next run of at least this length starts; -1 if there is none. Most characters are not looked at. */
export function nextRun(text: string, from: number, length: number): number {
  for (let start = from; start + length <= text.length; ) {
    let at = start + length - 1;
    while (at >= start) {
      const c = text.charCodeAt(at);
      if (c > 127 || BASE64_VALUES[c]! < 0) break;
      at--;
    }
    if (at < start) return start;
    start = at + 1;
  }
  return -1;
}

/** Only whole bytes; what is left over is dropped. */
export function decodeBase64(text: string, from: number, to: number): Uint8Array {
  const bytes = new Uint8Array(Math.floor(((to - from) * 3) / 4));
  let [bits, held, at] = [0, 0, 0];
  for (let i = from; i < to; i++) {
    held = ((held << 6) | BASE64_VALUES[text.charCodeAt(i)]!) & 0xffffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[at++] = (held >> bits) & 255;
  }
  return bytes.subarray(0, at);
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** What a string of nothing but base64 stands for; null if that is no text. */
export function textOfBase64(base64: string): string | null {
  const end = runEnd(base64, 0);
  if (!/^={0,2}$/.test(base64.slice(end, end + 3))) return null;
  try {
    return utf8.decode(decodeBase64(base64, 0, end));
  } catch {
    return null;
  }
}

/** How many bytes follow this one in UTF-8; -1 if it is in no text. */
const FOLLOWED_BY = new Int8Array(256).fill(-1);
FOLLOWED_BY.fill(0, 32, 127);
for (const control of [9, 10, 13, 27]) FOLLOWED_BY[control] = 0;
FOLLOWED_BY.fill(1, 0xc2, 0xe0);
FOLLOWED_BY.fill(2, 0xe0, 0xf0);
FOLLOWED_BY.fill(3, 0xf0, 0xf5);

/** Whether it stands for text in UTF-8, up to the first line end. Mostly the first byte or two tell that it does not. */
export function isText(ascii: Uint8Array, from: number, to: number): boolean {
  let [bits, held, more] = [0, 0, 0];
  for (let i = from; i < to; i++) {
    const value = BASE64_VALUES[ascii[i]!]!;
    if (value < 0) return true;
    held = ((held << 6) | value) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    const byte = (held >> bits) & 255;
    if (more > 0 && byte >> 6 !== 2) return false;
    more = more > 0 ? more - 1 : FOLLOWED_BY[byte]!;
    if (more < 0) return false;
  }
  return true;
}

/** `like`: the text whose alphabet and padding it gets. */
export function encodeBase64(bytes: Uint8Array, like: string): string {
  const alphabet = /[-_]/.test(like) ? `${ALPHABET.slice(0, 62)}-_` : ALPHABET;
  let out = '';
  for (let i = 0; i < bytes.length; i += 3) {
    const three = (bytes[i]! << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    const count = Math.min(3, bytes.length - i) + 1;
    for (let k = 0; k < count; k++) out += alphabet[(three >> (18 - 6 * k)) & 63];
  }
  const isPadded = like.endsWith('=') || like.length % 4 === 0;
  return isPadded ? out.padEnd(Math.ceil(out.length / 4) * 4, '=') : out;
}
