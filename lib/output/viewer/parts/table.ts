/**
 * A table of many rows that is sorted by its heads. Columns that do not fit are left out, the least needed first; on a
 * narrow screen each row is a card. One row has the focus; the arrow keys move it.
 */
import { fill, h } from '../h.ts';
import { VirtualList } from '../virtual.ts';
import { clicked, fitting, type SizedColumn, type Sorting, type SortValue, sortedBy } from './sort.ts';

export interface TableColumn extends SizedColumn {
  head: string;
  /** What the head means, if that is not plain. */
  title?: string;
  /** Takes the room that the others leave. */
  grows?: boolean;
  isNumber?: boolean;
  value(row: number): SortValue;
  paint(cell: HTMLElement, row: number): void;
}

export interface TableOptions {
  label: string;
  /** Before the name of a column that can be sorted by: "Sort by". */
  sortBy: string;
  columns: readonly TableColumn[];
  sorting: Sorting;
  cardHeight: number;
  /** Rows are cards where the columns that are always there do not fit. */
  fitsOrCards?: boolean;
  paintCard(card: HTMLElement, row: number): void;
  /** Marks the row: classes, `data-f`, a label. */
  paintRow(element: HTMLElement, row: number): void;
  /** The way down begins with the row that has the focus, if it is not selected yet. */
  isSelected(row: number): boolean;
  /** The user wants to see this row. */
  open(row: number): void;
}

const ROW = 24;
const GAP = 12;
/** Below this width, rows are cards, unless the table needs more. */
const NARROW = 600;

export class SortTable {
  readonly root: HTMLElement;
  readonly #options: TableOptions;
  /** All that there are; `#columns` are those in sight. */
  #all: readonly TableColumn[];
  readonly #head = h('div', { class: 'table-head', role: 'row', 'aria-rowindex': 1 });
  #list: VirtualList;
  #columns: readonly TableColumn[];
  #isSized = false;
  #isNarrow = false;
  #sorting: Sorting;
  /** All rows to show, in their own order; then as they are sorted. */
  #rows: ArrayLike<number> = [];
  #order: Uint32Array = new Uint32Array();
  #focused = 0;

