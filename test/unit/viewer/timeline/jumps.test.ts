import { expect, it } from 'vitest';
import { ROW_MARK } from '../../../../lib/page/page.ts';
import { hasFinding, isAsked, isFailed, isTurn, nextRow, type RowTest } from '../../../../lib/viewer/timeline/jumps.ts';
import { rowTable } from './row-table.ts';

const ROWS = rowTable([
  { kind: 'turn', state: 'error' },
  { kind: 'tool-call', depth: 1, state: 'error' },
  { kind: 'approval', depth: 1, marks: ROW_MARK.unasked },
  { kind: 'turn' },
  { kind: 'question', depth: 1, marks: ROW_MARK.info },
  { kind: 'error' },
]);
const walk = (test: RowTest, by: 1 | -1): number[] => {
  const found: number[] = [];
  for (let row = nextRow(ROWS, -1, by, test); row >= 0; row = nextRow(ROWS, row, by, test)) found.push(row);
  return found;
};

it('walks over rows of a kind, forth and back', () => {
  expect(walk(isTurn, 1)).toEqual([0, 3]);
  expect(walk(isTurn, -1)).toEqual([3, 0]);
  expect(walk(isAsked, 1)).toEqual([2, 4]);
  expect(walk(isFailed, 1)).toEqual([1, 5]);
  expect(walk(hasFinding, -1)).toEqual([4]);
});
