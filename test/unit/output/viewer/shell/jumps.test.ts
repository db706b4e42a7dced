import { expect, it } from 'vitest';
import type { RowTable } from '../../../../../lib/output/page/page.ts';
import { nextIndex, nextRow } from '../../../../../lib/output/viewer/shell/jumps.ts';

it('goes to the next index that passes, and not beyond the ends', () => {
  const isEven = (index: number) => index % 2 === 0;
  expect(nextIndex(5, -1, 1, isEven)).toBe(0);
  expect(nextIndex(5, 0, 1, isEven)).toBe(2);
  expect(nextIndex(5, 4, 1, isEven)).toBe(-1);
  expect(nextIndex(5, 5, -1, isEven)).toBe(4);
});

it('goes by frames, in whatever order the rows are', () => {
  const rows = { count: 5, f: new Uint32Array([1, 9, 3, 20, 12]) } as RowTable;
  const all = () => true;
  expect(nextRow(rows, null, 1, all)).toBe(0);
  expect(nextRow(rows, 3, 1, all)).toBe(1);
  expect(nextRow(rows, 12, 1, all)).toBe(3);
  expect(nextRow(rows, 20, 1, all)).toBe(-1);
  expect(nextRow(rows, 12, -1, all)).toBe(1);
  expect(nextRow(rows, 12, -1, (row) => row === 0)).toBe(0);
});