  constructor(options: TableOptions) {
    this.#options = options;
    this.#sorting = options.sorting;
    this.#all = options.columns;
    this.#columns = options.columns;
    this.#list = this.#makeList();
    this.root = h('div', { class: 'table', role: 'grid', 'aria-label': options.label });
    this.root.append(h('div', { role: 'rowgroup', class: 'table-heads' }, this.#head), this.#list.root);
    this.root.addEventListener('click', (event) => this.#click(event.target as Element));
    this.#paintHead();
    new ResizeObserver(() => this.#resize()).observe(this.root);
  }

  /** Shows these rows. The focus stays on its row if that is among them. */
  show(rows: ArrayLike<number>): void {
    const kept = this.#order[this.#focused];
    this.#rows = rows;
    this.#sort();
    this.#focused = Math.max(0, kept === undefined ? 0 : this.#order.indexOf(kept));
    this.root.setAttribute('aria-rowcount', String(rows.length + 1));
    this.#list.refresh(rows.length);
  }

  /** Has other columns, of which one is that by which it is sorted. */
  use(columns: readonly TableColumn[]): void {
    this.#all = columns;
    if (!columns.some(({ id }) => id === this.#sorting.column)) this.#sorting = this.#options.sorting;
    this.#resize();
  }

  /** What the rows say has changed. */
  repaint(): void {
    this.#list.repaint();
  }

  /** The rows as they are sorted now. */
  get order(): Uint32Array {
    return this.#order;
  }

  /** Brings a row into sight and makes it the one that gets the focus; false if it is not among those shown. */
  reveal(row: number): boolean {
    const at = this.#order.indexOf(row);
    if (at < 0) return false;
    this.#focused = at;
    this.#list.scrollTo(at);
    this.#list.repaint();
    return true;
  }

  focus(): void {
    if (this.#order.length > 0) this.#list.focus(Math.min(this.#focused, this.#order.length - 1));
  }

  /** Moves through the rows; true if the key was meant for that. */
  key({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
    if (ctrlKey || metaKey || altKey || this.#order.length === 0) return false;
    const [from, to] = this.#list.range;
    const page = Math.max(1, to - from - 2);
    const last = this.#order.length - 1;
    const before = this.#options.isSelected(this.#order[this.#focused]!) ? this.#focused : this.#focused - 1;
    const moves: Record<string, number> = {
      ...{ ArrowDown: before + 1, ArrowUp: this.#focused - 1, Home: 0, End: last },
      ...{ PageDown: before + page, PageUp: this.#focused - page },
    };
    const name = key === ' ' ? (shiftKey ? 'PageUp' : 'PageDown') : key;
    const at = Object.hasOwn(moves, name) ? moves[name] : undefined;
    if (at === undefined) return false;
    this.#focused = Math.max(0, Math.min(last, at));
    this.#list.repaint();
    this.#list.focus(this.#focused);
    this.#options.open(this.#order[this.#focused]!);
    return true;
  }

  /** The width below which rows are cards. */
  get #least(): number {
    if (!this.#options.fitsOrCards) return NARROW;
    const needed = this.#all.reduce((sum, { least, spare }) => (spare === null ? sum + least + GAP : sum), GAP);
    return Math.max(NARROW, needed);
  }

  #click(target: Element): void {
    const column = target.closest('[data-sort]')?.getAttribute('data-sort');
    if (column) {
      const { isNumber = false } = this.#all.find(({ id }) => id === column)!;
      this.#sorting = clicked(this.#sorting, column, isNumber);
      this.#paintHead();
      return this.show(this.#rows);
    }
    const row = target.closest('[data-row]');
    if (!row || target.closest('button')) return;
    this.#focused = Number(row.getAttribute('data-row'));
    this.#list.repaint();
    this.#list.focus(this.#focused);
    this.#options.open(this.#order[this.#focused]!);
  }

  #sort(): void {
    const { column, descending } = this.#sorting;
    const { value } = this.#all.find(({ id }) => id === column)!;
    this.#order = sortedBy(this.#rows, value, descending);
  }

  #makeList(): VirtualList {
    const isNarrow = this.#isNarrow;
    const list = new VirtualList({
      attributes: { class: `table-rows${isNarrow ? ' table-cards' : ''}`, role: 'rowgroup' },
      rowHeight: isNarrow ? this.#options.cardHeight : ROW,
      make: () => h('div', { class: 'table-row', role: 'row' }),
      paint: (element, index) => this.#paint(element, index),
      focused: () => (this.#order.length === 0 ? -1 : this.#focused),
    });
    if (isNarrow) list.root.style.setProperty('--row', `${this.#options.cardHeight}px`);
    return list;
  }

  #paint(element: HTMLElement, index: number): void {
    const row = this.#order[index];
    if (row === undefined) return;
    element.className = 'virtual-row table-row';
    element.setAttribute('data-row', String(index));
    element.setAttribute('aria-rowindex', String(index + 2));
    element.setAttribute('tabindex', index === this.#focused ? '0' : '-1');
    this.#options.paintRow(element, row);
    if (this.#isNarrow) {
      const card = h('div', { class: 'table-card', role: 'gridcell' });
      this.#options.paintCard(card, row);
      return fill(element, card);
    }
    fill(
      element,
      ...this.#columns.map((column) => {
        const cell = h('div', { class: `table-cell${column.isNumber ? ' is-number' : ''}`, role: 'gridcell' });
        column.paint(cell, row);
        return cell;
      }),
    );
  }

  #resize(): void {
    const width = this.root.clientWidth;
    if (width === 0) return;
    const isNarrow = width < this.#least;
    const columns = isNarrow ? this.#all : fitting(this.#all, width - GAP, GAP);
    const isSame = columns.length === this.#columns.length && columns.every((one, i) => one === this.#columns[i]);
    if (this.#isSized && isSame && isNarrow === this.#isNarrow) return;
    this.#isSized = true;
    this.#columns = columns;
    let hadFocus = false;
    if (isNarrow !== this.#isNarrow) {
      this.#isNarrow = isNarrow;
      hadFocus = this.#list.root.contains(document.activeElement);
      const list = this.#makeList();
      this.#list.root.replaceWith(list.root);
      this.#list = list;
    }
    this.root.classList.toggle('is-narrow', isNarrow);
    const tracks = columns.map(({ least, grows }) => (grows ? `minmax(${least}px, 1fr)` : `${least}px`));
    this.root.style.setProperty('--table-columns', tracks.join(' '));
    this.root.setAttribute('aria-colcount', String(columns.length));
    this.#paintHead();
    this.#list.refresh(this.#order.length);
    if (hadFocus) this.focus();
  }

  #paintHead(): void {
    const focused = document.activeElement?.getAttribute('data-sort');
    fill(this.#head, ...this.#columns.map((column) => this.#headOf(column)));
    if (focused) this.#head.querySelector<HTMLElement>(`[data-sort="${CSS.escape(focused)}"]`)?.focus();
  }

  #headOf({ id, head, title, isNumber }: TableColumn): HTMLElement {
    const { column, descending } = this.#sorting;
    const isSorted = column === id;
    const button = h(
      'button',
      { type: 'button', 'data-sort': id, title: title ?? `${this.#options.sortBy} ${head}` },
      head,
      isSorted && h('span', { class: 'table-arrow', 'aria-hidden': 'true' }, descending ? '▼' : '▲'),
    );
    const sort = isSorted ? (descending ? 'descending' : 'ascending') : 'none';
    return h(
      'div',
      { class: `table-th${isNumber ? ' is-number' : ''}`, role: 'columnheader', 'aria-sort': sort },
      button,
    );
  }
}
