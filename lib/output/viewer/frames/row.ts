/** One row of the table: made once, painted for whatever frame comes into sight. */

import { MARK } from '../../../analysis/facts/marks.ts';
import { humanBytes, humanSeconds, visible } from '../../../model/text/text.ts';
import type { TreeRowKind } from '../../page/page.ts';
import type { Language } from '../app.ts';
import { offset } from '../format.ts';
import { h } from '../h.ts';
import { KIND_WORDS } from '../kinds.ts';
import { numberAt, textAt } from '../shell/jumps.ts';
import type { FrameColumns } from './columns.ts';
import type { FRAME_WORDS } from './words.ts';

export const CELLS = ['f', 'time', 'from', 'kind', 'name', 'turn', 'tool', 'size', 'latency', 'pair', 'text'] as const;
export type Cell = (typeof CELLS)[number];

export function makeRow(): HTMLElement {
  return h(
    'div',
    { class: 'frames-row', role: 'row' },
    ...CELLS.map((cell) => h('span', { class: `frames-${cell}`, role: 'gridcell', dir: cell === 'text' && 'auto' })),
  );
}

export interface Painted {
  f: number;
  index: number;
  row: number;
  language: Language;
  words: (typeof FRAME_WORDS)['en'];
  text: string | null;
  isSelected: boolean;
  isPair: boolean;
  isDim: boolean;
  isMarked: boolean;
  isFocused: boolean;
}

export function paintRow(element: HTMLElement, columns: FrameColumns, row: Painted): void {
  const { f, index, words } = row;
  const from = textAt(columns.from, index) ?? '';
  const kind = textAt(columns.kind, index) as TreeRowKind | null;
  const called = kind === null ? '' : KIND_WORDS[row.language][kind];
  const marks = numberAt(columns.marks, index);
  const pair = numberAt(columns.pair_f, index);
  const latency = numberAt(columns.latency, index);
  const turn = numberAt(columns.turn, index);
  const isError = (marks & MARK.error) !== 0;
  const cells: Record<Cell, string> = {
    f: `${row.isMarked ? '★' : ''}f${f}`,
    time: offset(numberAt(columns.t, index)),
    from: words.from[from as keyof typeof words.from] ?? from,
    // The word of the query language, where people can read it.
    kind: `${isError ? '✕ ' : ''}${row.language === 'en' ? (kind ?? '') : called}`,
    name: nameOf(columns, index),
    turn: turn > 0 ? String(turn) : '',
    tool: visible(textAt(columns.tool, index) ?? ''),
    size: humanBytes(numberAt(columns.size, index)),
    latency: Number.isNaN(latency) ? '' : humanSeconds(latency),
    pair: pair > 0 ? `⇄ f${pair}` : '',
    text: row.text ?? '',
  };
  fillCells(element, cells);
  element.className = `frames-row virtual-row frames-from-${from}${classes(row, marks)}`;
  element.tabIndex = row.isFocused ? 0 : -1;
  element.dataset.f = String(f);
  element.dataset.pair = pair > 0 ? String(pair) : '';
  element.setAttribute('aria-rowindex', String(row.row + 2));
  element.setAttribute('aria-selected', String(row.isSelected));
  element.setAttribute('aria-label', words.sentence(f, from, called || cells.name, cells.tool, cells.latency, isError));
}

/** What the cells of a row say now. Reading it from the page would be slower than writing it. */
const written = new WeakMap<HTMLElement, Record<Cell, string>>();

function fillCells(element: HTMLElement, cells: Record<Cell, string>): void {
  const before = written.get(element);
  for (const [at, cell] of CELLS.entries())
    if (before?.[cell] !== cells[cell]) element.children[at]!.textContent = cells[cell];
  written.set(element, cells);
}

/** The type says more where there are both. */
function nameOf(columns: FrameColumns, index: number): string {
  return visible(textAt(columns.type, index) ?? textAt(columns.method, index) ?? '');
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
