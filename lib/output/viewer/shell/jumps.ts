/** Where the keys that jump go: the next match, error, turn, approval or finding, from where the reader is. */
import { MARK } from '../../../analysis/facts/marks.ts';
import { KIND, ROW_MARK, type RowTable, type TreeRowKind } from '../../page/page.ts';
import type { App, Hits, State } from '../app.ts';
import type { Column, FrameTable } from '../source.ts';

type Direction = 1 | -1;

/** The next index that passes, or -1. `from` itself is not looked at. */
export function nextIndex(count: number, from: number, step: Direction, passes: (index: number) => boolean): number {
  for (let index = from + step; index >= 0 && index < count; index += step) if (passes(index)) return index;
  return -1;
}

/**
 * The row that passes and whose first frame comes next after this one, or before it; -1: none. Rows are not in the order of
 * their frames, because a call stays with its turn.
 */
export function nextRow(rows: RowTable, f: number | null, step: Direction, passes: (row: number) => boolean): number {
  let best = -1;
  for (let row = 0; row < rows.count; row++) {
    const distance = f === null ? rows.f[row]! : (rows.f[row]! - f) * step;
    if (f !== null && distance <= 0) continue;
    const isNearer = best < 0 || distance < (f === null ? rows.f[best]! : (rows.f[best]! - f) * step);
    if (isNearer && passes(row)) best = row;
  }
  return best;
}

const kinds = (...names: TreeRowKind[]) => new Set(names.map((name) => KIND[name]));
const TURN = kinds('turn');
const ASKED = kinds('approval', 'question');
const FOUND = ROW_MARK.error | ROW_MARK.warning | ROW_MARK.info;

export const ROW_TESTS = {
  turn: ({ kind }: RowTable, row: number) => TURN.has(kind[row]!),
  approval: ({ kind }: RowTable, row: number) => ASKED.has(kind[row]!),
  finding: ({ marks }: RowTable, row: number) => (marks[row]! & FOUND) !== 0,
};

/** Whether frames are shown that the query did not find. */
function isVisible({ hits, dim }: Pick<State, 'hits' | 'dim'>, index: number): boolean {
  return hits === null || dim || hits.bytes[index] === 1;
}

/** Jumps to the next row of this sort that the filter shows; false: there is none. */
export function jumpToRow(app: App, sort: keyof typeof ROW_TESTS, step: Direction): boolean {
  const { frames, rows } = app.source;
  const { value } = app.state;
  const passes = (row: number) => ROW_TESTS[sort](rows, row) && isVisible(value, frames.indexOf(rows.f[row]!));
  const row = nextRow(rows, value.f, step, passes);
  if (row >= 0) app.select({ row }, { focus: true, jump: true });
  return row >= 0;
}

function indexOfSelected({ frames }: { frames: FrameTable }, f: number | null, step: Direction): number {
  if (f === null) return step > 0 ? -1 : frames.count;
  return frames.indexOf(f);
}

export async function jumpToError(app: App, step: Direction): Promise<boolean> {
  const { frames } = app.source;
  const marks = await frames.column('marks');
  const { value } = app.state;
  const passes = (index: number) => (numberAt(marks, index) & MARK.error) !== 0 && isVisible(value, index);
  return jumpToIndex(app, nextIndex(frames.count, indexOfSelected(app.source, value.f, step), step, passes));
}

/** The next match; after the last one comes the first. */
export function jumpToHit(app: App, { bytes, count }: Hits, step: Direction): boolean {
  if (count === 0) return false;
  const { frames } = app.source;
  const isHit = (index: number) => bytes[index] === 1;
  const next = nextIndex(frames.count, indexOfSelected(app.source, app.state.value.f, step), step, isHit);
  return jumpToIndex(app, next >= 0 ? next : nextIndex(frames.count, step > 0 ? -1 : frames.count, step, isHit));
}

/** The frame that answers the selected one, or that it answers. */
export async function jumpToPair(app: App): Promise<boolean> {
  const { frames } = app.source;
  const { f } = app.state.value;
  const index = f === null ? -1 : frames.indexOf(f);
  if (index < 0) return false;
  const pair = numberAt(await frames.column('pair_f'), index);
  if (!(pair > 0) || frames.indexOf(pair) < 0) return false;
  app.select({ f: pair }, { focus: true, jump: true });
  return true;
}

export function jumpToParent(app: App): boolean {
  const { row } = app.state.value;
  const parent = row < 0 ? -1 : app.source.rows.parent[row]!;
  if (parent >= 0) app.select({ row: parent }, { focus: true, jump: true });
  return parent >= 0;
}

function jumpToIndex(app: App, index: number): boolean {
  if (index < 0) return false;
  app.select({ f: app.source.frames.f(index) }, { focus: true, jump: true });
  return true;
}

/** NaN: none. */
export function numberAt(column: Column, index: number): number {
  if (column.is === 'numbers') return column.numbers[index]!;
  const value = column.values[column.codes[index]!];
  return typeof value === 'number' ? value : Number.NaN;
}

/** Null: none. */
export function textAt(column: Column, index: number): string | null {
  if (column.is === 'numbers') return String(column.numbers[index]);
  const value = column.values[column.codes[index]!];
  return value === null || value === undefined ? null : String(value);
}
