/** The wire: every frame a row, in the order of time. */
import type { App, MakeView, View } from '../app.ts';
import { offset } from '../format.ts';
import { columnsOf, type FrameColumns, Order } from '../frames/columns.ts';
import { Labels } from '../frames/labels.ts';
import { CELLS, makeRow, paintRow } from '../frames/row.ts';
import { FRAME_WORDS } from '../frames/words.ts';
import { h } from '../h.ts';
import { numberAt } from '../shell/jumps.ts';
import { VirtualList } from '../virtual.ts';

export const makeFrames: MakeView = (app) => new FramesView(app);

class FramesView implements View {
  readonly root: HTMLElement;
  readonly #app: App;
  readonly #list: VirtualList;
  readonly #labels: Labels;
  readonly #empty = h('p', { class: 'shell-empty', hidden: true });
  readonly #sort: HTMLElement;
  #columns: FrameColumns | null = null;
  #order = new Order(0, null, 0, false);
  #isReversed = false;

  constructor(app: App) {
    this.#app = app;
    const words = app.words(FRAME_WORDS);
    this.#labels = new Labels(app.source, () => this.#list.repaint());
    this.#list = new VirtualList({
      attributes: { class: 'frames-list', role: 'rowgroup' },
      rowHeight: 24,
      make: makeRow,
      paint: (element, row) => this.#paint(element, row),
      focused: () => this.#focused,
      onMove: (from, to) => this.#moved(from, to),
    });
    this.#sort = h('button', { type: 'button', class: 'frames-sort', title: words.reverse }, words.columns.time);
    this.#sort.addEventListener('click', () => this.#reverse());
    const heads = CELLS.map((cell) =>
      h(
        'span',
        { class: `frames-${cell}`, role: 'columnheader', 'aria-sort': cell === 'time' && 'ascending' },
        cell === 'time' ? this.#sort : words.columns[cell],
      ),
    );
    this.root = h(
      'div',
      { class: 'frames', role: 'grid', 'aria-label': words.table, 'aria-colcount': CELLS.length },
      h('div', { class: 'frames-head', role: 'row', 'aria-rowindex': 1 }, ...heads),
      this.#list.root,
      this.#empty,
    );
    this.#fit();
    this.#list.root.addEventListener('click', (event) => this.#click(event));
    app.state.watch(['hits', 'dim'], () => this.#reorder());
    app.state.watch(['f', 'to', 'bookmarks'], () => this.#follow());
    void columnsOf(app.source.frames).then((columns) => {
      this.#columns = columns;
      this.#reorder();
    });
  }

  show(): void {
    this.#follow();
  }

  focus(): void {
    if (this.#order.count > 0) this.#list.focus(Math.max(0, this.#focused));
  }

  key(event: KeyboardEvent): boolean {
    const [first, end] = this.#list.range;
    const page = Math.max(1, end - first - 2);
    const name = event.key === ' ' ? (event.shiftKey ? 'PageUp' : 'PageDown') : event.key;
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity }[name];
    if (step === undefined || event.ctrlKey || event.altKey || event.metaKey || this.#order.count === 0) return false;
    const from = this.#app.state.value.f === null ? -1 : this.#focused;
    const to = Math.max(0, Math.min(this.#order.count - 1, from + step));
    this.#go(to, event.shiftKey && event.key !== ' ');
    return true;
  }

  /** Columns of numbers are as wide as the longest one, in all rows. */
  #fit(): void {
    const { frames, head } = this.#app.source;
    const last = frames.count > 0 ? frames.f(frames.count - 1) : 0;
    const width = (text: string) => `${Math.ceil(10 + text.length * 7.6)}px`;
    this.root.style.setProperty('--frames-f', width(`★f${last}`));
    this.root.style.setProperty('--frames-time', width(offset(head.duration)));
  }

  /** The row of the selected frame, or of the one that it would follow. */
  get #focused(): number {
    const { f, to } = this.#app.state.value;
    const index = f === null ? -1 : this.#app.source.frames.indexOf(to ?? f);
    return index < 0 ? 0 : Math.max(0, Math.min(this.#order.count - 1, this.#order.near(index)));
  }

  #go(row: number, isRange: boolean): void {
    const f = this.#app.source.frames.f(this.#order.at(row));
    const { f: first } = this.#app.state.value;
    if (isRange && first !== null) this.#app.state.set({ to: f === first ? null : f });
    else this.#app.select({ f });
    this.#list.focus(row);
  }

  #click(event: MouseEvent): void {
    const target = event.target instanceof Element ? event.target : null;
    const row = target?.closest<HTMLElement>('.frames-row');
    if (!row) return;
    const pair = Number(row.dataset.pair);
    if (pair > 0 && target!.closest('.frames-pair')) return this.#app.select({ f: pair }, { focus: true, jump: true });
    const index = this.#app.source.frames.indexOf(Number(row.dataset.f));
    this.#go(this.#order.rowOf(index), event.shiftKey);
  }

  #reverse(): void {
    this.#isReversed = !this.#isReversed;
    this.#sort.parentElement!.setAttribute('aria-sort', this.#isReversed ? 'descending' : 'ascending');
    this.#reorder();
  }

  #reorder(): void {
    if (this.#columns === null) return;
    const { frames } = this.#app.source;
    const { hits, dim } = this.#app.state.value;
    const isHiding = hits !== null && !dim;
    this.#order = new Order(frames.count, isHiding ? hits.bytes : null, hits?.count ?? 0, this.#isReversed);
    const words = this.#app.words(FRAME_WORDS);
    const isEmpty = this.#order.count === 0;
    this.#empty.hidden = !isEmpty;
    this.#list.root.hidden = isEmpty;
    this.#empty.textContent = frames.count === 0 ? words.none : hits?.partial ? words.searching : words.empty;
    this.root.setAttribute('aria-rowcount', String(this.#order.count + 1));
    const hadFocus = this.#list.root.contains(document.activeElement);
    this.#list.refresh(this.#order.count);
    this.#follow();
    if (hadFocus) this.focus();
  }

  #follow(): void {
    if (this.#columns === null) return;
    if (this.#app.state.value.f !== null && this.#order.count > 0) this.#reveal(this.#focused);
    this.#list.repaint();
  }

  /** A row that is far away is shown in the middle. */
  #reveal(row: number): void {
    const [first, end] = this.#list.range;
    const isNear = row >= first - 3 && row < end + 3;
    this.#list.scrollTo(row, isNear ? 'nearest' : 'center');
  }

  #paint(element: HTMLElement, row: number): void {
    const columns = this.#columns!;
    const index = this.#order.at(row);
    const f = this.#app.source.frames.f(index);
    const { f: selected, to, hits, bookmarks } = this.#app.state.value;
    const isSelected =
      selected !== null && (to === null ? f === selected : f >= Math.min(selected, to) && f <= Math.max(selected, to));
    paintRow(element, columns, {
      f,
      index,
      row,
      language: this.#app.state.value.language,
      words: this.#app.words(FRAME_WORDS),
      text: this.#labels.of(f),
      isSelected,
      isPair: selected !== null && numberAt(columns.pair_f, index) === selected,
      isDim: hits !== null && hits.bytes[index] === 0,
      isMarked: bookmarks.includes(f),
      isFocused: row === this.#focused,
    });
  }

  #moved(from: number, to: number): void {
    const wanted: number[] = [];
    for (let row = from; row < Math.min(to, this.#order.count); row++)
      wanted.push(this.#app.source.frames.f(this.#order.at(row)));
    this.#labels.want(wanted);
  }
}
