/** The lanes as tracks over the time axis of the waterfall. A click selects; the same bars can be read as a table. */
import { humanSeconds } from '../../../model/text/text.ts';
import { count, offset } from '../format.ts';
import { fill, h } from '../h.ts';
import { drawGrid } from './axis-marks.ts';
import { cleared } from './canvas.ts';
import { drawTrack, LEVEL } from './lane-bars.ts';
import { barAt, type LaneTrack, tracksOf } from './lanes.ts';
import { MARGIN, type TimelineModel } from './model.ts';
import { kindOf, stateOf } from './rows.ts';
import type { Scale } from './scale.ts';
import { endOf } from './segments.ts';

const PAD = 4;
/** Rows of the table at a time. */
const ROWS_AT_ONCE = 500;

export class LaneStrip {
  readonly root: HTMLElement;
  readonly #model: TimelineModel;
  readonly #canvas: HTMLCanvasElement;
  readonly #plot: HTMLElement;
  readonly #table = h('div', { class: 'tl-table', tabindex: 0, hidden: true });
  readonly #mark = h('div', { class: 'tl-lane-mark', hidden: true });
  readonly #toggle: HTMLButtonElement;
  /** Made when the lanes are first shown. */
  #tracks: LaneTrack[] | null = null;
  #scale: Scale;
  readonly #names = h('div', { class: 'tl-lane-names' });

  constructor(model: TimelineModel) {
    this.#model = model;
    this.#scale = model.scale;
    this.#canvas = h('canvas', { class: 'tl-canvas', role: 'img' });
    this.#plot = h('div', { class: 'tl-strip-plot tl-lane-plot' }, this.#canvas, this.#mark);
    this.#toggle = h('button', { type: 'button', class: 'tl-small' }, model.words.table);
    this.#toggle.addEventListener('click', () => this.#showTable(this.#table.hidden === true));
    this.root = h(
      'section',
      { class: 'tl-lanes', 'aria-label': model.words.lanesToggle, hidden: true },
      h('div', { class: 'tl-strip' }, h('div', { class: 'tl-strip-name' }, this.#names, this.#toggle), this.#plot),
      this.#table,
    );
    this.#plot.addEventListener('click', (event) => {
      const row = this.rowAt(event);
      if (row >= 0) model.app.select({ row }, { jump: true });
    });
  }

  get plot(): HTMLElement {
    return this.#plot;
  }

