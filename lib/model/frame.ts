/**
 * The parts of a tape. A frame is one line that crossed the pipe, or one event, numbered across all streams. It keeps
 * the exact bytes of its line; their meaning is derived later.
 */

import { announcedLength } from './content-length.ts';

export type Stream = 'client' | 'agent' | 'stderr';
export type From = Stream | 'proc';

export const STREAMS: readonly Stream[] = ['client', 'agent', 'stderr'];

/** How a line is stored: verbatim JSON, a JSON string, or base64. An `event` has no line. */
export type Form = 'message' | 'text' | 'bytes' | 'event';

export type Eol = '\n' | '\r\n' | '';

export interface Frame {
  f: number;
  /** When the chunk that ended the line arrived, in seconds since `started_at`. */
  t: number;
  /** When the first byte of the line arrived, if that was in an earlier chunk. */
  t0: number | null;
  from: From;
  form: Form;
  /** The header of a Content-Length frame, exactly as it crossed the pipe: then the line is its body. */
  readonly head?: string | undefined;
  /** The line without its line end, exactly as it crossed the pipe; empty for events. */
  raw: Uint8Array;
  /** Looks at the bytes of `raw` where they are, if that is possible: making a view of them takes longer than most reads. */
  look?<T>(see: (bytes: Uint8Array, start: number, end: number) => T): T;
  /** The length of `raw`, where that is known without making it. */
  readonly size?: number;
  /** Set if the line is too long to keep in memory: `raw` is only its first part. */
  readonly cut?: LineRemainder;
  /** `raw` as text, null if it is not UTF-8; absent if it has not been decoded. */
  readonly text?: string | null;
  /** Empty for the last line of a stream, if it has no end, and for every body. */
  eol: Eol;
  /** `eof`, `spawn`, `exit`, ... for events, else null. */
  event: string | null;
  /** The other keys of an event. */
  detail: Record<string, unknown>;
}

/** The rest of a line that is too long to keep in memory. */
export interface LineRemainder {
  /** How many bytes of the line are not in `raw`. */
  bytes: number;
  /** The whole line in blocks, each valid until the next one, as long as the tape exists. */
  whole(): Iterable<Uint8Array>;
}

/** The length of the line in bytes, without its line end. */
export function sizeOf(frame: Pick<Frame, 'raw' | 'size' | 'cut'>): number {
  return (frame.size ?? frame.raw.length) + (frame.cut?.bytes ?? 0);
}

/** How many bytes crossed the pipe for it: its line with the line end, or its header and body. */
export function bytesOf(frame: Pick<Frame, 'raw' | 'size' | 'cut' | 'head' | 'eol'>): number {
  return (frame.head?.length ?? 0) + sizeOf(frame) + frame.eol.length;
}

const utf8 = new TextEncoder();

/** These bytes in blocks, each valid until the next one. */
export function* blocksOf({ raw, cut, head, eol }: Pick<Frame, 'raw' | 'cut' | 'head' | 'eol'>): Generator<Uint8Array> {
  if (head) yield utf8.encode(head);
  if (cut) yield* cut.whole();
  else yield raw;
  if (eol !== '') yield utf8.encode(eol);
}

/** Whether its end is missing: the line feed, or the rest of the body. */
export function isCutOff(frame: Pick<Frame, 'raw' | 'size' | 'cut' | 'head' | 'eol'>): boolean {
  const { head, eol } = frame;
  return head ? sizeOf(frame) < (announcedLength(head) ?? 0) : eol === '';
}

/** The detail of every frame that is not an event. */
export const NO_DETAIL: Record<string, unknown> = Object.freeze({});

export interface Metadata {
  type: 'metadata';
  wiretape: number;
  session: string;
  /** ISO 8601, UTC, microseconds. */
  started_at: string;
  command: string[];
  cwd: string;
  recorder: string;
  [key: string]: unknown;
}

export interface Seal {
  type: 'seal';
  f: number;
  t: number;
  at: string;
  sha256: string;
  final?: boolean;
  recovered?: boolean;
}

/** The tape format this version writes. */
export const FORMAT = 1;

/** The latest minute that was written, and how: many times are asked for in a row. */
let minute = 0;
let writtenMinute = '1970-01-01T00:00:';
const TWO_DIGITS = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, '0'));
const THREE_DIGITS = Array.from({ length: 1000 }, (_, n) => String(n).padStart(3, '0'));

/** The years that are written with four digits. A recording may claim any time, and `Date` throws at some. */
const FIRST_MOMENT = Date.parse('0000-01-01T00:00:00Z') * 1000;
const LAST_MOMENT = Date.parse('9999-12-31T23:59:59Z') * 1000;

/** Never an invalid date: times beyond these years are their ends, and what is no number is the epoch. */
export function dateOf(micros: number): Date {
  return new Date(clampMicros(micros) / 1000);
}

function clampMicros(micros: number): number {
  return Number.isNaN(micros) ? 0 : Math.min(Math.max(micros, FIRST_MOMENT), LAST_MOMENT);
}

/** Microseconds since the epoch as ISO 8601 with microseconds, which `Date` does not support. Takes any number. */
export function isoMicros(micros: number): string {
  const whole = Math.round(clampMicros(micros));
  // So late that a quotient is rounded, the next minute may be found.
  const near = Math.floor(whole / 60e6);
  const minutes = near * 60e6 > whole ? near - 1 : near;
  if (minutes !== minute) {
    writtenMinute = new Date(minutes * 60_000).toISOString().slice(0, -'00.000Z'.length);
    minute = minutes;
  }
  const rest = whole - minutes * 60e6;
  const all = Math.floor(rest / 1000);
  const seconds = Math.floor(all / 1000);
  return `${writtenMinute}${TWO_DIGITS[seconds]}.${THREE_DIGITS[all - seconds * 1000]}${THREE_DIGITS[rest - all * 1000]}Z`;
}

/** The inverse of `isoMicros`. Accepts fewer digits; NaN if it is not a time, or not of a year that has four digits. */
export function microsOf(iso: string): number {
  const fraction = /\.(\d+)Z$/.exec(iso)?.[1] ?? '';
  const seconds = Date.parse(fraction ? iso.replace(`.${fraction}`, '') : iso);
  const micros = seconds * 1000 + Number(fraction.padEnd(6, '0').slice(0, 6));
  return micros >= FIRST_MOMENT && micros < LAST_MOMENT + 1e6 ? micros : Number.NaN;
}
