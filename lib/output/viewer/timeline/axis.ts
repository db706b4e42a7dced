/** The head of the waterfall: the time axis. It has the focus for the keys that zoom and move. */

import { offset } from '../format.ts';
import { h } from '../h.ts';
import { drawGrid, drawLabels } from './axis-marks.ts';
import { cleared } from './canvas.ts';
import { MARGIN, type TimelineModel } from './model.ts';

const HEIGHT = 22;

export class Axis {
  readonly root: HTMLElement;
  readonly plot: HTMLElement;
  readonly #model: TimelineModel;
  readonly #canvas = h('canvas', { class: 'tl-canvas', 'aria-hidden': 'true' });

  /** `edge`: what resizes the tree. */
  constructor(model: TimelineModel, edge: HTMLElement, tools: HTMLElement) {
    this.#model = model;
    this.plot = h('div', { class: 'tl-strip-plot tl-axis-plot', role: 'group', tabindex: 0 }, this.#canvas);
    this.root = h('div', { class: 'tl-strip tl-axis' }, h('div', { class: 'tl-strip-name' }, tools), this.plot, edge);
  }

  draw(): void {
    const { scale, palette, width, words, app, rows, source } = this.#model;
    if (width <= 0) return;
    this.plot.setAttribute('aria-label', words.axis(offset(scale.from), offset(scale.to)));
    const context = cleared(this.#canvas, width, HEIGHT);
    context.translate(MARGIN, 0);
    context.font = `11px ${palette.font}`;
    context.textBaseline = 'middle';
    drawGrid(context, palette, scale, HEIGHT);
    drawLabels(context, palette, scale, HEIGHT / 2);
    context.fillStyle = palette.colour('accent');
    for (const f of app.state.value.bookmarks) {
      const row = source.frames.rowOf(f);
      const x = row < 0 ? -1 : scale.x(rows.t[row]!);
      if (x >= 0 && x <= scale.width) drawFlag(context, x);
    }
  }
}

/** A bookmark: a small triangle that stands on the rows. */
function drawFlag(context: CanvasRenderingContext2D, x: number): void {
  context.beginPath();
  context.moveTo(x - 4, HEIGHT - 6);
  context.lineTo(x + 4, HEIGHT - 6);
  context.lineTo(x, HEIGHT);
  context.fill();
}
