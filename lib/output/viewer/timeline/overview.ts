/** The whole session at a glance: how much was sent when, where it waited, what failed, and how full the context was. */
import { humanSeconds } from '../../../model/text/text.ts';
import type { UsagePoint } from '../../page/page.ts';
import { offset } from '../format.ts';
import { fill, h } from '../h.ts';
import { foldPlaces } from './axis-marks.ts';
import { Brush } from './brush.ts';
import { box, cleared, crisp } from './canvas.ts';
import { contextLine, stepsOf } from './context.ts';
import { MARGIN, type TimelineModel } from './model.ts';
import { isAsked, isBracket, isFailed } from './rows.ts';
import { endOf } from './segments.ts';

const HEIGHT = 48;
/** From the top: waits, density, errors. */
const WAITS = 6;
const ERRORS = 8;

export class Overview {
  readonly root: HTMLElement;
  readonly plot: HTMLElement;
  readonly #model: TimelineModel;
  readonly #canvas: HTMLCanvasElement;
  readonly #brush: Brush;
  readonly #window = h('div', { class: 'tl-quiet' });
  #usage: readonly UsagePoint[] = [];

  constructor(model: TimelineModel) {
    this.#model = model;
    this.#brush = new Brush(model);
    const { counts, turns } = model.source.head;
    const label = model.words.overview(turns.length, failures(model), counts.approvals);
    this.#canvas = h('canvas', { class: 'tl-canvas', role: 'img', 'aria-label': label });
    this.plot = h('div', { class: 'tl-strip-plot' }, this.#canvas, this.#brush.root);
    const whole = h('span', { class: 'tl-quiet' }, humanSeconds(model.duration));
    this.root = h(
      'div',
      { class: 'tl-strip tl-overview' },
      h(
        'div',
        { class: 'tl-strip-name' },
        h('div', {}, model.words.overviewName, ' ', whole, this.#window),
        h('div', { class: 'tl-keys tl-pairs' }, ...KEYS.map((name) => key(name, model.words.overviewKeys[name]))),
      ),
      this.plot,
    );
  }

  set usage(points: readonly UsagePoint[]) {
    this.#usage = points;
    this.draw();
  }

  draw(): void {
    const model = this.#model;
    if (model.overviewWidth <= 0) return;
    const context = cleared(this.#canvas, model.overviewWidth, HEIGHT);
    context.translate(MARGIN, 0);
    this.#density(context);
    this.#folds(context);
    this.#rows(context);
    this.#context(context);
    this.placeWindow();
  }

  placeWindow(): void {
    const { zoom, scale } = this.#model;
    const { from, to } = scale;
    fill(this.#window, zoom && `${offset(from)} – ${offset(to)} · ${humanSeconds(to - from)}`);
    this.#brush.place();
  }

  /** Frames a pixel; the highest is as high as there is room. Square roots, so that little is seen beside much. */
  #density(context: CanvasRenderingContext2D): void {
    const { whole, palette, duration, source } = this.#model;
    const { density } = source.head;
    const pixels = new Float64Array(Math.ceil(whole.width) + 1);
    const bucket = duration / density.length;
    for (const [n, frames] of density.entries()) {
      if (frames === 0) continue;
      const from = Math.max(0, Math.floor(whole.x(n * bucket)));
      const to = Math.min(pixels.length - 1, Math.max(from, Math.ceil(whole.x((n + 1) * bucket)) - 1));
      for (let x = from; x <= to; x++) pixels[x]! += frames / (to - from + 1);
    }
    let most = 0;
    for (const frames of pixels) most = Math.max(most, frames);
    const room = HEIGHT - WAITS - ERRORS - 2;
    const ground = HEIGHT - ERRORS;
    context.fillStyle = palette.colour('accent');
    context.globalAlpha = 0.5;
    for (const [x, frames] of pixels.entries()) {
      const height = frames > 0 ? Math.max(1.5, Math.sqrt(frames / most) * room) : 0;
      if (height > 0) context.fillRect(x, ground - height, 1, height);
    }
    context.globalAlpha = 1;
    context.fillStyle = palette.colour('line');
    box(context, 0, whole.width, ground, 1);
  }

  #folds(context: CanvasRenderingContext2D): void {
    const { whole, palette } = this.#model;
    context.font = `10px ${palette.font}`;
    context.textBaseline = 'middle';
    context.textAlign = 'center';
    for (const { from, to, seconds } of foldPlaces(whole)) {
      context.fillStyle = palette.colour('surface');
      context.fillRect(from, 0, to - from, HEIGHT);
      context.fillStyle = palette.colour('muted');
      const text = [`// ${humanSeconds(seconds)} //`, '//'].find((one) => context.measureText(one).width <= to - from);
      if (text) context.fillText(text, (from + to) / 2, HEIGHT / 2);
    }
    context.textAlign = 'left';
  }

  /** Waits at the top, the darker the more of a pixel's time they take; errors at the bottom. */
  #rows(context: CanvasRenderingContext2D): void {
    const { rows, whole, palette, duration } = this.#model;
    const waited = new Float64Array(Math.ceil(whole.width) + 1);
    let failed = -ERRORS;
    context.fillStyle = palette.colour('bad');
    for (let row = 0; row < rows.count; row++) {
      if (isAsked(rows, row)) spread(waited, whole.x(rows.t[row]!), whole.x(endOf(rows, row, duration)));
      if (!isFailed(rows, row) || isBracket(rows, row)) continue;
      const x = crisp(whole.x(rows.t[row]!));
      if (Math.abs(x - failed) < ERRORS - 1) continue;
      failed = x;
      context.beginPath();
      context.moveTo(x - 3.5, HEIGHT - 1);
      context.lineTo(x + 3.5, HEIGHT - 1);
      context.lineTo(x, HEIGHT - ERRORS + 1);
      context.fill();
    }
    context.fillStyle = palette.colour('lane-approvals');
    for (const [x, share] of waited.entries()) {
      context.globalAlpha = share > 0 ? 0.3 + 0.7 * Math.min(1, share) : 0;
      if (share > 0) context.fillRect(x, 0, 1, WAITS - 2);
    }
    context.globalAlpha = 1;
  }

  #context(context: CanvasRenderingContext2D): void {
    const { whole, palette } = this.#model;
    const ground = HEIGHT - ERRORS;
    context.strokeStyle = palette.colour('lane-agent');
    context.lineWidth = 1.5;
    context.beginPath();
    for (const { x, share } of stepsOf(contextLine(this.#usage, whole), whole.width))
      context.lineTo(x, ground - Math.min(1, share) * (ground - WAITS - 1));
    context.stroke();
  }
}

/** Adds to each pixel how much of it lies between two places; a moment fills the pixel that it is in. */
function spread(pixels: Float64Array, from: number, to: number): void {
  const first = Math.max(0, Math.floor(from));
  const last = Math.min(pixels.length - 1, Math.floor(to));
  if (to - from < 1 && first < pixels.length) pixels[first]! += Math.max(0.2, to - from);
  else for (let x = first; x <= last; x++) pixels[x]! += Math.min(to, x + 1) - Math.max(from, x);
}

const KEYS = ['frames', 'context', 'waits', 'errors'] as const;

function key(name: string, word: string): HTMLElement {
  return h('span', { class: 'tl-key' }, h('span', { class: 'tl-swatch', 'data-overview': name }), word);
}

function failures({ rows }: TimelineModel): number {
  let count = 0;
  for (let row = 0; row < rows.count; row++) if (isFailed(rows, row) && !isBracket(rows, row)) count++;
  return count;
}
