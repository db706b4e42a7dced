/** Questions about a row of the table, answered from its numbers. */
import {
  KIND,
  ROW_KINDS,
  ROW_MARK,
  ROW_STATES,
  type RowState,
  type RowTable,
  STATE,
  type TreeRowKind,
} from '../../page/page.ts';

export const kindOf = (rows: RowTable, row: number): TreeRowKind => ROW_KINDS[rows.kind[row]!]!;
export const stateOf = (rows: RowTable, row: number): RowState => ROW_STATES[rows.state[row]!]!;

/** A row that stands for other rows, not for frames of its own. */
export const isBracket = ({ kind }: RowTable, row: number): boolean =>
  kind[row] === KIND.turn || kind[row] === KIND.step;
/** Somebody is asked and waited for. */
export const isAsked = ({ kind }: RowTable, row: number): boolean =>
  kind[row] === KIND.approval || kind[row] === KIND.question;
export const isFailed = ({ state, kind }: RowTable, row: number): boolean =>
  state[row] === STATE.error || kind[row] === KIND.error;

/** It never ended: its bar goes to the end of the recording. */
export const isUnfinished = ({ state }: RowTable, row: number): boolean => state[row] === STATE.open;

/** It never got its result or its answer, because the recording ended or because it was cut off: its bar has an open end. */
export function lacksEnd(rows: RowTable, row: number): boolean {
  if (rows.state[row] === STATE.interrupted) return rows.kind[row] === KIND['tool-call'] || isAsked(rows, row);
  return isUnfinished(rows, row);
}

const FINDINGS = ROW_MARK.error | ROW_MARK.warning | ROW_MARK.info;
export const hasFinding = ({ marks }: RowTable, row: number): boolean => (marks[row]! & FINDINGS) !== 0;

/** The worst finding at its frames. */
export function severityOf({ marks }: RowTable, row: number): 'error' | 'warning' | 'info' | null {
  const bits = marks[row]!;
  if (bits & ROW_MARK.error) return 'error';
  if (bits & ROW_MARK.warning) return 'warning';
  return bits & ROW_MARK.info ? 'info' : null;
}

/** The place of each step among the steps beside it, from 1; 0 for other rows. */
export function stepNumbers(rows: RowTable): Uint32Array {
  const numbers = new Uint32Array(rows.count);
  const seen = new Uint32Array(rows.count + 1);
  for (let row = 0; row < rows.count; row++)
    if (rows.kind[row] === KIND.step) numbers[row] = ++seen[rows.parent[row]! + 1]!;
  return numbers;
}
