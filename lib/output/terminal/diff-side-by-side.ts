/** The values of a difference side by side: the first session on the left, the second on the right. */

import { describePath } from '../../analysis/diff/pointer.ts';
import type { Change } from '../../analysis/diff/result.ts';
import { inlineValue, rowsOf, shownValues } from '../../analysis/diff/value-lines.ts';
import { cells, visible } from '../../model/text/text.ts';
import { type ChangeStyle, showIn } from './diff-changes.ts';
import { plural } from './words.ts';
import { wrap } from './wrap.ts';

const SEPARATOR = ' │ ';
/** Rows that are shown without --full. */
const MAX_ROWS = 24;

/** Safe to print and painted, without line ends. */
export function changeColumns(change: Change, style: ChangeStyle): string[] {
  const { theme, columns, full } = style;
  const width = Math.floor((columns - SEPARATOR.length) / 2);
  const [a, b] = shownValues(change);
  const path = visible(describePath(change));
  const short = change.op === 'changed' ? [inlineValue(a), inlineValue(b)] : [];
  const isShort = short.length === 2 && short.every((word) => word !== null && cells(`${path}  ${word}`) <= width);
  if (isShort) {
    const left = `${path}  ${short[0]}`;
    const gap = ' '.repeat(width - cells(left));
    return [`${theme.dim(path)}  ${theme.bad(short[0]!)}${gap}${theme.dim(SEPARATOR)}${theme.good(short[1]!)}`];
  }
  const rows = rowsOf(change.op, a, b, showIn(theme)).flatMap(({ left, right }) => wrapBoth(left, right, width));
  const shown = full || rows.length <= MAX_ROWS + 1 ? rows : rows.slice(0, MAX_ROWS);
  const lines = shown.map(({ left, right, same }) => {
    const [was, is] = same ? [theme.dim(left), theme.dim(right)] : [theme.bad(left), theme.good(right)];
    return `${was}${' '.repeat(Math.max(0, width - cells(left)))}${theme.dim(SEPARATOR.trimEnd())}${right === '' ? '' : ` ${is}`}`;
  });
  const rest = rows.length - shown.length;
  return [
    ...(path === '' ? [] : [theme.dim(path)]),
    ...lines,
    ...(rest > 0 ? [theme.dim(`… ${plural(rest, 'more line')} (--full)`)] : []),
  ];
}

interface SideBySideRow {
  left: string;
  right: string;
  same: boolean;
}

/** Both cells, wrapped to their width. */
function wrapBoth(left: string | null, right: string | null, width: number): SideBySideRow[] {
  const [ofLeft, ofRight] = [left, right].map((text) => (text === null ? [] : wrap(text, width)));
  const same = left !== null && left === right;
  return Array.from({ length: Math.max(ofLeft!.length, ofRight!.length) }, (_, i) => {
    return { left: ofLeft![i] ?? '', right: ofRight![i] ?? '', same };
  });
}
