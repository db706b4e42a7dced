/** A line that is too long to hold: it is redacted window by window, as it is read. */
import type { Cut, Frame } from '../../model/frame.ts';
import { bytesOf } from './lines.ts';

/** This much of a window is kept for the next one, because a value may continue there. */
const OVERLAP = 16_384;
const WINDOW = 1 << 18;

/** The first part and the rest. The size has to be known before, so the line is read once for that. */
export function longLine(cut: Cut, redact: (text: string) => string): Pick<Frame, 'raw' | 'cut'> {
  let bytes = 0;
  let raw: Uint8Array = new Uint8Array(0);
  for (const block of windows(cut.whole(), redact)) {
    if (bytes === 0) raw = block;
    bytes += block.length;
  }
  return { raw, cut: { bytes: bytes - raw.length, whole: () => windows(cut.whole(), redact) } };
}

/** Byte by byte, so that no character is cut: what is replaced is ASCII, or stands in the form of its bytes. */
function* windows(blocks: Iterable<Uint8Array>, redact: (text: string) => string): Generator<Uint8Array> {
  let held = '';
  for (const block of blocks) {
    for (let i = 0; i < block.length; i += 8192) held += String.fromCharCode(...block.subarray(i, i + 8192));
    if (held.length < WINDOW + OVERLAP) continue;
    // A blank or a quote is in no value.
    const end = Math.max(held.lastIndexOf('"', held.length - OVERLAP), held.lastIndexOf(' ', held.length - OVERLAP));
    const at = end < WINDOW / 2 ? held.length - OVERLAP : end;
    yield bytesOf(redact(held.slice(0, at)));
    held = held.slice(at);
  }
  if (held !== '') yield bytesOf(redact(held));
}
