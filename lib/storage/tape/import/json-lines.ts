/** Files of JSON lines, and what becomes of lines that cannot be read. */

import { hasTooManyValues } from '../../../model/json/too-large.ts';
import { isObject, parseJson, textOf } from '../../../model/message.ts';
import { incompleteBytes } from '../line-judge.ts';
import { readLines } from '../read.ts';
import type { ForeignRecord, ImportEntry, ImportFindings } from './source.ts';

export interface JsonLine {
  number: number;
  /** Valid until the next line is read; only the first part of a line that is too long to hold. */
  line: Buffer;
  /** Of all of it. */
  length: number;
  /** Null if the line is not a JSON object, or too large to parse. */
  value: ForeignRecord | null;
  whole: boolean;
}

/** The lines of a file, without blank ones. */
export function* jsonLines(path: string): Generator<JsonLine> {
  let number = 0;
  for (const { line, long, whole } of readLines(path)) {
    number++;
    const value = long ? undefined : parseJson(textOf(line));
    if (value === undefined && line.toString('latin1', 0, 64).trim() === '' && line.length <= 64) continue;
    yield { number, line, length: long?.length ?? line.length, value: isObject(value) ? value : null, whole };
  }
}

/** The part of an unreadable line that is kept: readers must be able to hold the event. */
const MAX_HELD_BYTES = 4 << 20;

/** Keeps a line that does not belong to the format as an event in its place, so that it does not count as traffic. */
export function unreadEvent(findings: ImportFindings, record: JsonLine, file?: string): ImportEntry {
  const { number, line, length } = record;
  findings.unread++;
  const most = Math.min(line.length, MAX_HELD_BYTES);
  const held = Buffer.from(line.subarray(0, most < length ? most - incompleteBytes(line, 0, most) : most));
  const text = textOf(held);
  const detail = {
    ...(file === undefined ? {} : { file }),
    line: number,
    why: whyUnread(record),
    size: length,
    ...(text === null ? { held_base64: held.toString('base64') } : { held: text }),
  };
  return { is: 'event', at: null, from: 'proc', event: 'unread', detail };
}

function whyUnread({ value, whole, line, length }: JsonLine): string {
  if (value) return 'no known record';
  if (length > line.length) return `too long: only its first ${line.length} bytes are kept`;
  if (hasTooManyValues(textOf(line) ?? '')) return 'too many JSON values';
  return whole ? 'not a JSON object' : 'torn';
}
