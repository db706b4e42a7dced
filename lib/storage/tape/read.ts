/**
 * Reads a tape line by line. The file may be cut off anywhere, contain garbage, or still grow. Invalid lines are reported
 * as `damaged` and skipped; unknown keys and types are accepted. Only a file whose first line is not metadata of a known
 * format is refused.
 */

import { type Frame, isoMicros, type Metadata, microsOf, type Seal } from '../../model/frame.ts';
import { hasTooManyValues } from '../../model/json/too-large.ts';
import { readOtherLine } from '../../model/tape-line.ts';
import { textOfValue } from '../../model/text/text.ts';
import { LineReader } from './line-reader.ts';
import { readLongFrame } from './long-frame.ts';
import type { LongLine } from './long-line.ts';
import { readPlainFrame } from './plain-frame.ts';
import { Rejoiner } from './rejoin.ts';
import { checkFormat, UnreadableTape } from './unreadable.ts';

export type TapeLine =
  | { is: 'metadata'; metadata: Metadata; line: Buffer }
  /** `joined`: it is made of several lines of an older tape. */
  | { is: 'frame'; frame: Frame; line: Buffer; joined?: true }
  | { is: 'seal'; seal: Seal; line: Buffer }
  | { is: 'unknown'; line: Buffer }
  /** `length`: the length of the whole line; `line` may be only its first part. */
  | { is: 'damaged'; line: Buffer; number: number; length: number }
  /** The last line without its end: the file was cut off here, or is still being written. */
  | { is: 'torn'; line: Buffer; length: number };

/**
 * Every line of the tape, without its line feed, or the first part of a line that is too long to hold. A buffer is valid
 * until the next line is read. If an older tape has Content-Length frames as lines, these are joined, with new numbers, and
 * only the last seal is given.
 */
export function* readTape(path: string): Generator<TapeLine> {
  const reader = new LineReader(path);
  try {
    const first = firstLine(reader);
    yield { is: 'metadata', metadata: parseMetadata(first), line: first };
    const rejoiner = new Rejoiner();
    for (let number = 2, line = reader.next(); line; number++, line = reader.next()) {
      const { long } = reader;
      const entry = parseLine(line, long);
      if (entry?.is === 'frame' && rejoiner.wants(entry.frame))
        yield* joined(rejoiner, rejoiner.take(entry.frame), line);
      else if (entry?.is === 'seal' && rejoiner.isActive) rejoiner.seal = entry.seal;
      else yield entry ?? { is: 'damaged', line, number, length: long?.length ?? line.length };
    }
    yield* joined(rejoiner, rejoiner.end(), NOTHING);
    if (rejoiner.seal) yield { is: 'seal', seal: rejoiner.seal, line: NOTHING };
    const rest = reader.takeRest();
    if (rest) yield { is: 'torn', line: rest.line, length: rest.long?.length ?? rest.line.length };
  } finally {
    reader.close();
  }
}

const NOTHING = Buffer.alloc(0);

function* joined({ isActive }: Rejoiner, frames: readonly Frame[], line: Buffer): Generator<TapeLine> {
  for (const frame of frames) yield { is: 'frame', frame, line, ...(isActive ? { joined: true } : {}) };
}

export function firstLine(reader: LineReader): Buffer {
  const line = reader.next();
  if (line) return line;
  throw new UnreadableTape(reader.rest.length > 0 ? 'the tape ends within its first line' : 'the tape is empty');
}

export interface FileLine {
  line: Buffer;
  /** The whole line, if it is too long to hold and `line` is only its first part. */
  long: LongLine | null;
  /** False for an incomplete last line. */
  whole: boolean;
}

/** The lines of a file as views into a reused buffer. */
export function* readLines(path: string, longest?: number): Generator<FileLine> {
  const reader = new LineReader(path, longest);
  try {
    for (const { line, long } of reader.lines()) yield { line, long, whole: true };
    const rest = reader.takeRest();
    if (rest) yield { line: rest.line, long: rest.long, whole: false };
  } finally {
    reader.close();
  }
}

/** Reads and checks the first line of a tape. */
export function readMetadata(path: string): Metadata {
  const reader = new LineReader(path);
  try {
    return parseMetadata(firstLine(reader));
  } finally {
    reader.close();
  }
}

export function parseMetadata(line: Buffer): Metadata {
  const text = line.toString('utf8');
  if (hasTooManyValues(text)) throw new UnreadableTape('the first line has too many values to be metadata');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UnreadableTape('the first line is not JSON');
  }
  const metadata = value as Metadata;
  if (metadata === null || typeof metadata !== 'object' || metadata.type !== 'metadata') {
    throw new UnreadableTape(
      'the first line is not the metadata of a wiretape tape',
      'wiretape import reads files of other programs',
    );
  }
  return withDefaults(checkFormat(metadata));
}

/** Adds keys that a tape from another program may lack: readers rely on them. */
function withDefaults(metadata: Metadata): Metadata {
  const { session, started_at, command, cwd } = metadata as Record<string, unknown>;
  if (typeof session !== 'string') metadata.session = 'unknown';
  if (typeof started_at !== 'string' || !(microsOf(started_at) >= 0)) metadata.started_at = isoMicros(0);
  metadata.command = Array.isArray(command) ? command.map(textOfValue) : [];
  if (typeof cwd !== 'string') metadata.cwd = '';
  return metadata;
}

/** Parses a line after the first; null if it is not valid. `long`: the whole line, if `line` is only its first part. */
export function parseLine(line: Buffer, long: LongLine | null = null): TapeLine | null {
  const frame = long ? readLongFrame(line, long) : readPlainFrame(line);
  return frame ? { is: 'frame', frame, line } : long ? null : parseOther(line);
}

export function parseOther(line: Buffer): TapeLine | null {
  const entry = readOtherLine(line);
  return entry && { ...entry, line };
}
