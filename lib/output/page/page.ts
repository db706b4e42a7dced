/**
 * What a page holds: the contract between the exporter, which writes it, and the viewer, which reads it. A page is HTML
 * with inert blocks of base64, one to a line, each gzip-compressed: the head first, then columns of rows and frames, then
 * texts and the tape in chunks that are read on demand. Everything is computed by the same code as in the commands; the
 * viewer only shows it.
 */
import { EVENT_KINDS, type Usage } from '../../model/event.ts';
import type { PAGE_FORMAT } from '../../model/page-format.ts';

/** The lanes of the timeline, from top to bottom. */
export const LANES = [
  ...(['client', 'agent', 'tools', 'approvals', 'subagents', 'stderr', 'noise', 'findings'] as const),
] as const;
export type Lane = (typeof LANES)[number];

/** A row of the tree is a turn, a step, or an item of this kind. */
export const ROW_KINDS = ['turn', 'step', ...EVENT_KINDS] as const;
export type TreeRowKind = (typeof ROW_KINDS)[number];
/** The number of each kind, as rows have it. */
export const KIND = numbered(ROW_KINDS);

/** How it ended. `open`: it never did; its bar goes to the end of the recording. */
export const ROW_STATES = ['done', 'error', 'open', 'denied', 'cancelled', 'interrupted'] as const;
export type RowState = (typeof ROW_STATES)[number];
export const STATE = numbered(ROW_STATES);

function numbered<T extends string>(names: readonly T[]): Readonly<Record<T, number>> {
  return Object.fromEntries(names.map((name, n) => [name, n])) as Record<T, number>;
}

/** Bits of a row. A row has those of the findings at its own frames, not of the rows inside it. */
export const ROW_MARK = {
  /** A finding of `check` at one of its frames. */
  error: 1,
  warning: 2,
  info: 4,
  /** It ran without being asked. */
  unasked: 8,
  /** It was sent again, or replayed from an earlier session. */
  again: 16,
  background: 32,
} as const;

/**
 * The tree in the order in which it is read: a row is followed by the rows inside it. Times are seconds since the session
 * started; NaN: does not apply.
 */
export interface RowTable {
  readonly count: number;
  /** Index in `ROW_KINDS`. */
  readonly kind: Uint8Array;
  readonly depth: Uint8Array;
  /** The row that contains it, or -1. */
  readonly parent: Int32Array;
  /** The index after the last row inside it. */
  readonly end: Uint32Array;
  /** Its first and last frame. */
  readonly f: Uint32Array;
  readonly f_end: Uint32Array;
  readonly t: Float64Array;
  readonly t_end: Float64Array;
  /** Of a call: when its arguments were complete. */
  readonly ready: Float64Array;
  /** From when to when a request to the client was open; an open wait ends with the session. */
  readonly wait: Float64Array;
  readonly wait_end: Float64Array;
  /** When it began to run; it ran until `t_end`. */
  readonly run: Float64Array;
  /** Index in `LANES`. */
  readonly lane: Uint8Array;
  /** Index in `ROW_STATES`. */
  readonly state: Uint8Array;
  readonly marks: Uint8Array;
  /** The number of its turn; 0 outside of turns. */
  readonly turn: Uint32Array;
  /** Index in `agents` of the head; 0 is the main agent. */
  readonly agent: Uint16Array;
  /** How many frames were merged into it. */
  readonly parts: Uint32Array;
}

/** A moment at which tokens or context were reported. */
export interface UsagePoint {
  f: number;
  t: number;
  turn: number | null;
  step: number | null;
  input: number | null;
  cache_read: number | null;
  cache_write: number | null;
  output: number | null;
  /** Tokens in the context, and how many fit; their quotient if only that is known. */
  used: number | null;
  size: number | null;
  share: number | null;
  compaction: boolean;
}

/** What is known before anything else is read. All of it is what the commands print as JSON. */
export interface SessionHead {
  session: string;
  /** As `ls --json`. */
  summary: Record<string, unknown>;
  /** As `stats --json`. */
  stats: Record<string, unknown>;
  /** The model, the mode, capabilities: what the handshake said. */
  handshake: Record<string, unknown>;
  /** Microseconds since the epoch. */
  started: number;
  /** Seconds; the end of the last frame. */
  duration: number;
  frames: number;
  rows: number;
  /** The main agent is the empty string; then subagents by id. */
  agents: string[];
  counts: {
    approvals: number;
    findings: { error: number; warning: number; info: number };
    open: number;
    /** Lines. */
    stderr: number;
  };
  /** The first words of each prompt, for the list of turns. At most 500; the tree has all. */
  turns: {
    n: number;
    row: number;
    f: number;
    t: number;
    t_end: number;
    prompt: string;
    status: string | null;
    usage: Usage;
  }[];
  /** Frames a bucket, for the overview: 2,048 of equal length. */
  density: number[];
  /** The tape in the page. `part`: the query that chose its frames, if it is not the whole tape. */
  tape: { bytes: number; sha256: string; chunks: number; part: string | null };
  /** What was replaced before the page was written; null: nothing was. */
  redaction: { kinds: Record<string, number>; text: boolean } | null;
}

export interface PageHead {
  format: typeof PAGE_FORMAT;
  version: string;
  /** One, or two that are compared. */
  sessions: SessionHead[];
  /** The frame to begin at, if the address names none. */
  focus?: number;
}

/**
 * What the detail pane and the conversation show of a row: a row of the timeline as `show --json` has it, without what is
 * empty (`leanRow` in model/timeline/json.ts), and without the rows of the frames that it was made of.
 */
export type RowBody = Record<string, unknown>;
