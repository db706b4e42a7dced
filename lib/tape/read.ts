/**
 * Reads a tape line by line, from a file that may be cut off anywhere, hold garbage in the middle, or still grow. What
 * cannot be read is reported as `damaged` and passed over; unknown keys and types are accepted. Only a file whose first
 * line is not metadata of a known format is refused.
 */
import {
  type Eol,
  type Form,
  type Frame,
  type From,
  isoMicros,
  type Metadata,
  microsOf,
  NO_DETAIL,
  type Seal,
} from '../core/frame.ts';
import { LineReader } from './line-reader.ts';
import { readOwnFrame } from './own-frame.ts';
import { UnreadableTape } from './unreadable.ts';
import { checkFormat } from './upgrade.ts';

export type TapeLine =
  | { is: 'metadata'; metadata: Metadata; line: Buffer }
  | { is: 'frame'; frame: Frame; line: Buffer }
  | { is: 'seal'; seal: Seal; line: Buffer }
  | { is: 'unknown'; line: Buffer }
  | { is: 'damaged'; line: Buffer; number: number }
  /** The last line, without its end: the file was cut off here, or its writer is in the middle of it. */
  | { is: 'torn'; line: Buffer };

/** Every line of the tape, `line` without its line feed. A buffer is valid until the next line is asked for. */
export function* readTape(path: string): Generator<TapeLine> {
  const reader = new LineReader(path);
  try {
    const first = firstLine(reader);
    yield { is: 'metadata', metadata: parseMetadata(first), line: first };
    for (let number = 2, line = reader.next(); line; number++, line = reader.next()) {
      yield parseLine(line) ?? { is: 'damaged', line, number };
    }
    if (reader.rest.length > 0) yield { is: 'torn', line: reader.rest };
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
export function* readFrames(path: string): Generator<Frame> {
  const reader = new LineReader(path);
  try {
    checkMetadata(firstLine(reader));
    while (reader.advance()) {
      const { buffer, start, end } = reader;
      const frame = readOwnFrame(buffer, start, end) ?? otherFrame(buffer.subarray(start, end));
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

/** The lines of a file as views into a reused buffer. */
export function* readLines(path: string): Generator<{ line: Buffer; whole: boolean }> {
  const reader = new LineReader(path);
  try {
    for (const { line } of reader.lines()) yield { line, whole: true };
    if (reader.rest.length > 0) yield { line: reader.rest, whole: false };
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

/** One line after the first, or null where it makes no sense. */
export function parseLine(line: Buffer): TapeLine | null {
  const frame = readOwnFrame(line);
  return frame ? { is: 'frame', frame, line } : parseOther(line);
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

type Loose = Record<string, unknown>;

function tryParse(text: string): Loose | null {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Loose) : null;
  } catch {
    return null;
  }
}

/** Three hundred years, in seconds: no time beyond it makes sense. */
const LONGEST = 1e10;
const SPEAKERS = new Set(['client', 'agent', 'stderr', 'proc']);

function isFrameHead(value: Loose): boolean {
  const { f, t, from } = value;
  return (
    Number.isSafeInteger(f) &&
    (f as number) > 0 &&
    typeof t === 'number' &&
    t >= 0 &&
    t < LONGEST &&
    SPEAKERS.has(from as string)
  );
}

function isSeal(value: Loose): value is Loose & Seal {
  return (
    Number.isInteger(value.f) &&
    typeof value.t === 'number' &&
    typeof value.at === 'string' &&
    typeof value.sha256 === 'string'
  );
}

function makeFrame(head: Loose, form: Form, raw: Buffer): Frame {
  const { f, t, t0, from, event, eol } = head;
  return {
    f: f as number,
    t: t as number,
    t0: typeof t0 === 'number' ? t0 : null,
    from: from as From,
    form,
    raw,
    eol: eol === '' || eol === '\r\n' ? (eol as Eol) : '\n',
    event: form === 'event' ? (event as string) : null,
    detail: form === 'event' ? detailOf(head) : NO_DETAIL,
  };
}

const OF_EVERY_FRAME = new Set(['f', 't', 't0', 'from', 'event', 'eol', 'message', 'text', 'bytes']);

function detailOf(head: Loose): Loose {
  const detail: Loose = {};
  for (const key of Object.keys(head)) {
    if (OF_EVERY_FRAME.has(key)) continue;
    if (key !== '__proto__') detail[key] = head[key];
    else Object.defineProperty(detail, key, { value: head[key], enumerable: true, configurable: true, writable: true });
  }
  return detail;
}
