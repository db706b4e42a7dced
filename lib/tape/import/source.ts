/**
 * What every foreign format comes down to: frames in the file's own order, each with its time and its exact bytes, and
 * findings about the session. A source says what its file says; what the file cannot know is a note, never a guess.
 * It is read twice, line by line: once to learn what goes into the first line of the tape, once to write the frames.
 */
import type { Eol, From } from '../../core/frame.ts';
import { isObject, parseJson, textOf } from '../../core/message.ts';
import { readLines } from '../read.ts';

export type Loose = Record<string, unknown>;

/** Times are microseconds since the epoch; null: the file does not tell. */
export type Entry =
  | { is: 'line'; at: number | null; begunAt: number | null; from: From; raw: Uint8Array; eol: Eol }
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
  /** Valid until the next one is asked for. */
  line: Buffer;
  /** Null where the line is no JSON object. */
  value: Loose | null;
  whole: boolean;
}

/** The lines of a file, without blank ones. */
export function* jsonLines(path: string): Generator<JsonLine> {
  let number = 0;
  for (const { line, whole } of readLines(path)) {
    number++;
    const value = parseJson(textOf(line));
    if (value === undefined && line.toString('latin1', 0, 64).trim() === '' && line.length <= 64) continue;
    yield { number, line, value: isObject(value) ? value : null, whole };
  }
}

/** More of a line that cannot be read than this is not kept. */
const HELD = 16 << 20;

/** A line that is no record of its format: kept where it stood, as an event, so that nobody takes it for traffic. */
export function unread(findings: Findings, { number, line, value, whole }: JsonLine, file?: string): Entry {
  findings.unread++;
  const why = value ? 'no known record' : whole ? 'not a JSON object' : 'torn';
  const held = Buffer.from(line.subarray(0, HELD));
  const text = textOf(held);
  const detail = {
    ...(file === undefined ? {} : { file }),
    line: number,
    why,
    size: line.length,
    ...(text === null ? { held_base64: held.toString('base64') } : { held: text }),
  };
  return { is: 'event', at: null, from: 'proc', event: 'unread', detail };
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
