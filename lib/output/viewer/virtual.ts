/**
 * A list of rows of one height, of which only those in sight are elements. They are used again as the list scrolls, so
 * that scrolling makes nothing. The row with the focus stays in the page when it is scrolled away.
 */
import { h } from './h.ts';

/** Browsers cut elements off at about 16.7 million pixels. A longer list scrolls by ratio within this. */
const HIGHEST = 15_000_000;
/** Rows kept above and below those in sight. */
const SPARE = 8;

export interface ListOptions {
  /** Of the scroller: a class, a role, a label. */
  attributes: Record<string, string>;
  /** Pixels. */
  rowHeight: number;
  /** An empty row. */
  make(): HTMLElement;
  /** Shows the row at an index. */
  paint(element: HTMLElement, index: number): void;
  /** The row that has the focus, or that gets it when the list does; -1: none. */
  focused(): number;
  /** The rows in sight have changed. */
  onMove?(from: number, to: number): void;
}

export class VirtualList {
  readonly root: HTMLElement;
  readonly #spacer = h('div', { class: 'virtual-spacer', role: 'presentation' });
  readonly #options: ListOptions;
  readonly #rows = new Map<number, HTMLElement>();
  readonly #free: HTMLElement[] = [];
  #count = 0;
  #top = 0;
  #height = 0;
  #isDue = false;

  constructor(options: ListOptions) {
    this.#options = options;
    this.root = h('div', { ...options.attributes, tabindex: -1 }, this.#spacer);
    this.root.classList.add('virtual');
    this.root.addEventListener('scroll', () => this.#later(), { passive: true });
    new ResizeObserver(() => {
      this.#height = this.root.clientHeight;
      this.#later();
    }).observe(this.root);
  }

  get count(): number {
    return this.#count;
  }

  /** The first row in sight and the one after the last. */
  get range(): readonly [number, number] {
    const first = Math.floor(this.#top / this.#options.rowHeight);
    return [first, Math.min(this.#count, first + Math.ceil(this.#height / this.#options.rowHeight) + 1)];
  }

  /** How many pixels of the whole list are above the first one in sight. */
  get offset(): number {
    return this.#top;
  }

  /** The list has other rows, or so many. Paints those in sight. */
  refresh(count: number): void {
    this.#count = count;
    this.#spacer.style.height = `${Math.min(this.#total, HIGHEST)}px`;
    this.#paint(true);
  }

  /** Paints the rows in sight again. */
  repaint(): void {
    this.#paint(true);
  }

  element(index: number): HTMLElement | null {
    return this.#rows.get(index) ?? null;
  }

  scrollTo(index: number, where: 'nearest' | 'center' = 'nearest'): void {
    const { rowHeight } = this.#options;
    if (this.#height === 0) this.#height = this.root.clientHeight;
    const height = this.#height;
    const at = index * rowHeight;
    const isInSight = at >= this.#top && at + rowHeight <= this.#top + height;
    if (where === 'nearest' && isInSight) return;
    const top = where === 'center' ? at - (height - rowHeight) / 2 : at < this.#top ? at : at + rowHeight - height;
    this.#jump(Math.max(0, Math.min(top, this.#total - height)));
    this.#paint(false);
  }

  /** Gives the focus to a row, in sight or not. */
  focus(index: number): void {
    this.scrollTo(index);
    this.#rows.get(index)?.focus({ preventScroll: true });
  }

  get #total(): number {
    return this.#count * this.#options.rowHeight;
  }

  #jump(top: number): void {
    this.#top = top;
    this.root.scrollTop = this.#total <= HIGHEST ? top : this.#scaled(top);
  }

  #scaled(top: number): number {
    const height = this.root.clientHeight;
    return (top / Math.max(1, this.#total - height)) * (HIGHEST - height);
  }

  #later(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    requestAnimationFrame(() => {
      this.#isDue = false;
      this.#follow();
      this.#paint(false);
    });
  }

  /** Where the user has scrolled to. In a list that is too long, small steps move by pixels and long ones by ratio. */
  #follow(): void {
    const { scrollTop, clientHeight } = this.root;
    if (this.#total <= HIGHEST) {
      this.#top = scrollTop;
      return;
    }
    const step = scrollTop - this.#scaled(this.#top);
    const isSmall = Math.abs(step) < 2 * clientHeight;
    const top = isSmall ? this.#top + step : (scrollTop / (HIGHEST - clientHeight)) * (this.#total - clientHeight);
    this.#top = Math.max(0, Math.min(top, this.#total - clientHeight));
    if (isSmall) this.root.scrollTop = this.#scaled(this.#top);
  }

  #paint(isAll: boolean): void {
    // Asking for it makes the browser lay out the page, so it is kept.
    if (this.#height === 0) this.#height = this.root.clientHeight;
    const [from, to] = this.range;
    const first = Math.max(0, from - SPARE);
    const last = Math.min(this.#count, to + SPARE);
    const focused = this.#options.focused();
    // In a list that is too long for the page, rows stand where the scroll bar is. Asked for once, before anything is painted.
    const shift = this.#total <= HIGHEST ? 0 : this.root.scrollTop - this.#top;
    for (const [index, element] of this.#rows) {
      if ((index >= first && index < last) || (index === focused && index < this.#count)) continue;
      this.#rows.delete(index);
      element.hidden = true;
      // It stands for no frame until it is used again.
      delete element.dataset.f;
      this.#free.push(element);
    }
    for (let index = first; index < last; index++) this.#show(index, shift, isAll);
    if (focused >= 0 && focused < this.#count && (focused < first || focused >= last))
      this.#show(focused, shift, isAll);
    this.#options.onMove?.(from, to);
  }

  #show(index: number, shift: number, isAll: boolean): void {
    const known = this.#rows.get(index);
    const element = known ?? this.#free.pop() ?? this.#added();
    element.style.transform = `translateY(${index * this.#options.rowHeight + shift}px)`;
    if (known && !isAll) return;
    element.hidden = false;
    this.#rows.set(index, element);
    this.#options.paint(element, index);
  }

  #added(): HTMLElement {
    const element = this.#options.make();
    element.classList.add('virtual-row');
    this.#spacer.append(element);
    return element;
  }
}
