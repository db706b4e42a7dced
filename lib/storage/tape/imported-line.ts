/**
 * An imported line in the journal: the complete line with its speaker, its line end and the time of its first byte, so that
 * the tape gets exactly the frame in the file.
 *
 *   0  speaker u8, line end u8, length of the header u16, 4 zeros    8  microseconds of the first byte f64, NaN if not known
 *  16  the header of a Content-Length frame, if it is one, and the line
 */
import type { Eol, From } from '../../model/frame.ts';

const SOURCES: readonly From[] = ['client', 'agent', 'stderr', 'proc'];
const LINE_ENDS: readonly Eol[] = ['\n', '\r\n', ''];
const HEADER_BYTES = 16;

export interface ImportedLine {
  from: From;
  eol: Eol;
  t0: number | null;
  /** The header of a Content-Length frame. */
  head: string | null;
  /** The position of the line itself. */
  start: number;
}

export function encodeImportedLine({ from, eol, t0, head }: Omit<ImportedLine, 'start'>, raw: Uint8Array): Buffer {
  const header = Buffer.from(head ?? '', 'latin1');
  const payload = Buffer.alloc(HEADER_BYTES + header.length + raw.length);
  payload[0] = SOURCES.indexOf(from);
  payload[1] = LINE_ENDS.indexOf(eol);
  payload.writeUInt16LE(header.length, 2);
  payload.writeDoubleLE(t0 ?? Number.NaN, 8);
  payload.set(header, HEADER_BYTES);
  payload.set(raw, HEADER_BYTES + header.length);
  return payload;
}

/** Null if the record is not valid: a journal may come from anywhere. */
export function decodeImportedLine(buf: Buffer, start: number, end: number): ImportedLine | null {
  if (end - start < HEADER_BYTES) return null;
  const from = SOURCES[buf[start]!];
  const eol = LINE_ENDS[buf[start + 1]!];
  const at = start + HEADER_BYTES + buf.readUInt16LE(start + 2);
  if (from === undefined || eol === undefined || at > end) return null;
  const t0 = buf.readDoubleLE(start + 8);
  const head = buf.toString('latin1', start + HEADER_BYTES, at);
  return { from, eol, t0: t0 >= 0 ? t0 : null, head: head === '' ? null : head, start: at };
}
