/**
 * The tree as a treegrid, and the waterfall on the same rows. Bars are drawn on one canvas that covers the rows in sight and
 * scrolls with them. Everything that it shows is also said by the rows.
 */
import { ROW_MARK } from '../../page/page.ts';
import { fill, h } from '../h.ts';
import { VirtualList } from '../virtual.ts';
import { drawGrid } from './axis-marks.ts';
import { drawRow } from './bars.ts';
import { box, cleared } from './canvas.ts';
import { barTexts, isBookmarked, nameOf, sentenceOf } from './describe.ts';
import { GLYPHS } from './glyphs.ts';
import { MARGIN, type TimelineModel } from './model.ts';
import { isFailed, kindOf, severityOf, stateOf } from './rows.ts';
import { partsOf } from './segments.ts';

const ROW = 24;
/** Rows drawn above and below those in sight, so that scrolling never shows an empty edge. */
const ROWS_BEYOND = 8;
const MAX_INDENT = 14;

export class Grid {
  readonly list: VirtualList;
  readonly #model: TimelineModel;
  readonly #canvas = h('canvas', { class: 'tl-bars', 'aria-hidden': 'true' });
  readonly #empty: HTMLElement;
  #loading = false;
  /** Rows whose labels were asked for: what cannot be read is not asked for again. */
  readonly #asked = new Set<number>();
  #isDue = false;
  /** The row that keys move from. */
  #cursor = 0;

