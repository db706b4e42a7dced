/**
 * Listings of any length, line by line: columns by their contents, the last one takes what is left of the line. Where
 * little is left, the widest column gives way, but never the first.
 * (A table of cli-table3 takes 130 µs a row, which ten thousand sessions do not have.)
 */
import { cells, clip } from '../core/text.ts';
import type { Cell } from './table.ts';
import type { Theme } from './theme.ts';

const GAP = '  ';
/** So much of the last column is worth having. */
const LAST_WIDTH = 16;

export function* list(head: string[], rows: Cell[][], columns: number, theme: Theme, right: number[] = []) {
  const last = head.length - 1;
  const widths = head.map(cells);
  for (const row of rows) {
    for (let i = 0; i < last; i++) widths[i] = Math.max(widths[i]!, cells(row[i]!.text));
  }
  const left = () => columns - widths.slice(0, last).reduce((sum, width) => sum + width + GAP.length, 0);
  const widest = widths.indexOf(Math.max(...widths.slice(1, last)), 1);
  const missing = LAST_WIDTH - left();
  if (missing > 0 && widths[widest]! > 8) widths[widest] = Math.max(8, widths[widest]! - missing);
  const room = Math.max(8, left());
  const line = (row: Cell[]): string => {
    let out = '';
    row.forEach(({ text, paint }, i) => {
      const width = i === last ? room : widths[i]!;
      const shown = Number.isFinite(columns) ? clip(text, width) : text;
      const blanks = i === last ? '' : ' '.repeat(widths[i]! - cells(shown));
      const painted = paint && shown ? paint(shown) : shown;
      out += `${right.includes(i) ? blanks + painted : painted + blanks}${i === last ? '' : GAP}`;
    });
    return `${out.trimEnd()}\n`;
  };
  yield line(head.map((text) => ({ text, paint: theme.dim })));
  for (const row of rows) yield line(row);
}
