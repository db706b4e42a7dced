/**
 * Long lists, printed line by line. Columns are as wide as their content, and the last one takes the rest of the line.
 * Empty columns are left out. If the line is too narrow, low-priority columns are dropped first, then the widest
 * columns are shortened, but never the first. (cli-table3 takes 130 µs per row, too long for ten thousand sessions.)
 */
import { cells, clip } from '../../model/text/text.ts';
import type { TableCell } from './table.ts';
import type { Theme } from './theme.ts';

const GAP = '  ';
/** The least useful width of the last column, unless the caller gives one. */
const LAST_WIDTH = 16;
/** No column is made narrower than this. */
const MIN_WIDTH = 8;
/** The least room before the tail of a cell. */
const MIN_WIDTH_BEFORE_TAIL = 6;

/** A cell without colour is just its text, which saves memory in long lists. */
export type ListRow = (TableCell | string)[];

const textIn = (cell: TableCell | string): string => (typeof cell === 'string' ? cell : cell.text);

/**
 * `right`: right-aligned columns. `spare`: low-priority columns, in the order in which they are dropped. `least`: the width
 * that the last column should have. `whole`: columns that are never shortened, besides the first.
 */
export function* list(
  head: string[],
  rows: ListRow[],
  columns: number,
  theme: Theme,
  right: number[] = [],
  spare: number[] = [],
  least = LAST_WIDTH,
  whole: number[] = [],
): Generator<string> {
  const last = head.length - 1;
  const { shown, widths } = fitColumns(head, rows, columns, spare, least, whole);
  const line = (row: ListRow): string => {
    let out = '';
    for (const i of shown) {
      const cell = row[i]!;
      const text = textIn(cell);
      const paint = typeof cell === 'string' ? undefined : cell.paint;
      const part = Number.isFinite(columns) ? cutCell(cell, widths[i]!) : text;
      const painted = paint && part ? paint(part) : part;
      if (i === last) return `${`${out}${painted}`.trimEnd()}\n`;
      const blanks = ' '.repeat(widths[i]! - cells(part));
      out += `${right.includes(i) ? blanks + painted : painted + blanks}${GAP}`;
    }
    return `${out}\n`;
  };
  yield line(head.map((text) => ({ text, paint: theme.dim })));
  for (const row of rows) yield line(row);
}

export function cutCell(cell: TableCell | string, width: number): string {
  const text = textIn(cell);
  const tail = typeof cell === 'string' ? '' : (cell.tail ?? '');
  const room = width - cells(tail);
  if (tail === '' || room < MIN_WIDTH_BEFORE_TAIL || cells(text) <= width) return clip(text, width);
  const before = text.slice(0, -tail.length);
  // The end of a path stays a part of it: with a blank it would look like another one.
  return /\s$/.test(before) ? `${clip(before.trimEnd(), room - 1)} ${tail}` : `${clip(before, room)}${tail}`;
}

/** The columns that fit, and their widths. */
function fitColumns(head: string[], rows: ListRow[], columns: number, spare: number[], least: number, whole: number[]) {
  const last = head.length - 1;
  const widths = head.map(() => 0);
  for (const row of rows) {
    for (let i = 0; i < last; i++) widths[i] = Math.max(widths[i]!, cells(textIn(row[i]!)));
  }
  let shown = head.map((_, i) => i).filter((i) => i === 0 || i === last || widths[i]! > 0);
  for (const i of shown) widths[i] = Math.max(widths[i]!, cells(head[i]!));
  const left = () => columns - shown.slice(0, -1).reduce((sum, i) => sum + widths[i]! + GAP.length, 0);
  const dropped = spare.filter((i) => {
    const drop = left() < least && shown.includes(i);
    if (drop) shown = shown.filter((other) => other !== i);
    return drop;
  });
  // Dropping a wide column may have made room for a narrow one that was dropped before it.
  for (const i of dropped.reverse()) {
    if (left() - widths[i]! - GAP.length >= least) shown = [...shown, i].sort((a, b) => a - b);
  }
  const elastic = shown.slice(1, -1).filter((i) => !whole.includes(i));
  while (left() < least) {
    const widest = elastic.reduce((most, i) => (most === 0 || widths[i]! > widths[most]! ? i : most), 0);
    if (widest === 0 || widths[widest]! <= MIN_WIDTH) break;
    widths[widest]!--;
  }
  widths[last] = Math.max(8, left());
  return { shown, widths };
}
