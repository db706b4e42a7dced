/**
 * Whether a data URI is a picture that is safe to draw: one of four formats, by its own bytes and not by what it says
 * about itself, and neither too many bytes nor too many pixels.
 */

export interface Picture {
  mime: string;
  bytes: Uint8Array;
  width: number;
  height: number;
}

const MAX_IMAGE_BYTES = 12 << 20;
const MAX_PIXELS = 40_000_000;
const DATA = /^data:image\/(?:png|jpe?g|gif|webp);base64,/;

/** A word for why it is not drawn: `format`, `size`. */
export function pictureIn(uri: string): Picture | 'format' | 'size' {
  const head = DATA.exec(uri.slice(0, 64));
  if (!head) return 'format';
  if ((uri.length - head[0].length) * 0.75 > MAX_IMAGE_BYTES) return 'size';
  const bytes = bytesIn(uri.slice(head[0].length));
  const found = bytes && (png(bytes) ?? gif(bytes) ?? webp(bytes) ?? jpeg(bytes));
  if (!bytes || !found) return 'format';
  const [mime, width, height] = found;
  if (width * height > MAX_PIXELS || width * height === 0) return 'size';
  return { mime, bytes, width, height };
}

function bytesIn(base64: string): Uint8Array | null {
  try {
    const binary = atob(base64);
    const bytes = new Uint8Array(binary.length);
    for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
    return bytes;
  } catch {
    return null;
  }
}

type Size = [mime: string, width: number, height: number] | null;

const isAt = (b: Uint8Array, at: number, text: string): boolean =>
  [...text].every((c, i) => b[at + i] === c.charCodeAt(0));
const big16 = (b: Uint8Array, at: number): number => ((b[at] ?? 0) << 8) | (b[at + 1] ?? 0);
const little16 = (b: Uint8Array, at: number): number => ((b[at + 1] ?? 0) << 8) | (b[at] ?? 0);
const big32 = (b: Uint8Array, at: number): number => big16(b, at) * 65536 + big16(b, at + 2);

function png(b: Uint8Array): Size {
  return isAt(b, 1, 'PNG\r\n') && isAt(b, 12, 'IHDR') ? ['image/png', big32(b, 16), big32(b, 20)] : null;
}

function gif(b: Uint8Array): Size {
  return isAt(b, 0, 'GIF8') ? ['image/gif', little16(b, 6), little16(b, 8)] : null;
}

function webp(b: Uint8Array): Size {
  if (!isAt(b, 0, 'RIFF') || !isAt(b, 8, 'WEBP')) return null;
  const size24 = (at: number) => little16(b, at) + ((b[at + 2] ?? 0) << 16) + 1;
  if (isAt(b, 12, 'VP8X')) return ['image/webp', size24(24), size24(27)];
  if (isAt(b, 12, 'VP8L')) {
    const bits = little16(b, 21) + little16(b, 23) * 65536;
    return ['image/webp', (bits & 0x3fff) + 1, (Math.floor(bits / 0x4000) & 0x3fff) + 1];
  }
  return isAt(b, 12, 'VP8 ') ? ['image/webp', little16(b, 26) & 0x3fff, little16(b, 28) & 0x3fff] : null;
}

function jpeg(b: Uint8Array): Size {
  if (b[0] !== 0xff || b[1] !== 0xd8) return null;
  for (let at = 2; at + 9 < b.length && b[at] === 0xff; at += 2 + big16(b, at + 2)) {
    const marker = b[at + 1]!;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return ['image/jpeg', big16(b, at + 7), big16(b, at + 5)];
    if (big16(b, at + 2) < 2) return null;
  }
  return null;
}
