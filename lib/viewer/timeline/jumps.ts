/** From row to row: the next error, approval, turn, finding, or whatever a test says. */
import { ROW_KINDS, ROW_MARK, ROW_STATES, type RowKind, type RowState, type RowTable } from '../../page/page.ts';

export type RowTest = (rows: RowTable, row: number) => boolean;

export const kindOf = (rows: RowTable, row: number): RowKind => ROW_KINDS[rows.kind[row]!]!;
export const stateOf = (rows: RowTable, row: number): RowState => ROW_STATES[rows.state[row]!]!;

/** A row that stands for other rows, not for frames of its own. */
export const isBracket: RowTest = (rows, row) => kindOf(rows, row) === 'turn' || kindOf(rows, row) === 'step';

export const isTurn: RowTest = (rows, row) => kindOf(rows, row) === 'turn';
export const isAsked: RowTest = (rows, row) => kindOf(rows, row) === 'approval' || kindOf(rows, row) === 'question';
export const isFailed: RowTest = (rows, row) =>
  kindOf(rows, row) === 'error' || (stateOf(rows, row) === 'error' && !isBracket(rows, row));
export const hasFinding: RowTest = (rows, row) =>
  (rows.marks[row]! & (ROW_MARK.error | ROW_MARK.warning | ROW_MARK.info)) !== 0;

/** The next row after `from` that passes, or the one before it; -1 if there is none. `from` -1: from the first or last. */
export function nextRow(rows: RowTable, from: number, by: 1 | -1, test: RowTest): number {
  const start = from < 0 ? (by > 0 ? 0 : rows.count - 1) : from + by;
  for (let row = start; row >= 0 && row < rows.count; row += by) if (test(rows, row)) return row;
  return -1;
}
