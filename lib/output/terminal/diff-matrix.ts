/** Many sessions side by side: a row for each value that is not the same in all of them. */

import type { Matrix, MatrixRow } from '../../analysis/diff/matrix.ts';
import { describePath } from '../../analysis/diff/pointer.ts';
import { shownValues } from '../../analysis/diff/value-lines.ts';
import { toJson } from '../../model/message.ts';
import { clip, visible } from '../../model/text/text.ts';
import type { DiffStyle } from './diff-entry.ts';
import { plural } from './words.ts';

/** `·` as in the first session, a letter for another value, `-` for none. */
const LETTERS = '·bcdefghijklmnopqrstuvwxyz';

function letterOf(cell: number, { cells: [first] }: MatrixRow): string {
  // Values that the first session lacks are all others.
  return cell < 0 ? '-' : (LETTERS[first === -1 ? cell + 1 : cell] ?? '?');
}

export function* matrixText({ sides, rows }: Matrix, { columns, theme }: DiffStyle): Generator<string> {
  for (const [i, { session, name, agent, agent_version }] of sides.entries()) {
    const program = [agent, agent_version].filter((word) => word !== null).join(' ');
    const words = [name === null ? session : `${name} (${session})`, program].filter((word) => word !== '');
    yield `${theme.strong(String(i + 1).padStart(String(sides.length).length))}  ${clip(visible(words.join('  ')), columns - 6)}\n`;
  }
  let section = '';
  for (const row of groupRows(rows)) {
    if (row.section !== section) yield `\n${theme.strong(row.section)}\n`;
    section = row.section;
    yield* rowText(row, sides.length, columns, theme);
  }
  yield `\n${rows.length === 0 ? 'no differences' : `${plural(rows.length, 'row')} differ`}\n`;
}

/** Fewer similar rows are listed one by one. */
const MIN_GROUP = 3;

/** One row for a value that many elements of a list have in the same sessions. */
function groupRows(rows: readonly MatrixRow[]): MatrixRow[] {
  const groups = new Map<string, MatrixRow[]>();
  for (const row of rows) {
    const { section, what, value, cells, values } = row;
    const key = toJson([section, what, withoutIndices(value), cells, values]);
    const known = groups.get(key);
    if (known) known.push(row);
    else groups.set(key, [row]);
  }
  return [...groups.values()].flatMap((group) => {
    const [{ element: _, ...first }] = group as [MatrixRow, ...MatrixRow[]];
    if (group.length < MIN_GROUP || withoutIndices(first.value) === first.value) return group;
    return [{ ...first, value: `${withoutIndices(first.value)} (×${group.length})` }];
  });
}

const withoutIndices = (pointer: string): string => pointer.replace(/(?<=\/)\d+(?=\/)/g, '*');

function* rowText(row: MatrixRow, size: number, columns: number, theme: DiffStyle['theme']): Generator<string> {
  const { cells, path, what, values } = row;
  const first = cells.findIndex((cell, i) => i > 0 && cell !== cells[0]) + 1;
  const marks = cells
    .map((cell) => (cell === cells[0] ? theme.dim(letterOf(cell, row)) : theme.warn(letterOf(cell, row))))
    .join(' ');
  const place =
    row.section === 'conversation'
      ? path
          .replace(/^\/turn\/(\d+)/, 't$1')
          .replaceAll(/\/step\/(\d+)/g, ' s$1')
          .replaceAll(/\/[\w-]+\/\d+/g, '')
      : '';
  const words = [place, visible(what), visible(describePath({ ...row, path: row.value }))]
    .filter((word) => word !== '')
    .join('  ');
  const room = Math.max(20, columns - size * 2 - 12);
  yield `${marks}  ${theme.dim(`from ${first}`)}  ${clip(words, room)}\n`;
  const margin = ' '.repeat(size * 2 + 1);
  for (const [i, one] of values.entries()) {
    const shown = shownValues({ ...row, op: 'removed', path: row.value, a: one, b: null })[0];
    const text = typeof shown === 'string' ? shown : toJson(shown);
    if (values.length === 1 && text === what) continue;
    yield `${margin}${theme.dim(`${letterOf(i, row)} ${clip(visible(text.slice(0, 1000)), Math.max(20, Math.min(columns, 160) - margin.length - 3))}`)}\n`;
  }
}
