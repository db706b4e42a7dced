/**
 * Where the viewer gets a session from: a page now, a live feed later. Nothing in the viewer knows which. Whatever is not
 * in `head` is read when it is first asked for, and kept as long as there is room.
 */

import type { FactName } from '../../analysis/facts/table.ts';
import type { Frame } from '../../model/frame.ts';
import type { RowBody, RowTable, SessionHead, UsagePoint } from '../page/page.ts';

/** A fact of all frames. Codes are indices of `values`; `values[0]` is null. Numbers: NaN is null. */
export type Column =
  | { is: 'coded'; codes: Uint8Array | Uint16Array | Uint32Array; values: readonly unknown[] }
  | { is: 'numbers'; numbers: Float64Array | Uint32Array };

export interface FrameTable {
  readonly count: number;
  /** The number of the frame at this index: not the same, because a part of a tape keeps its numbers. */
  f(index: number): number;
  /** -1 if there is no such frame. */
  indexOf(f: number): number;
  /** The deepest row that has this frame, or -1. */
  rowOf(f: number): number;
  /** `piece`: a `PiecePosition` of model/text/searchable.ts, what a frame adds to a text that arrives in pieces. */
  column(name: FactName | 'piece'): Promise<Column>;
}

/** A line of the tape. */
export interface SourceLine {
  /** As it stands on the tape, without its line feed. */
  bytes: Uint8Array;
  frame: Frame;
}

export interface FrameSource {
  readonly head: SessionHead;
  readonly frames: FrameTable;
  readonly rows: RowTable;
  /** One line of text for a row, or null if it must be loaded first. */
  label(row: number): string | null;
  loadLabels(from: number, to: number): Promise<void>;
  body(row: number): Promise<RowBody>;
  line(f: number): Promise<SourceLine>;
  /** Lines in order, for searches: a chunk at a time. */
  chunk(n: number): Promise<readonly SourceLine[]>;
  /** The chunk that has the line of the frame at this index of `frames`. */
  chunkAt(index: number): number;
  /** As `approvals --all --json`, each with `what` it is about; as `approvals --summary --json`, `check --json`, `why --json`. */
  approvals(): Promise<Record<string, unknown>[]>;
  audit(): Promise<Record<string, unknown>>;
  findings(): Promise<Record<string, unknown>[]>;
  /** As `check --explain RULES --json`, of the rules in `findings`. */
  rules(): Promise<Record<string, unknown>[]>;
  why(): Promise<Record<string, unknown>[]>;
  usage(): Promise<UsagePoint[]>;
  /** The exact tape, in pieces. */
  tape(): AsyncGenerator<Uint8Array>;
}
