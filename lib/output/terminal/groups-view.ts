/** Sums of the audit by project, client, agent, tool or day, as a table. */
import type { Group, GroupKey } from '../../analysis/audit/groups.ts';
import { cells, visible } from '../../model/text/text.ts';
import { type Line, list } from './list.ts';
import type { Theme } from './theme.ts';
import { wrap } from './wrap.ts';

type Counts = [head: string, get: (group: Group) => string];

const shown = (n: number): string => (n === 0 ? '-' : String(n));
const COUNTS: Counts[] = [
  ['asked', ({ asked }) => shown(asked)],
  ['allowed', ({ allowed, always }) => (always === 0 ? shown(allowed) : `${allowed} (${always} always)`)],
  ['denied', ({ denied }) => shown(denied)],
  ['undecided', ({ undecided }) => shown(undecided)],
  ['unasked', ({ unasked }) => unaskedWords(unasked)],
  ['unknown', ({ unknown }) => shown(unknown)],
];
const ALWAYS = ['asked', 'allowed', 'denied', 'unasked'];

/** The keys are the last columns, because they may be long. If the table is too wide, they are above their totals. */
export function groupTable(keys: readonly GroupKey[], groups: readonly Group[], columns: number, theme: Theme) {
  const counts = COUNTS.filter(([head, get]) => ALWAYS.includes(head) || groups.some((group) => get(group) !== '-'));
  const lines = groups.map((group): Line => {
    const told = counts.map(([head, get]): Line[number] => {
      const text = get(group);
      const paint = { denied: theme.bad, unasked: theme.warn }[head];
      return paint && text !== '-' ? { text, paint } : text;
    });
    return [...told, ...group.values.map(keyText)];
  });
  if (widthOf([[...counts.map(([head]) => head), ...keys], ...lines]) > columns) return blocks(groups, columns, theme);
  const right = counts
    .map(([head]) => head)
    .flatMap((head, at) => (/^(?:asked|denied|un[dk].*)$/.test(head) ? [at] : []));
  const heads = counts.map(([head]) => head);
  return list([...heads, ...keys], lines, columns, theme, right);
}

function widthOf(lines: Line[]): number {
  const widths = lines[0]!.map((_, at) => Math.max(...lines.map((line) => cells(textOf(line[at]!)))));
  return widths.reduce((sum, width) => sum + width + 2, -2);
}

const textOf = (cell: Line[number]): string => (typeof cell === 'string' ? cell : cell.text);

/** The keys on a line, and the sums in words below. */
function* blocks(groups: readonly Group[], columns: number, theme: Theme): Generator<string> {
  for (const group of groups) {
    for (const line of wrap(group.values.map(keyText).join('  '), columns)) yield `${theme.strong(line)}\n`;
    const told = COUNTS.map(([head, get]) => [head, get(group)]).filter(([, text]) => text !== '-');
    const words = told.map(([head, text]) => `${head} ${text}`).join('; ');
    for (const line of wrap(words, columns - 4)) yield `    ${line}\n`;
  }
}

/** `2 grant`, or `3: 2 grant, 1 agent`. */
function unaskedWords(unasked: Group['unasked']): string {
  const parts = Object.entries(unasked).filter(([, n]) => n > 0);
  const sum = parts.reduce((all, [, n]) => all + n, 0);
  const words = parts.map(([by, n]) => `${n} ${by}`).join(', ');
  return parts.length > 1 ? `${sum}: ${words}` : words || '-';
}

function keyText(value: string | null): string {
  return value === null ? '?' : visible(value);
}
