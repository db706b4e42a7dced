/** The whole session at a glance: how much was sent when, where it waited, what failed, and how full the context was. */
import { humanSeconds } from '../../core/text.ts';
import type { UsagePoint } from '../../page/page.ts';
import { h } from '../h.ts';
import { foldPlaces } from './axis-marks.ts';
import { Brush } from './brush.ts';
import { box, cleared, crisp } from './canvas.ts';
import { contextShare } from './context.ts';
import { isAsked, isBracket, isFailed } from './rows.ts';
import { endOf } from './segments.ts';
import { MARGIN, type Stage } from './stage.ts';

const HEIGHT = 48;
/** From the top: waits, density, errors. */
const WAITS = 6;
const ERRORS = 8;

export class Overview {
  readonly root: HTMLElement;
  readonly plot: HTMLElement;
  readonly #stage: Stage;
  readonly #canvas: HTMLCanvasElement;
  readonly #brush: Brush;
  #usage: readonly UsagePoint[] = [];

  constructor(stage: Stage) {
    this.#stage = stage;
    this.#brush = new Brush(stage);
    const { counts, turns } = stage.source.head;
    const label = stage.words.overview(turns.length, failures(stage), counts.approvals);
    this.#canvas = h('canvas', { class: 'tl-canvas', role: 'img', 'aria-label': label });
    this.plot = h('div', { class: 'tl-strip-plot' }, this.#canvas, this.#brush.root);
    this.root = h(
      'div',
      { class: 'tl-strip tl-overview' },
      h(
        'div',
        { class: 'tl-strip-name' },
        h('span', {}, stage.words.overviewName, ' ', h('span', { class: 'tl-quiet' }, humanSeconds(stage.duration))),
        h('div', { class: 'tl-keys tl-pairs' }, ...KEYS.map((name) => key(name, stage.words.overviewKeys[name]))),
      ),
      this.plot,
    );
  }

  set usage(points: readonly UsagePoint[]) {
    this.#usage = points;
    this.draw();
  }

  draw(): void {
    const stage = this.#stage;
    if (stage.overviewWidth <= 0) return;
    const context = cleared(this.#canvas, stage.overviewWidth, HEIGHT);
    context.translate(MARGIN, 0);
    this.#density(context);
    this.#folds(context);
    this.#rows(context);
    this.#context(context);
    this.#brush.place();
  }

  placeWindow(): void {
    this.#brush.place();
  }

  /** Frames a pixel; the highest is as high as there is room. Square roots, so that little is seen beside much. */
  #density(context: CanvasRenderingContext2D): void {
    const { whole, palette, duration, source } = this.#stage;
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
    const { whole, palette } = this.#stage;
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

  /** Waits at the top, errors at the bottom: one mark for each pixel. */
  #rows(context: CanvasRenderingContext2D): void {
    const { rows, whole, palette, duration } = this.#stage;
    let waited = -1;
    let failed = -1;
    for (let row = 0; row < rows.count; row++) {
      if (isAsked(rows, row)) {
        const from = whole.x(rows.t[row]!);
        const to = Math.max(from + 2, whole.x(endOf(rows, row, duration)));
        if (to <= waited) continue;
        waited = Math.max(waited, to);
        context.fillStyle = palette.colour('lane-approvals');
        box(context, from, to, 0, WAITS - 2, 2);
      } else if (isFailed(rows, row) && !isBracket(rows, row)) {
        const x = crisp(whole.x(rows.t[row]!));
        if (x - failed < 2) continue;
        failed = x;
        context.fillStyle = palette.colour('bad');
        context.beginPath();
        context.moveTo(x - 3.5, HEIGHT - 1);
        context.lineTo(x + 3.5, HEIGHT - 1);
        context.lineTo(x, HEIGHT - ERRORS + 1);
        context.fill();
      }
    }
  }

  #context(context: CanvasRenderingContext2D): void {
    const { whole, palette } = this.#stage;
    const ground = HEIGHT - ERRORS;
    context.strokeStyle = palette.colour('lane-agent');
    context.lineWidth = 1.5;
    context.beginPath();
    let before: number | null = null;
    for (const point of this.#usage) {
      const share = contextShare(point);
      if (share === null) continue;
      const x = whole.x(point.t);
      const y = ground - Math.min(1, share) * (ground - WAITS - 1);
      // It stays as it was until it is told again.
      if (before === null) context.moveTo(x, y);
      else {
        context.lineTo(x, before);
        context.lineTo(x, y);
      }
      before = y;
    }
    if (before !== null) context.lineTo(whole.width, before);
    context.stroke();
  }
}

const KEYS = ['frames', 'context', 'waits', 'errors'] as const;

function key(name: string, word: string): HTMLElement {
  return h('span', { class: 'tl-key' }, h('span', { class: 'tl-swatch', 'data-overview': name }), word);
}

function failures({ rows }: Stage): number {
  let count = 0;
  for (let row = 0; row < rows.count; row++) if (isFailed(rows, row) && !isBracket(rows, row)) count++;
  return count;
}
