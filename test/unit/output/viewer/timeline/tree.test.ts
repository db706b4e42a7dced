import { describe, expect, it } from 'vitest';
import type { FrameTable } from '../../../../../lib/output/viewer/source.ts';
import { FOUND, foundRows, keptWith, Tree } from '../../../../../lib/output/viewer/timeline/tree.ts';
import { rowTable } from './row-table.ts';

// 0 turn, 1 step, 2 text, 3 call, 4 text of a subagent, 5 turn, 6 text, 7 log
const ROWS = rowTable([
  { kind: 'turn' },
  { kind: 'step', depth: 1 },
  { kind: 'text', depth: 2 },
  { kind: 'tool-call', depth: 2 },
  { kind: 'text', depth: 3 },
  { kind: 'turn' },
  { kind: 'text', depth: 1 },
  { kind: 'log' },
]);

const shown = (tree: Tree): number[] => Array.from({ length: tree.count }, (_, index) => tree.row(index));

/** Frame n * 10 is in row n. */
const FRAMES: FrameTable = {
  count: ROWS.count,
  f: (index) => index * 10,
  indexOf: (f) => f / 10,
  rowOf: (f) => f / 10,
  column: () => Promise.reject(new Error('not needed')),
};
const hits = (...indices: number[]) => {
  const bytes = new Uint8Array(ROWS.count);
  for (const index of indices) bytes[index] = 1;
  return bytes;
};

describe('Tree', () => {
  it('shows everything at first', () => {
    expect(shown(new Tree(ROWS))).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it('hides what is inside a closed row, and shows it as it was when it is opened', () => {
    const tree = new Tree(ROWS);
    tree.setOpen(3, false);
    tree.setOpen(0, false);
    expect(shown(tree)).toEqual([0, 5, 6, 7]);
    tree.setOpen(0, true);
    expect(shown(tree)).toEqual([0, 1, 2, 3, 5, 6, 7]);
  });

  it('closes and opens level by level', () => {
    const tree = new Tree(ROWS);
    expect(tree.setLevel(false)).toBe(true);
    expect(shown(tree)).toEqual([0, 1, 2, 3, 5, 6, 7]);
    tree.setLevel(false);
    expect(shown(tree)).toEqual([0, 1, 5, 6, 7]);
    tree.setLevel(false);
    expect(shown(tree)).toEqual([0, 5, 7]);
    expect(tree.setLevel(false)).toBe(false);
    tree.setLevel(true);
    expect(shown(tree)).toEqual([0, 1, 5, 6, 7]);
    tree.setAll(true);
    expect(tree.setLevel(true)).toBe(false);
  });

  it('finds a row, or the row that hides it', () => {
    const tree = new Tree(ROWS);
    tree.setOpen(1, false);
    expect(tree.indexOf(5)).toBe(2);
    expect(tree.indexOf(4)).toBe(-1);
    expect(tree.nearest(4)).toBe(1);
    tree.reveal(4);
    expect(tree.indexOf(4)).toBe(4);
  });

  it('knows the place of a row among those beside it', () => {
    const tree = new Tree(ROWS);
    expect(tree.place(0)).toEqual({ at: 1, of: 3 });
    expect(tree.place(3)).toEqual({ at: 2, of: 2 });
    expect(tree.place(7)).toEqual({ at: 3, of: 3 });
    tree.keep(foundRows(ROWS, FRAMES, hits(3, 7)));
    expect(tree.place(2)).toEqual({ at: 1, of: 1 });
    expect(tree.place(3)).toEqual({ at: 2, of: 2 });
  });

  it('shows what a query found and the rows that contain it', () => {
    const tree = new Tree(ROWS);
    tree.keep(foundRows(ROWS, FRAMES, hits(4, 7)));
    expect(shown(tree)).toEqual([0, 1, 3, 4, 7]);
    tree.setOpen(0, false);
    expect(shown(tree)).toEqual([0, 7]);
    tree.keep(null);
    expect(shown(tree)).toEqual([0, 5, 6, 7]);
  });

  it('shows nothing of an empty session', () => {
    const tree = new Tree(rowTable([]));
    expect(tree.count).toBe(0);
    expect(tree.nearest(-1)).toBe(-1);
  });
});

describe('foundRows', () => {
  it('tells a row that was found from one that contains it', () => {
    const found = foundRows(ROWS, FRAMES, hits(3, 4));
    expect([...found]).toEqual([2, 2, 0, FOUND.self | FOUND.inside, FOUND.self, 0, 0, 0]);
  });

  it('keeps a row that the query hides, if it must be shown', () => {
    const found = foundRows(ROWS, FRAMES, hits(7));
    expect([...keptWith(found, ROWS, 2)]).toEqual([2, 2, 2, 0, 0, 0, 0, 1]);
    expect(keptWith(found, ROWS, 7)).toBe(found);
    expect(keptWith(found, ROWS, -1)).toBe(found);
  });
});
