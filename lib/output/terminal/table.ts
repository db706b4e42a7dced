/** Short tables without borders. Columns are as wide as their content; the last one takes the rest of the line. */
import CliTable from 'cli-table3';
import { cells, clip } from '../../model/text/text.ts';
import type { Theme } from './theme.ts';

const GAP = 2;
const NO_BORDER = Object.fromEntries(
  ['top', 'bottom', 'left', 'right', 'mid'].flatMap((side) =>
    ['', '-mid', '-left', '-right'].map((part) => [`${side}${part}`, '']),
  ),
);

export interface TableCell {
  /** Already safe to print. */
  text: string;
  /** The end of the text, which a list keeps when it shortens the cell. */
  tail?: string;
  paint?: (text: string) => string;
}

export function table(
  head: string[],
  rows: TableCell[][],
  columns: number,
  theme: Theme,
  right: number[] = [],
): string {
  const last = head.length - 1;
  const widths = head.map((title, i) => Math.max(cells(title), ...rows.map((row) => cells(row[i]!.text))));
  const before = widths.slice(0, last).reduce((sum, width) => sum + width + GAP, 0);
  const room = Math.max(8, columns - before);
  const out = new CliTable({
    head: head.map((title) => theme.dim(title)),
    chars: { ...NO_BORDER, middle: ' '.repeat(GAP) },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0, compact: true },
    colAligns: head.map((_, i) => (right.includes(i) ? 'right' : 'left')),
  });
  for (const row of rows) {
    out.push(
      row.map(({ text, paint }, i) => {
        const shown = i === last && Number.isFinite(room) ? clip(text, room) : text;
        return paint ? paint(shown) : shown;
      }),
    );
  }
  return `${out.toString().replace(/[ \t]+$/gm, '')}\n`;
}