  constructor(model: TimelineModel) {
    this.#model = model;
    this.#empty = h('p', { class: 'tl-empty' });
    this.list = new VirtualList({
      attributes: { class: 'tl-grid', role: 'treegrid', 'aria-label': model.words.rowsHead, 'aria-readonly': 'true' },
      rowHeight: ROW,
      make: () => makeRow(),
      paint: (element, index) => this.#paint(element, index),
      focused: () => this.cursor,
      onMove: () => {
        this.draw();
        this.#load();
      },
    });
    this.list.root.append(this.#canvas, this.#empty);
  }

  /** Index of the row that has the focus, or gets it; -1 if there are none. */
  get cursor(): number {
    return Math.min(this.#cursor, this.#model.tree.count - 1);
  }

  set cursor(index: number) {
    this.#cursor = Math.max(0, index);
  }

  /** Other rows are shown. */
  refresh(): void {
    const { tree, words, rows } = this.#model;
    this.list.root.setAttribute('aria-rowcount', String(tree.count));
    this.#empty.hidden = tree.count > 0;
    fill(this.#empty, rows.count === 0 ? words.nothing : words.nothingFound);
    this.list.refresh(tree.count);
  }

  #paint(element: HTMLElement, index: number): void {
    const model = this.#model;
    const { rows, tree, words, app, source } = model;
    const row = tree.row(index);
    const { at, of } = tree.place(index);
    const kind = kindOf(rows, row);
    const label = source.label(row);
    const attributes: Record<string, string | null> = {
      'aria-label': sentenceOf(model, row),
      'aria-level': String(rows.depth[row]! + 1),
      'aria-posinset': String(at),
      'aria-setsize': String(of),
      'aria-rowindex': String(index + 1),
      'aria-expanded': tree.hasInside(row) ? String(tree.isOpen(row)) : null,
      'aria-selected': String(app.state.value.row === row),
      'data-f': String(rows.f[row]),
      'data-row': String(row),
      'data-kind': kind,
      'data-state': stateOf(rows, row),
      'data-agent': rows.agent[row]! > 0 ? String(rows.agent[row]) : null,
      'data-out': model.isFound(row) ? null : model.isOut(row) ? 'all' : 'self',
      tabindex: index === this.cursor ? '0' : '-1',
    };
    for (const [name, value] of Object.entries(attributes))
      if (value === null) element.removeAttribute(name);
      else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
    const cell = element.firstElementChild as HTMLElement;
    cell.style.setProperty('--tl-depth', String(Math.min(rows.depth[row]!, MAX_INDENT)));
    const [twisty, glyph, name, text, marks, time] = cell.children as unknown as HTMLElement[];
    time!.textContent = barTexts(model, row, partsOf(rows, row, model.duration)).at(-1)!;
    twisty!.textContent = tree.hasInside(row) ? (tree.isOpen(row) ? '▾' : '▸') : '';
    glyph!.textContent = GLYPHS[kind] ?? '·';
    glyph!.dataset.colour = kind === 'thinking' ? 'think' : `${rows.lane[row]}`;
    name!.textContent = nameOf(model, row, label ?? '');
    text!.textContent = label ?? '…';
    const isPinned = model.isOut(row) && !app.state.value.dim && row === app.state.value.row;
    fill(marks!, ...this.#marks(row), isPinned && h('span', { class: 'tl-pinned' }, words.hiddenByQuery));
  }

  #marks(row: number): (HTMLElement | false)[] {
    const { rows, app, tree, words } = this.#model;
    const severity = severityOf(rows, row);
    const bits = rows.marks[row]!;
    const isClosed = tree.hasInside(row) && !tree.isOpen(row);
    return [
      rows.parts[row]! > 1 &&
        h('span', { class: 'tl-parts', title: words.frames(`${rows.parts[row]}`) }, `×${rows.parts[row]}`),
      isClosed && h('span', { class: 'tl-parts' }, `+${rows.end[row]! - row - 1}`),
      (bits & ROW_MARK.again) !== 0 && h('span', { class: 'tl-parts', title: words.again }, '↻'),
      (bits & ROW_MARK.unasked) !== 0 && h('span', { class: 'tl-unasked', title: words.unasked }, '◌'),
      isFailed(rows, row) && h('span', { class: 'tl-bad', title: words.states.error }, '!'),
      severity !== null &&
        h('span', { class: `tl-finding tl-${severity}`, title: words.finding(words.severities[severity]) }, '◆'),
      isBookmarked(app.state.value.bookmarks, rows, row) &&
        h('span', { class: 'tl-bookmark', title: words.bookmarked }, '★'),
    ];
  }

  /** Draws the bars of the rows in sight, once for all that happens now, and before the screen is painted. */
  draw(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    queueMicrotask(() => {
      this.#isDue = false;
      this.#draw();
    });
  }

  #draw(): void {
    const model = this.#model;
    const { tree, scale, palette, width } = model;
    const { root } = this.list;
    if (width <= 0 || root.clientHeight === 0) return;
    const [from, to] = this.list.range;
    const first = Math.max(0, from - ROWS_BEYOND);
    const last = Math.min(tree.count, to + ROWS_BEYOND);
    // Without rows below, the grid lines go down to the edge.
    const height = Math.max((last - first) * ROW, root.clientHeight - (first * ROW - this.list.offset));
    const context = cleared(this.#canvas, width, Math.min(height, root.clientHeight + 2 * (ROWS_BEYOND + 1) * ROW));
    this.#canvas.style.transform = `translateY(${first * ROW + root.scrollTop - this.list.offset}px)`;
    context.font = `11px ${palette.font}`;
    context.textBaseline = 'middle';
    context.translate(MARGIN, 0);
    this.#tints(context, first, last);
    drawGrid(context, palette, scale, height);
    if (scale.to >= model.duration) {
      context.fillStyle = palette.colour('muted');
      context.globalAlpha = 0.4;
      box(context, scale.width, scale.width + 1, 0, height);
      context.globalAlpha = 1;
    }
    for (let index = first; index < last; index++)
      drawRow(context, model, tree.row(index), {
        y: (index - first) * ROW,
        height: ROW,
        right: width - MARGIN,
      });
  }

  /** A light ground behind what subagents did, from the beginning of the call that started them to its end. */
  #tints(context: CanvasRenderingContext2D, first: number, last: number): void {
    const { tree, rows, palette, width } = this.#model;
    context.fillStyle = palette.colour('lane-subagents');
    context.globalAlpha = 0.07;
    for (let index = first; index < last; index++)
      if (rows.agent[tree.row(index)]! > 0) context.fillRect(-MARGIN, (index - first) * ROW, width, ROW);
    context.globalAlpha = 1;
  }

  /** Reads the labels of the rows in sight, if they are not there yet. */
  #load(): void {
    if (this.#loading) return;
    const { tree, source } = this.#model;
    const [from, to] = this.list.range;
    const missing: Promise<void>[] = [];
    for (let index = from; index < to; index++) {
      const row = tree.row(index);
      if (source.label(row) !== null || this.#asked.has(row)) continue;
      this.#asked.add(row);
      missing.push(source.loadLabels(row, row + 1));
    }
    if (missing.length === 0) return;
    this.#loading = true;
    Promise.allSettled(missing).then(() => {
      this.#loading = false;
      this.list.repaint();
    });
  }
}

function makeRow(): HTMLElement {
  const mark = (name: string): HTMLElement => h('span', { class: name, 'aria-hidden': 'true' });
  const name = h(
    'div',
    { class: 'tl-cell', role: 'gridcell' },
    mark('tl-twisty'),
    mark('tl-glyph'),
    h('span', { class: 'tl-name' }),
    h('span', { class: 'tl-label', dir: 'auto' }),
    h('span', { class: 'tl-marks' }),
    // Where there is no room for bars.
    h('span', { class: 'tl-time' }),
  );
  return h('div', { class: 'tl-row', role: 'row' }, name, h('div', { class: 'tl-plot', role: 'gridcell' }));
}
