/** One row of the table: made once, painted for whatever frame comes into sight. */
import { humanBytes, humanSeconds, visible } from '../../core/text.ts';
import { MARK } from '../../facts/marks.ts';
import { offset } from '../format.ts';
import { h } from '../h.ts';
import { numberAt, textAt } from '../shell/jumps.ts';
import type { Columns } from './columns.ts';
import type { FRAME_WORDS } from './words.ts';

export const CELLS = ['f', 'time', 'from', 'kind', 'name', 'turn', 'tool', 'size', 'latency', 'pair', 'text'] as const;
export type Cell = (typeof CELLS)[number];

/** Who sent it: a sign and a word, and a colour as well. */
const SIGNS: Record<string, string> = { client: '▸', agent: '◂', stderr: '≡', proc: '○' };

export function makeRow(): HTMLElement {
  return h(
    'div',
    { class: 'frames-row', role: 'row' },
    ...CELLS.map((cell) => h('span', { class: `frames-${cell}`, role: 'gridcell' })),
  );
}

export interface Painted {
  f: number;
  index: number;
  row: number;
  words: (typeof FRAME_WORDS)['en'];
  text: string | null;
  isSelected: boolean;
  isPair: boolean;
  isDim: boolean;
  isMarked: boolean;
  isFocused: boolean;
}

export function paintRow(element: HTMLElement, columns: Columns, row: Painted): void {
  const { f, index, words } = row;
  const from = textAt(columns.from, index) ?? '';
  const kind = textAt(columns.kind, index);
  const marks = numberAt(columns.marks, index);
  const pair = numberAt(columns.pair_f, index);
  const latency = numberAt(columns.latency, index);
  const turn = numberAt(columns.turn, index);
  const isError = (marks & MARK.error) !== 0;
  const cells: Record<Cell, string> = {
    f: `${row.isMarked ? '★' : ''}f${f}`,
    time: offset(numberAt(columns.t, index)),
    from: `${SIGNS[from] ?? ''} ${words.from[from as keyof typeof words.from] ?? from}`,
    kind: `${isError ? '✕ ' : ''}${kind ?? ''}`,
    name: nameOf(columns, index),
    turn: turn > 0 ? String(turn) : '',
    tool: visible(textAt(columns.tool, index) ?? ''),
    size: humanBytes(numberAt(columns.size, index)),
    latency: Number.isNaN(latency) ? '' : humanSeconds(latency),
    pair: pair > 0 ? `⇄ f${pair}` : '',
    text: row.text ?? '',
  };
  CELLS.forEach((cell, at) => {
    const span = element.children[at]!;
    if (span.textContent !== cells[cell]) span.textContent = cells[cell];
  });
  element.lastElementChild!.setAttribute('dir', 'auto');
  element.className = `frames-row virtual-row frames-from-${from}${classes(row, marks)}`;
  element.tabIndex = row.isFocused ? 0 : -1;
  element.dataset.f = String(f);
  element.dataset.pair = pair > 0 ? String(pair) : '';
  element.setAttribute('aria-rowindex', String(row.row + 2));
  element.setAttribute('aria-selected', String(row.isSelected));
  element.setAttribute('aria-label', words.sentence(f, from, kind ?? cells.name, cells.tool, cells.latency, isError));
}

function nameOf(columns: Columns, index: number): string {
  const method = textAt(columns.method, index);
  const type = textAt(columns.type, index);
  return visible([method, type].filter((one) => one !== null).join(' · '));
}

function classes({ isSelected, isPair, isDim }: Painted, marks: number): string {
  const on = [
    isSelected && 'selected',
    isPair && 'paired',
    isDim && 'dim',
    (marks & MARK.error) !== 0 && 'error',
    (marks & (MARK.noise | MARK.invalid)) !== 0 && 'noise',
    (marks & MARK.delta) !== 0 && 'delta',
  ];
  return on.map((name) => (name ? ` frames-is-${name}` : '')).join('');
}
