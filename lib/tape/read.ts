/**
 * Reads a tape line by line, from a file that may be cut off anywhere, hold garbage in the middle, or still grow. What
 * cannot be read is reported as `damaged` and passed over; unknown keys and types are accepted. Only a file whose first
 * line is not metadata of a known format is refused.
 */
import { type Frame, isoMicros, type Metadata, microsOf, type Seal } from '../core/frame.ts';
import { isFrameHead, isSeal, makeFrame, tryParse } from './frame-head.ts';
import { LineReader } from './line-reader.ts';
import { readLongFrame } from './long-frame.ts';
import type { LongLine } from './long-line.ts';
import { readOwnFrame } from './own-frame.ts';
import { UnreadableTape } from './unreadable.ts';
import { checkFormat } from './upgrade.ts';

export type TapeLine =
  | { is: 'metadata'; metadata: Metadata; line: Buffer }
  | { is: 'frame'; frame: Frame; line: Buffer }
  | { is: 'seal'; seal: Seal; line: Buffer }
  | { is: 'unknown'; line: Buffer }
  /** `length`: of all of it, where the line is only its first part. */
  | { is: 'damaged'; line: Buffer; number: number; length: number }
  /** The last line, without its end: the file was cut off here, or its writer is in the middle of it. */
  | { is: 'torn'; line: Buffer; length: number };

/**
 * Every line of the tape, `line` without its line feed; of one that is too long to be held, its first part. A buffer is
 * valid until the next line is asked for.
 */
export function* readTape(path: string): Generator<TapeLine> {
  const reader = new LineReader(path);
  try {
    const first = firstLine(reader);
    yield { is: 'metadata', metadata: parseMetadata(first), line: first };
    for (let number = 2, line = reader.next(); line; number++, line = reader.next()) {
      const { long } = reader;
      yield parseLine(line, long) ?? { is: 'damaged', line, number, length: long?.length ?? line.length };
    }
    const rest = reader.takeRest();
    if (rest) yield { is: 'torn', line: rest.line, length: rest.long?.length ?? rest.line.length };
  } finally {
    reader.close();
  }
}

function firstLine(reader: LineReader): Buffer {
  const line = reader.next();
  if (line) return line;
  throw new UnreadableTape(reader.rest.length > 0 ? 'the tape ends within its first line' : 'the tape is empty');
}

/** The frames of a tape alone. */
export function* readFrames(path: string, longest?: number): Generator<Frame> {
  const reader = new LineReader(path, longest);
  try {
    checkMetadata(firstLine(reader));
    while (reader.advance()) {
      const { buffer, start, end, long } = reader;
      const frame = long
        ? readLongFrame(buffer.subarray(start, end), long)
        : (readOwnFrame(buffer, start, end) ?? otherFrame(buffer.subarray(start, end)));
      if (frame) yield frame;
    }
  } finally {
    reader.close();
  }
}

function otherFrame(line: Buffer): Frame | null {
  const entry = parseOther(line);
  return entry?.is === 'frame' ? entry.frame : null;
}

export interface FileLine {
  line: Buffer;
  /** All of it, where it is too long to be held and `line` is only its first part. */
  long: LongLine | null;
  /** False for a last line without its end. */
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

/** The first line of a tape, checked. */
export function readMetadata(path: string): Metadata {
  const reader = new LineReader(path);
  try {
    return parseMetadata(firstLine(reader));
  } finally {
    reader.close();
  }
}

export function parseMetadata(line: Buffer): Metadata {
  return withDefaults(checkMetadata(line));
}

function checkMetadata(line: Buffer): Metadata {
  let value: unknown;
  try {
    value = JSON.parse(line.toString('utf8'));
  } catch {
    throw new UnreadableTape('the first line is not JSON');
  }
  const metadata = value as Metadata;
  if (metadata === null || typeof metadata !== 'object' || metadata.type !== 'metadata') {
    throw new UnreadableTape('the first line is not the metadata of a wiretape tape', 'is this a tape of wiretape?');
  }
  return checkFormat(metadata);
}

/** A tape made by other hands may lack what ours always have; readers rely on it being there. */
function withDefaults(metadata: Metadata): Metadata {
  const { session, started_at, command, cwd } = metadata as Record<string, unknown>;
  if (typeof session !== 'string') metadata.session = 'unknown';
  if (typeof started_at !== 'string' || !(microsOf(started_at) >= 0)) metadata.started_at = isoMicros(0);
  metadata.command = Array.isArray(command) ? command.map(String) : [];
  if (typeof cwd !== 'string') metadata.cwd = '';
  return metadata;
}

const CONTENT_KEYS = ['message', 'text', 'bytes'] as const;
const CLOSING_BRACE = 0x7d;
const MESSAGE_KEY = Buffer.from('"message":');

/** One line after the first, or null where it makes no sense. `long`: the line is only the first part of this one. */
export function parseLine(line: Buffer, long: LongLine | null = null): TapeLine | null {
  const frame = long ? readLongFrame(line, long) : readOwnFrame(line);
  return frame ? { is: 'frame', frame, line } : long ? null : parseOther(line);
}

function parseOther(line: Buffer): TapeLine | null {
  const message = parseMessageFrame(line);
  if (message) return { is: 'frame', frame: message, line };
  const value = tryParse(line.toString('utf8'));
  if (!value) return null;
  if (value.type === 'seal') return isSeal(value) ? { is: 'seal', seal: value, line } : null;
  if (typeof value.type === 'string' && value.f === undefined) return { is: 'unknown', line };
  if (!isFrameHead(value)) return null;
  const form = CONTENT_KEYS.find((key) => key in value);
  if (form === 'text' && typeof value.text === 'string') {
    return { is: 'frame', frame: makeFrame(value, 'text', Buffer.from(value.text)), line };
  }
  if (form === 'bytes' && typeof value.bytes === 'string') {
    return { is: 'frame', frame: makeFrame(value, 'bytes', Buffer.from(value.bytes, 'base64')), line };
  }
  if (form === undefined && typeof value.event === 'string') {
    return { is: 'frame', frame: makeFrame(value, 'event', Buffer.alloc(0)), line };
  }
  return null;
}

/**
 * The raw line is the slice between `"message":` and the closing brace: that key is always the last one. The same
 * words can stand earlier only inside the value of a key that this version does not know, hence a few tries.
 */
function parseMessageFrame(line: Buffer): Frame | null {
  if (line[line.length - 1] !== CLOSING_BRACE) return null;
  for (let at = line.indexOf(MESSAGE_KEY), tries = 0; at > 0 && tries < 4; tries++) {
    const head = tryParse(`${line.toString('utf8', 0, at)}"message":0}`);
    if (head && isFrameHead(head) && head.event === undefined) {
      return makeFrame(head, 'message', line.subarray(at + MESSAGE_KEY.length, line.length - 1));
    }
    at = line.indexOf(MESSAGE_KEY, at + 1);
  }
  return null;
}
