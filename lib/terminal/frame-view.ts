/** One frame in full: its envelope, then its content as indented JSON, as text, or in hexadecimal. */
import { type Frame, sizeOf } from '../core/frame.ts';
import { parseJson, textOf, toJson } from '../core/message.ts';
import { humanBytes, visible } from '../core/text.ts';
import { tooLarge } from '../core/too-large.ts';
import { shallow } from '../dialects/fields.ts';
import type { Theme } from './theme.ts';

/** The number of bytes shown of binary content, and of a line that is too large to read. */
const SHOWN = 4096;

/** `row`: the frame as in the JSON output. */
export function* frameView(frame: Frame, row: Record<string, unknown>, theme: Theme): Generator<string> {
  const facts: [string, unknown][] = [
    ['frame', `f${frame.f} of ${row.session}`],
    ['at', `${row.at} (${frame.t.toFixed(6)} s)`],
    ['from', frame.from],
    ['kind', (row.kinds as string[]).join(', ') || null],
    ['turn', row.turn === null ? null : `${row.turn}${row.step === null ? '' : `, step ${row.step}`}`],
    ['envelope', row.envelope === 'none' ? null : row.envelope],
    ['method', row.method],
    ['id', row.id === null ? null : toJson(row.id)],
    ['size', frame.form === 'event' ? null : humanBytes(sizeOf(frame))],
    ['line end', frame.form === 'event' || frame.eol === '\n' ? null : frame.eol === '' ? 'none (cut off)' : 'CRLF'],
    ['first byte', frame.t0 === null ? null : `${frame.t0.toFixed(6)} s`],
  ];
  for (const [name, value] of facts) {
    if (value !== null) yield `${theme.dim(name.padEnd(10))} ${visible(String(value))}\n`;
  }
  const text = textOf(frame.raw);
  const why = frame.form === 'event' ? null : tooLarge(frame, text);
  if (why === null) return yield `\n${content(frame)}\n`;
  const shown = frame.raw.subarray(0, SHOWN);
  yield `\n${text === null ? hexDump(shown) : visible(text.slice(0, SHOWN))}…\n\n`;
  yield theme.warn(`${why}: the line was not parsed, and this is only its start\n`);
  yield `the whole line: wiretape show ${visible(String(row.session))}#f${frame.f} --raw > FILE\n`;
}

function content(frame: Frame): string {
  if (frame.form === 'event') return visible(JSON.stringify({ event: frame.event, ...frame.detail }, null, 2), true);
  const text = textOf(frame.raw);
  if (text === null) return hexDump(frame.raw);
  const value = parseJson(text);
  const plain = visible(text);
  return value === undefined ? plain : shallow(() => visible(JSON.stringify(value, null, 2), true), plain);
}

function hexDump(bytes: Uint8Array): string {
  const rows: string[] = [];
  for (let i = 0; i < Math.min(bytes.length, SHOWN); i += 16) {
    const part = bytes.subarray(i, i + 16);
    const hex = Array.from(part, (b) => b.toString(16).padStart(2, '0')).join(' ');
    const text = Array.from(part, (b) => (b >= 0x20 && b < 0x7f ? String.fromCharCode(b) : '.')).join('');
    rows.push(`${i.toString(16).padStart(8, '0')}  ${hex.padEnd(47)}  ${text}`);
  }
  if (bytes.length > SHOWN) rows.push(`… ${humanBytes(bytes.length)} in total`);
  return rows.join('\n');
}
