/**
 * An imported line in the journal: the complete line with its speaker, its line end and the time of its first byte, so that
 * the tape gets exactly the frame in the file.
 *
 *   0  speaker u8, line end u8, length of the header u16, 4 zeros    8  microseconds of the first byte f64, NaN if not known
 *  16  the header of a Content-Length frame, if it is one, and the line
 */
import type { Eol, From } from '../../model/frame.ts';

const SPEAKERS: readonly From[] = ['client', 'agent', 'stderr', 'proc'];
const ENDS: readonly Eol[] = ['\n', '\r\n', ''];
const HEAD = 16;

export interface WholeLine {
  from: From;
  eol: Eol;
  t0: number | null;
  /** The header of a Content-Length frame. */
  head: string | null;
  /** The position of the line itself. */
  start: number;
}

export function encodeLine({ from, eol, t0, head }: Omit<WholeLine, 'start'>, raw: Uint8Array): Buffer {
  const header = Buffer.from(head ?? '', 'latin1');
  const payload = Buffer.alloc(HEAD + header.length + raw.length);
  payload[0] = SPEAKERS.indexOf(from);
  payload[1] = ENDS.indexOf(eol);
  payload.writeUInt16LE(header.length, 2);
  payload.writeDoubleLE(t0 ?? Number.NaN, 8);
  payload.set(header, HEAD);
  payload.set(raw, HEAD + header.length);
  return payload;
}

/** Null if the record is not valid: a journal may come from anywhere. */
export function decodeLine(buf: Buffer, start: number, end: number): WholeLine | null {
  if (end - start < HEAD) return null;
  const from = SPEAKERS[buf[start]!];
  const eol = ENDS[buf[start + 1]!];
  const at = start + HEAD + buf.readUInt16LE(start + 2);
  if (from === undefined || eol === undefined || at > end) return null;
  const t0 = buf.readDoubleLE(start + 8);
  const head = buf.toString('latin1', start + HEAD, at);
  return { from, eol, t0: t0 >= 0 ? t0 : null, head: head === '' ? null : head, start: at };
}
