/**
 * The common form of all foreign formats: frames in the order of the file, with their times and exact bytes, and findings
 * about the session. A source never guesses: what the file does not contain becomes a note. It is read twice, line by
 * line: once for the first line of the tape, and once for the frames.
 */
import type { Eol, From } from '../../../model/frame.ts';
import type { BlockedLine } from '../partial-line.ts';

export type ForeignRecord = Record<string, unknown>;

/** Times are microseconds since the epoch; null if the file does not contain them. */
export type ImportEntry =
  | {
      is: 'line';
      at: number | null;
      begunAt: number | null;
      from: From;
      raw: Uint8Array | BlockedLine;
      eol: Eol;
      /** The header of a Content-Length frame, whose body is `raw`. */
      head?: string | null;
    }
  | { is: 'event'; at: number | null; from: From; event: string; detail: ForeignRecord };

export class ImportFindings {
  command: string[] = [];
  cwd = '';
  dialect: string | null = null;
  /** The start, if the file has it in addition to the time of the first frame. */
  startedAt: number | null = null;
  /** Additional keys for the first line of the tape. */
  metadata: ForeignRecord = {};
  /** Comments about this session. */
  remarks: string[] = [];
  /** What the file does not contain, and what is wrong with it. */
  readonly notes = new Set<string>();
  /** Lines that could not be read; each is kept as an `unread` event. */
  unread = 0;
}

export interface ImportSource {
  format: string;
  /** The file or folder that is named as the source of the session. */
  path: string;
  /** Its lines are not the original traffic, but rebuilt from the file. */
  rebuilt: boolean;
  read(findings: ImportFindings): Generator<ImportEntry>;
}

export interface ImportFormat {
  name: string;
  /** Detects the format from the first lines that are JSON objects. */
  recognise(first: readonly ForeignRecord[]): boolean;
  open(path: string): ImportSource;
}

/** A valid time for a session, or null. */
export function microsFrom(value: unknown, perUnit: number): number | null {
  if (typeof value !== 'number') return null;
  const micros = Math.round(value * perUnit);
  return micros > 0 && micros < MAX_START_MICROS ? micros : null;
}

/** The year 2129, the limit of session ids. */
export const MAX_START_MICROS = Date.UTC(2129, 0, 1) * 1000;

/** Merges several files by time. Each file keeps its order; at equal times, earlier files come first. */
export function* inOrderOfTime(streams: Generator<ImportEntry>[]): Generator<[entry: ImportEntry, stream: number]> {
  const next = streams.map((stream) => stream.next());
  for (;;) {
    let first = -1;
    let time = Number.POSITIVE_INFINITY;
    next.forEach(({ done, value }, i) => {
      const at = done ? Number.POSITIVE_INFINITY : ((value as ImportEntry).at ?? 0);
      if (at >= time) return;
      first = i;
      time = at;
    });
    if (first < 0) return;
    yield [next[first]!.value as ImportEntry, first];
    next[first] = streams[first]!.next();
  }
}