  draw(): void {
    const { palette, rows, duration, words, app, source } = this.#model;
    const width = this.#plot.clientWidth;
    if (width <= 0) return;
    const scale = this.#model.scaleOn(width);
    this.#scale = scale;
    if (!this.#tracks) {
      this.#tracks = tracksOf(rows, duration);
      const bars = this.#tracks.reduce((sum, track) => sum + track.rows.length, 0);
      this.#canvas.setAttribute('aria-label', words.lanesLabel(count(bars, app.state.value.language)));
      fill(this.#names, ...this.#tracks.map((track) => nameOf(track, words.lanes, source.head.agents)));
    }
    const height = this.#tracks.reduce((sum, track) => sum + heightOf(track), 0);
    const context = cleared(this.#canvas, width, height);
    context.translate(MARGIN, 0);
    context.textBaseline = 'middle';
    drawGrid(context, palette, scale, height);
    let top = 0;
    for (const track of this.#tracks) {
      context.fillStyle = palette.colour('line');
      context.fillRect(-MARGIN, top + heightOf(track) - 1, width, 1);
      drawTrack(context, this.#model, scale, track, top + PAD);
      top += heightOf(track);
    }
    this.mark();
    if (!this.#table.hidden) this.#fillTable();
  }

  /** Shows which bar is selected. */
  mark(): void {
    const { app, rows, duration } = this.#model;
    const { row } = app.state.value;
    this.#mark.hidden = true;
    let top = PAD;
    for (const track of row < 0 ? [] : (this.#tracks ?? [])) {
      const index = track.lane === 'findings' ? -1 : track.rows.indexOf(row);
      if (index >= 0) {
        const from = this.#scale.x(rows.t[row]!);
        const to = this.#scale.x(endOf(rows, row, duration));
        this.#mark.hidden = to < 0 || from > this.#scale.width;
        this.#mark.style.width = `${Math.max(6, to - from + 4)}px`;
        this.#mark.style.transform = `translate(${MARGIN + from - 2}px, ${top + track.level[index]! * LEVEL - 2}px)`;
        return;
      }
      top += heightOf(track);
    }
  }

  /** The bar at the pointer, or the nearest within a few pixels; -1. */
  rowAt({ clientX, clientY }: MouseEvent): number {
    const { left, top } = this.#plot.getBoundingClientRect();
    const { rows, duration } = this.#model;
    const scale = this.#scale;
    let y = clientY - top;
    for (const track of this.#tracks ?? []) {
      const height = heightOf(track);
      if (y < height)
        return barAt({ rows, duration, scale }, track, clientX - left - MARGIN, Math.floor((y - PAD) / LEVEL));
      y -= height;
    }
    return -1;
  }

  #showTable(isTable: boolean): void {
    const { words } = this.#model;
    this.#table.hidden = !isTable;
    this.#toggle.textContent = isTable ? words.chart : words.table;
    this.#toggle.setAttribute('aria-expanded', String(isTable));
    this.draw();
  }

  /** The bars in the window, lane by lane. */
  #fillTable(): void {
    const { words, rows, scale, duration, source, app, kinds } = this.#model;
    const { lane, what, frame, from, duration: length, state } = words.columns;
    const body = h('tbody');
    let lines = 0;
    let left = 0;
    for (const track of this.#tracks!)
      for (const row of track.rows) {
        const end = endOf(rows, row, duration);
        if (end < scale.from || rows.t[row]! > scale.to) continue;
        if (++lines > ROWS_AT_ONCE) {
          left++;
          continue;
        }
        const go = h('button', { type: 'button', class: 'tl-link', 'data-f': rows.f[row]! }, `f${rows.f[row]}`);
        go.addEventListener('click', () => app.select({ row }, { jump: true, focus: true }));
        body.append(
          h(
            'tr',
            {},
            h('td', {}, laneName(track, words.lanes, source.head.agents)),
            h('td', {}, go),
            h('td', { dir: 'auto' }, `${kinds[kindOf(rows, row)]} ${source.label(row) ?? ''}`),
            h('td', {}, offset(rows.t[row]!)),
            h('td', {}, end > rows.t[row]! ? humanSeconds(end - rows.t[row]!) : ''),
            h('td', {}, words.states[stateOf(rows, row)]),
          ),
        );
      }
    const heads = [lane, frame, what, from, length, state].map((name) => h('th', { scope: 'col' }, name));
    fill(
      this.#table,
      h('table', {}, h('thead', {}, h('tr', {}, ...heads)), body),
      left > 0 && h('p', { class: 'tl-quiet' }, words.more(count(left, app.state.value.language))),
    );
  }
}

const heightOf = (track: LaneTrack): number => Math.max(18, track.levels * LEVEL + 2 * PAD);

function laneName({ lane, agent }: LaneTrack, names: Record<string, string>, agents: readonly string[]): string {
  return agent > 0 ? (agents[agent] ?? '') : names[lane]!;
}

function nameOf(track: LaneTrack, names: Record<string, string>, agents: readonly string[]): HTMLElement {
  const name = laneName(track, names, agents);
  const line = h(
    'div',
    { class: 'tl-lane-name', title: name },
    h('span', { class: 'tl-swatch', 'data-lane': track.lane }),
    h('span', { class: 'tl-lane-word', dir: 'auto' }, name),
    h('span', { class: 'tl-quiet' }, String(track.rows.length)),
  );
  line.style.height = `${heightOf(track)}px`;
  return line;
}
