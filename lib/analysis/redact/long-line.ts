/** A line that is too long to hold: it is redacted window by window, as it is read. */
import type { Frame, LineRemainder } from '../../model/frame.ts';
import { bytesOfLatin1 } from './line-text.ts';

/** This much of a window is kept for the next one, because a value may continue there. */
const OVERLAP_CHARS = 16_384;
const WINDOW_CHARS = 1 << 18;

/** The first part and the rest. The size has to be known before, so the line is read once for that. */
export function redactLongLine(cut: LineRemainder, redact: (text: string) => string): Pick<Frame, 'raw' | 'cut'> {
  let bytes = 0;
  let raw: Uint8Array = new Uint8Array(0);
  for (const block of redactWindows(cut.whole(), redact)) {
    if (bytes === 0) raw = block;
    bytes += block.length;
  }
  return { raw, cut: { bytes: bytes - raw.length, whole: () => redactWindows(cut.whole(), redact) } };
}

/** Byte by byte, so that no character is cut: what is replaced is ASCII, or stands in the form of its bytes. */
function* redactWindows(blocks: Iterable<Uint8Array>, redact: (text: string) => string): Generator<Uint8Array> {
  let held = '';
  for (const block of blocks) {
    for (let i = 0; i < block.length; i += 8192) held += String.fromCharCode(...block.subarray(i, i + 8192));
    if (held.length < WINDOW_CHARS + OVERLAP_CHARS) continue;
    // A blank or a quote is in no value.
    const end = Math.max(
      held.lastIndexOf('"', held.length - OVERLAP_CHARS),
      held.lastIndexOf(' ', held.length - OVERLAP_CHARS),
    );
    const at = end < WINDOW_CHARS / 2 ? held.length - OVERLAP_CHARS : end;
    yield bytesOfLatin1(redact(held.slice(0, at)));
    held = held.slice(at);
  }
  if (held !== '') yield bytesOfLatin1(redact(held));
}
