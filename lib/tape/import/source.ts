/**
 * What every foreign format comes down to: frames in the file's own order, each with its time and its exact bytes, and
 * findings about the session. A source says what its file says; what the file cannot know is a note, never a guess.
 * It is read twice, line by line: once to learn what goes into the first line of the tape, once to write the frames.
 */
import type { Eol, From } from '../../core/frame.ts';
import { isObject, parseJson, textOf } from '../../core/message.ts';
import { hasTooManyValues } from '../../core/too-large.ts';
import { cutOff } from '../line-judge.ts';
import { readLines } from '../read.ts';

export type Loose = Record<string, unknown>;

/** A line that is too long to be held: in blocks, each valid until the next one, as often as somebody asks. */
export interface InBlocks {
  length: number;
  blocks(): Iterable<Uint8Array>;
}

/** Times are microseconds since the epoch; null: the file does not tell. */
export type Entry =
  | { is: 'line'; at: number | null; begunAt: number | null; from: From; raw: Uint8Array | InBlocks; eol: Eol }
  | { is: 'event'; at: number | null; from: From; event: string; detail: Loose };

export class Findings {
  command: string[] = [];
  cwd = '';
  dialect: string | null = null;
  /** Where the file tells it apart from the time of its first frame. */
  startedAt: number | null = null;
  /** More keys for the first line of the tape. */
  metadata: Loose = {};
  /** What somebody wrote about this one session. */
  remarks: string[] = [];
  /** What the file cannot know, or what was not as it should be. */
  readonly notes = new Set<string>();
  /** Lines of the file that became no line of the session; each is kept as an `unread` event. */
  unread = 0;
}

export interface Source {
  format: string;
  /** The file or folder that the session is said to come from. */
  path: string;
  /** Its lines are not those that crossed the pipe: they were put together from what the file holds. */
  rebuilt: boolean;
  read(findings: Findings): Generator<Entry>;
}

export interface Format {
  name: string;
  /** Judges by the first lines that are JSON objects. */
  recognise(first: readonly Loose[]): boolean;
  open(path: string): Source;
}

export interface JsonLine {
  number: number;
  /** Valid until the next one is asked for; of one that is too long to be held, the first part. */
  line: Buffer;
  /** Of all of it. */
  length: number;
  /** Null where the line is no JSON object, or too large to be read. */
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

/** More of a line that cannot be read than this is not kept: as an event it must be one that readers can hold. */
const HELD = 4 << 20;

/** A line that is no record of its format: kept where it stood, as an event, so that nobody takes it for traffic. */
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
  if (length > line.length) return `too long to be read: only its first ${line.length} bytes are kept`;
  if (hasTooManyValues(textOf(line) ?? '')) return 'too many values to be read';
  return whole ? 'not a JSON object' : 'torn';
}

/** A time that a session can have, or null. */
export function microsFrom(value: unknown, perUnit: number): number | null {
  if (typeof value !== 'number') return null;
  const micros = Math.round(value * perUnit);
  return micros > 0 && micros < LATEST ? micros : null;
}

/** The year 2129, which is as far as session ids go. */
export const LATEST = Date.UTC(2129, 0, 1) * 1000;

/** Several files as one, by their times; each stays in its own order, and of equals the first file comes first. */
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
