import { describe, expect, it } from 'vitest';
import {
  ROW_KINDS,
  ROW_STATES,
  type RowState,
  type RowTable,
  type TreeRowKind,
} from '../../../../lib/output/page/page.ts';
import {
  conversationRows,
  indentOf,
  indexShowing,
  nearestRow,
  sectionAt,
  sectionsOf,
  turnOf,
} from '../../../../lib/output/viewer/conversation/conversation-rows.ts';

/** Rows by kind, parent and state. */
function tableOf(...rows: [kind: TreeRowKind, parent: number, state?: RowState][]): RowTable {
  return {
    count: rows.length,
    kind: Uint8Array.from(rows, ([kind]) => ROW_KINDS.indexOf(kind)),
    parent: Int32Array.from(rows, ([, parent]) => parent),
    state: Uint8Array.from(rows, ([, , state = 'done']) => ROW_STATES.indexOf(state)),
    end: Uint32Array.from(rows, (_, at) => {
      let end = at + 1;
      while (end < rows.length && isInside(rows, end, at)) end++;
      return end;
    }),
  } as unknown as RowTable;
}

function isInside(rows: readonly [TreeRowKind, number, RowState?][], row: number, around: number): boolean {
  for (let up = rows[row]![1]; up >= 0; up = rows[up]![1]) if (up === around) return true;
  return false;
}

const table = tableOf(
  ['process', -1],
  ['turn', -1],
  ['prompt', 1],
  ['step', 1],
  ['tool-call', 3],
  ['approval', 4],
  ['client-call', 4],
  ['turn-begin', 4],
  ['step', 7],
  ['text', 8],
  ['hook', 3],
  ['hook', 3, 'denied'],
  ['turn', -1],
  ['prompt', 12],
  ['client-call', -1],
);

describe('the conversation', () => {
  it('tells what was said, asked and refused, and nothing else', () => {
    expect([...conversationRows(table, null)]).toEqual([2, 4, 5, 7, 9, 11, 13, 14]);
    expect([...conversationRows(table, (row) => row > 8)]).toEqual([9, 11, 13, 14]);
  });

  it('shows a row by itself, by what is inside it, or by the call that it is in', () => {
    const shown = conversationRows(table, null);
    const shownFor = (row: number) => shown[indexShowing(table, shown, row)] ?? null;
    expect([2, 4, 9].map(shownFor)).toEqual([2, 4, 9]);
    expect([1, 3, 8, 12].map(shownFor)).toEqual([2, 4, 9, 13]);
    expect(shownFor(6)).toBe(4);
    expect([0, 10].map(shownFor)).toEqual([null, null]);
    expect(indexShowing(table, new Uint32Array(0), 3)).toBe(-1);
  });

  it('is divided by turns', () => {
    const shown = conversationRows(table, null);
    expect(sectionsOf(table, shown)).toEqual([
      { from: 0, to: 6, turn: 1 },
      { from: 6, to: 7, turn: 12 },
      { from: 7, to: 8, turn: -1 },
    ]);
    expect(turnOf(table, 9)).toBe(1);
    expect(turnOf(table, 14)).toBe(-1);
  });

  it('divides long turns, and only their first part begins them', () => {
    const long = tableOf(['turn', -1], ...Array.from({ length: 130 }, (): [TreeRowKind, number] => ['text', 0]));
    const sections = sectionsOf(long, conversationRows(long, null));
    expect(sections.map(({ from, to, turn }) => [from, to, turn])).toEqual([
      [0, 60, 0],
      [60, 120, -1],
      [120, 130, -1],
    ]);
    expect([0, 59, 60, 129].map((index) => sectionAt(sections, index))).toEqual([0, 0, 1, 2]);
  });

  it('indents what a subagent says', () => {
    expect([2, 5, 9].map((row) => indentOf(table, row))).toEqual([0, 1, 1]);
  });

  it('shows the nearest of what it tells', () => {
    const shown = conversationRows(table, null);
    expect([0, 4, 6, 8, 99].map((row) => shown[nearestRow(shown, row)])).toEqual([2, 4, 7, 9, 14]);
  });
});
