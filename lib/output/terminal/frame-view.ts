/** One frame in full: its envelope, then its content as indented JSON, as text, or in hexadecimal. */

import { walkOrDefault } from '../../dialects/common/fields.ts';
import { type Frame, isCutOff, sizeOf } from '../../model/frame.ts';
import { describeJoinedLine } from '../../model/json/joined-messages.ts';
import { describeTooLarge } from '../../model/json/too-large.ts';
import { parseJson, textOf, toJson } from '../../model/message.ts';
import { maskedText, maskedValue } from '../../model/text/mask.ts';
import { humanBytes, visible } from '../../model/text/text.ts';
import type { Theme } from './theme.ts';

/** The number of bytes shown of binary content, and of a line that is too large to read. */
const MAX_RAW_BYTES = 4096;
/** Without --full, this many characters are shown of each text in a line, and of the line. */
const MAX_TEXT_CHARS = 2000;
const MAX_CHARS = 16_000;

/** `row`: the frame as in the JSON output. `full`: a long line is not cut. */
export function* frameView(frame: Frame, row: Record<string, unknown>, theme: Theme, full = false): Generator<string> {
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
    ['header', frame.head?.trimEnd().replaceAll(/\r?\n/g, '; ') ?? null],
    ['line end', lineEnd(frame)],
    ['first byte', frame.t0 === null ? null : `${frame.t0.toFixed(6)} s`],
  ];
  for (const [name, value] of facts) {
    if (value !== null) yield `${theme.dim(name.padEnd(10))} ${visible(String(value))}\n`;
  }
  const text = textOf(frame.raw);
  const why = frame.form === 'event' ? null : describeTooLarge(frame, text);
  const itself = `wiretape show ${visible(String(row.session))}#f${frame.f}`;
  if (why === null) {
    const { shown, isCut } = contentText(frame, full);
    yield `\n${shown}\n`;
    yield* problemLines(frame, theme);
    if (isCut) yield theme.warn(`\n${humanBytes(sizeOf(frame))} in total; all of it: ${itself} --full\n`);
    return;
  }
  const shown = frame.raw.subarray(0, MAX_RAW_BYTES);
  yield `\n${text === null ? hexDump(shown) : visible(maskedText(text.slice(0, MAX_RAW_BYTES + MAX_CHARS)).slice(0, MAX_RAW_BYTES))}…\n\n`;
  yield theme.warn(`${why}: the line was not parsed, and this is only its start\n`);
  yield `the whole line: ${itself} --raw > FILE\n`;
}

function* problemLines(frame: Frame, theme: Theme): Generator<string> {
  const joined = frame.form === 'text' && frame.from !== 'stderr' ? describeJoinedLine(frame) : null;
  if (joined) yield theme.warn(`\nnot valid JSON: ${joined}\n`);
}

function lineEnd(frame: Frame): string | null {
  if (frame.form === 'event' || frame.eol === '\n') return null;
  if (frame.head) return isCutOff(frame) ? 'none (the rest of the body is missing)' : null;
  return frame.eol === '' ? 'none (cut off)' : 'CRLF';
}

function contentText(frame: Frame, full: boolean): { shown: string; isCut: boolean } {
  if (frame.form === 'event')
    return cutText(JSON.stringify(maskedValue({ event: frame.event, ...frame.detail }), null, 2), full, false);
  const text = textOf(frame.raw);
  if (text === null) return { shown: hexDump(frame.raw), isCut: false };
  const value = maskedValue(parseJson(text));
  let isShortened = false;
  const shorten = (_: string, one: unknown) => {
    if (full || typeof one !== 'string' || one.length <= MAX_TEXT_CHARS) return one;
    isShortened = true;
    return `${one.slice(0, MAX_TEXT_CHARS)}… (${humanBytes(Buffer.byteLength(one))})`;
  };
  const json = value === undefined ? null : walkOrDefault(() => JSON.stringify(value, shorten, 2), null);
  return json === null ? cutText(text, full, false, false) : cutText(json, full, isShortened);
}

function cutText(text: string, full: boolean, isCut: boolean, keepLines = true): { shown: string; isCut: boolean } {
  if (full || text.length <= MAX_CHARS) return { shown: visible(text, keepLines), isCut };
  return { shown: `${visible(maskedText(text).slice(0, MAX_CHARS), keepLines)}…`, isCut: true };
}

function hexDump(bytes: Uint8Array): string {
  const rows: string[] = [];
  for (let i = 0; i < Math.min(bytes.length, MAX_RAW_BYTES); i += 16) {
    const part = bytes.subarray(i, i + 16);
    const hex = Array.from(part, (b) => b.toString(16).padStart(2, '0')).join(' ');
    const text = Array.from(part, (b) => (b >= 0x20 && b < 0x7f ? String.fromCharCode(b) : '.')).join('');
    rows.push(`${i.toString(16).padStart(8, '0')}  ${hex.padEnd(47)}  ${text}`);
  }
  if (bytes.length > MAX_RAW_BYTES) rows.push(`… ${humanBytes(bytes.length)} in total`);
  return rows.join('\n');
}
