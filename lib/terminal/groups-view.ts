/** Sums of the audit by project, client, agent, tool or day, as a table. */
import type { Group, GroupKey } from '../audit/groups.ts';
import { visible } from '../core/text.ts';
import { type Line, list } from './list.ts';
import type { Theme } from './theme.ts';

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
const LEAST = 12;
/** So much of the end of a path is kept. */
const TAIL = 16;

/** The keys stand last, because they may be long. */
export function groupTable(keys: readonly GroupKey[], groups: readonly Group[], columns: number, theme: Theme) {
  const counts = COUNTS.filter(([head, get]) => ALWAYS.includes(head) || groups.some((group) => get(group) !== '-'));
  const lines = groups.map((group): Line => {
    const told = counts.map(([head, get]): Line[number] => {
      const text = get(group);
      const paint = { denied: theme.bad, unasked: theme.warn }[head];
      return paint && text !== '-' ? { text, paint } : text;
    });
    return [...told, ...group.values.map((value) => keyCell(value))];
  });
  const right = counts
    .map(([head]) => head)
    .flatMap((head, at) => (/^(?:asked|denied|un[dk].*)$/.test(head) ? [at] : []));
  const heads = counts.map(([head]) => head);
  return list([...heads, ...keys], lines, columns, theme, right, [], LEAST);
}

/** `2 grant`, or `3: 2 grant, 1 agent`. */
function unaskedWords(unasked: Group['unasked']): string {
  const parts = Object.entries(unasked).filter(([, n]) => n > 0);
  const sum = parts.reduce((all, [, n]) => all + n, 0);
  const words = parts.map(([by, n]) => `${n} ${by}`).join(', ');
  return parts.length > 1 ? `${sum}: ${words}` : words || '-';
}

function keyCell(value: string | null): Line[number] {
  const text = value === null ? '?' : visible(value);
  const end = text.slice(text.lastIndexOf('/', text.length - 2));
  return text.startsWith('/') ? { text, tail: end.slice(-TAIL) } : text;
}
