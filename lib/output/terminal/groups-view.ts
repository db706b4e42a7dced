/** Sums of the audit by project, client, agent, tool or day, as a table. */
import type { ApprovalGroup, GroupKey } from '../../analysis/audit/groups.ts';
import { cells, visible } from '../../model/text/text.ts';
import { type ListRow, list } from './list.ts';
import type { Theme } from './theme.ts';
import { wrap } from './wrap.ts';

type CountColumn = [head: string, get: (group: ApprovalGroup) => string];

const numberOrDash = (n: number): string => (n === 0 ? '-' : String(n));
const COUNTS: CountColumn[] = [
  ['asked', ({ asked }) => numberOrDash(asked)],
  ['allowed', ({ allowed, always }) => (always === 0 ? numberOrDash(allowed) : `${allowed} (${always} always)`)],
  ['denied', ({ denied }) => numberOrDash(denied)],
  ['undecided', ({ undecided }) => numberOrDash(undecided)],
  ['unasked', ({ unasked }) => unaskedWords(unasked)],
  ['refused', ({ refused }) => numberOrDash(refused)],
  ['unknown', ({ unknown }) => numberOrDash(unknown)],
];
const ALWAYS_SHOWN = ['asked', 'allowed', 'denied', 'unasked'];

/** The keys are the last columns, because they may be long. If the table is too wide, they are above their totals. */
export function groupTable(keys: readonly GroupKey[], groups: readonly ApprovalGroup[], columns: number, theme: Theme) {
  const counts = COUNTS.filter(
    ([head, get]) => ALWAYS_SHOWN.includes(head) || groups.some((group) => get(group) !== '-'),
  );
  const lines = groups.map((group): ListRow => {
    const numbers = counts.map(([head, get]): ListRow[number] => {
      const text = get(group);
      const paint = { denied: theme.bad, unasked: theme.warn }[head];
      return paint && text !== '-' ? { text, paint } : text;
    });
    return [...numbers, ...group.values.map(keyText)];
  });
  if (widthOf([[...counts.map(([head]) => head), ...keys], ...lines]) > columns)
    return groupBlocks(groups, columns, theme);
  const right = counts
    .map(([head]) => head)
    .flatMap((head, at) => (/^(?:asked|denied|refused|un[dk].*)$/.test(head) ? [at] : []));
  const heads = counts.map(([head]) => head);
  return list([...heads, ...keys], lines, columns, theme, right);
}

function widthOf(lines: ListRow[]): number {
  const widths = lines[0]!.map((_, at) => Math.max(...lines.map((line) => cells(textOf(line[at]!)))));
  return widths.reduce((sum, width) => sum + width + 2, -2);
}

const textOf = (cell: ListRow[number]): string => (typeof cell === 'string' ? cell : cell.text);

/** The keys on a line, and the sums in words below. */
function* groupBlocks(groups: readonly ApprovalGroup[], columns: number, theme: Theme): Generator<string> {
  for (const group of groups) {
    for (const line of wrap(group.values.map(keyText).join('  '), columns)) yield `${theme.strong(line)}\n`;
    const nonZero = COUNTS.map(([head, get]) => [head, get(group)]).filter(([, text]) => text !== '-');
    const words = nonZero.map(([head, text]) => `${head} ${text}`).join('; ');
    for (const line of wrap(words, columns - 4)) yield `    ${line}\n`;
  }
}

/** `2 grant`, or `3: 2 grant, 1 agent`. */
function unaskedWords(unasked: ApprovalGroup['unasked']): string {
  const parts = Object.entries(unasked).filter(([, n]) => n > 0);
  const sum = parts.reduce((all, [, n]) => all + n, 0);
  const words = parts.map(([by, n]) => `${n} ${by}`).join(', ');
  return parts.length > 1 ? `${sum}: ${words}` : words || '-';
}

function keyText(value: string | null): string {
  return value === null ? '?' : visible(value);
}
