/**
 * The nouns of a tape, free of Node: a frame is one line that crossed the pipe, or one event, numbered over all streams.
 * A frame keeps the exact bytes of its line; what they mean is derived later, by others.
 */

export type Stream = 'client' | 'agent' | 'stderr';
export type From = Stream | 'proc';

export const STREAMS: readonly Stream[] = ['client', 'agent', 'stderr'];

/** How a line is kept: verbatim JSON, a JSON string, or base64. `event` is no line at all. */
export type Form = 'message' | 'text' | 'bytes' | 'event';

export type Eol = '\n' | '\r\n' | '';

export interface Frame {
  f: number;
  /** Seconds since `started_at`, of the chunk that ended the line. */
  t: number;
  /** When the first byte of the line came, if that was in an earlier chunk. */
  t0: number | null;
  from: From;
  form: Form;
  /** The line without its end, exactly as it crossed the pipe; empty for events. */
  raw: Uint8Array;
  /** The line is longer than readers hold: `raw` is only its first part. */
  readonly cut?: Cut;
  /** The same as text, null if it is not UTF-8; absent where it must be decoded. */
  readonly text?: string | null;
  eol: Eol;
  /** `eof`, `spawn`, `exit`, ... for events, else null. */
  event: string | null;
  /** What else an event says. */
  detail: Record<string, unknown>;
}

/** What a frame lacks whose line is too long to be held. */
export interface Cut {
  /** So many bytes of the line are not in `raw`. */
  bytes: number;
  /** All of the line, in blocks, each valid until the next one; as long as the tape is there. */
  whole(): Iterable<Uint8Array>;
}

/** Bytes of its line, without its end. */
export function sizeOf({ raw, cut }: Pick<Frame, 'raw' | 'cut'>): number {
  return raw.length + (cut?.bytes ?? 0);
}

/** Of all that is no event. */
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

/** Microseconds since the epoch as ISO 8601 with microseconds, which `Date` cannot do. */
export function isoMicros(micros: number): string {
  const whole = Math.floor(micros / 1000);
  const rest = String(Math.round(micros - whole * 1000)).padStart(3, '0');
  return `${new Date(whole).toISOString().slice(0, -1)}${rest}Z`;
}

/** The inverse of `isoMicros`, tolerant of fewer digits; NaN where it is no time. */
export function microsOf(iso: string): number {
  const fraction = /\.(\d+)Z$/.exec(iso)?.[1] ?? '';
  const seconds = Date.parse(fraction ? iso.replace(`.${fraction}`, '') : iso);
  return seconds * 1000 + Number(fraction.padEnd(6, '0').slice(0, 6));
}
