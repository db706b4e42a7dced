import { expect, it } from 'vitest';
import { Order } from '../../../../../lib/output/viewer/frames/columns.ts';

const hits = new Uint8Array([0, 1, 0, 1, 1, 0]);
const rowsOf = (order: Order) => Array.from({ length: order.count }, (_, row) => order.at(row));

it('shows all frames, or those found', () => {
  expect(rowsOf(new Order(3, null, 0, false))).toEqual([0, 1, 2]);
  expect(rowsOf(new Order(6, hits, 3, false))).toEqual([1, 3, 4]);
});

it('can be reversed', () => {
  expect(rowsOf(new Order(3, null, 0, true))).toEqual([2, 1, 0]);
  expect(rowsOf(new Order(6, hits, 3, true))).toEqual([4, 3, 1]);
});

it('finds the row of a frame', () => {
  for (const order of [new Order(6, hits, 3, false), new Order(6, hits, 3, true)]) {
    for (const index of [1, 3, 4]) expect(order.at(order.rowOf(index))).toBe(index);
    for (const index of [0, 2, 5]) expect(order.rowOf(index)).toBe(-1);
  }
  expect(new Order(6, hits, 3, false).near(2)).toBe(0);
  expect(new Order(6, hits, 3, false).near(0)).toBe(-1);
});
