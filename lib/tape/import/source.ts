/**
 * The common form of all foreign formats: frames in the order of the file, with their times and exact bytes, and findings
 * about the session. A source never guesses: what the file does not contain becomes a note. It is read twice, line by
 * line: once for the first line of the tape, and once for the frames.
 */
import type { Eol, From } from '../../core/frame.ts';
import { isObject, parseJson, textOf } from '../../core/message.ts';
import { hasTooManyValues } from '../../core/too-large.ts';
import { cutOff } from '../line-judge.ts';
import { readLines } from '../read.ts';

export type Loose = Record<string, unknown>;

/** A line that is too long to hold, in blocks. Each block is valid until the next one. */
export interface InBlocks {
  length: number;
  blocks(): Iterable<Uint8Array>;
}

/** Times are microseconds since the epoch; null if the file does not contain them. */
export type Entry =
  | { is: 'line'; at: number | null; begunAt: number | null; from: From; raw: Uint8Array | InBlocks; eol: Eol }
  | { is: 'event'; at: number | null; from: From; event: string; detail: Loose };

export class Findings {
  command: string[] = [];
  cwd = '';
  dialect: string | null = null;
  /** The start, if the file has it besides the time of the first frame. */
  startedAt: number | null = null;
  /** Additional keys for the first line of the tape. */
  metadata: Loose = {};
  /** Comments about this session. */
  remarks: string[] = [];
  /** What the file does not contain, and what is wrong with it. */
  readonly notes = new Set<string>();
  /** Lines that could not be read; each is kept as an `unread` event. */
  unread = 0;
}

export interface Source {
  format: string;
  /** The file or folder that is named as the source of the session. */
  path: string;
  /** Its lines are not the original traffic, but rebuilt from the file. */
  rebuilt: boolean;
  read(findings: Findings): Generator<Entry>;
}

export interface Format {
  name: string;
  /** Detects the format from the first lines that are JSON objects. */
  recognise(first: readonly Loose[]): boolean;
  open(path: string): Source;
}

export interface JsonLine {
  number: number;
  /** Valid until the next line is read; only the first part of a line that is too long to hold. */
  line: Buffer;
  /** Of all of it. */
  length: number;
  /** Null if the line is not a JSON object, or too large to parse. */
  value: Loose | null;
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
const HELD = 4 << 20;

/** Keeps a line that does not belong to the format as an event in its place, so that it does not count as traffic. */
export function unread(findings: Findings, record: JsonLine, file?: string): Entry {
  const { number, line, length } = record;
  findings.unread++;
  const most = Math.min(line.length, HELD);
  const held = Buffer.from(line.subarray(0, most < length ? most - cutOff(line, 0, most) : most));
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

/** A valid time for a session, or null. */
export function microsFrom(value: unknown, perUnit: number): number | null {
  if (typeof value !== 'number') return null;
  const micros = Math.round(value * perUnit);
  return micros > 0 && micros < LATEST ? micros : null;
}

/** The year 2129, the limit of session ids. */
export const LATEST = Date.UTC(2129, 0, 1) * 1000;

/** Merges several files by time. Each file keeps its order; at equal times, earlier files come first. */
export function* inOrderOfTime(streams: Generator<Entry>[]): Generator<[entry: Entry, stream: number]> {
  const next = streams.map((stream) => stream.next());
  for (;;) {
    let first = -1;
    let time = Number.POSITIVE_INFINITY;
    next.forEach(({ done, value }, i) => {
      const at = done ? Number.POSITIVE_INFINITY : ((value as Entry).at ?? 0);
      if (at >= time) return;
      first = i;
      time = at;
    });
    if (first < 0) return;
    yield [next[first]!.value as Entry, first];
    next[first] = streams[first]!.next();
  }
}
