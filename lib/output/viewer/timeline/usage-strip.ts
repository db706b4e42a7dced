/** Context and tokens over the time axis of the waterfall, and as a table. */
import { humanCount } from '../../../model/text/text.ts';
import type { UsagePoint } from '../../page/page.ts';
import { count, offset } from '../format.ts';
import { fill, h } from '../h.ts';
import { drawGrid } from './axis-marks.ts';
import { box, cleared } from './canvas.ts';
import { contextLine, contextShare, stepsOf, tokensIn } from './context.ts';
import { MARGIN, type TimelineModel } from './model.ts';
import type { ColourName } from './palette.ts';
import type { Scale } from './scale.ts';

/** Above, the context on a scale up to its limit; below, the tokens of each report on a scale of their own. */
const TOP = 14;
const CONTEXT_GROUND = 54;
const TOKENS_TOP = 74;
const GROUND = 112;
const HEIGHT = GROUND + 4;
const BAR = 7;
/** Sums are written where no other bar is so near. */
const MIN_LABEL_GAP = 34;
const MAX_TABLE_ROWS = 2000;

/** From the ground up. */
const STACK: readonly (readonly [
  keyof UsagePoint & ('cache_read' | 'cache_write' | 'input' | 'output'),
  ColourName,
])[] = [
  ['cache_read', 'lane-stderr'],
  ['cache_write', 'lane-noise'],
  ['input', 'lane-client'],
  ['output', 'lane-tools'],
];

export class UsageStrip {
  readonly root: HTMLElement;
  readonly #model: TimelineModel;
  readonly #canvas: HTMLCanvasElement;
  readonly #table = h('div', { class: 'tl-table', tabindex: 0, hidden: true });
  readonly #toggle: HTMLButtonElement;
  readonly #note = h('p', { class: 'tl-quiet tl-note', hidden: true });
  #points: readonly UsagePoint[] = [];

  constructor(model: TimelineModel) {
    this.#model = model;
    const { words } = model;
    this.#canvas = h('canvas', { class: 'tl-canvas', role: 'img' });
    this.#toggle = h('button', { type: 'button', class: 'tl-small' }, words.table);
    this.#toggle.addEventListener('click', () => this.#showTable(this.#table.hidden === true));
    const { cacheRead, cacheWrite, input, output } = words.columns;
    const named = { cache_read: cacheRead, cache_write: cacheWrite, input, output };
    this.root = h(
      'section',
      { class: 'tl-usage', 'aria-label': words.tokensToggle, hidden: true },
      h(
        'div',
        { class: 'tl-strip' },
        h(
          'div',
          { class: 'tl-strip-name' },
          h(
            'div',
            { class: 'tl-keys' },
            key('context', words.context),
            ...STACK.toReversed().map(([name]) => key(name, named[name])),
          ),
          this.#toggle,
        ),
        h('div', { class: 'tl-strip-plot' }, this.#canvas, this.#note),
      ),
      this.#table,
    );
  }

  set usage(points: readonly UsagePoint[]) {
    this.#points = points;
    const { words, app } = this.#model;
    this.#canvas.setAttribute('aria-label', words.usageLabel(count(points.length, app.state.value.language)));
    this.#note.hidden = points.length > 0;
    fill(this.#note, words.noUsage);
    this.#toggle.hidden = points.length === 0;
    this.draw();
  }

  draw(): void {
    const { palette } = this.#model;
    const width = this.#canvas.parentElement!.clientWidth;
    if (width <= 0) return;
    const scale = this.#model.scaleOn(width);
    const context = cleared(this.#canvas, width, HEIGHT);
    context.translate(MARGIN, 0);
    context.font = `10px ${palette.font}`;
    context.textBaseline = 'middle';
    drawGrid(context, palette, scale, HEIGHT);
    context.fillStyle = palette.colour('line');
    box(context, 0, scale.width, GROUND, 1);
    box(context, 0, scale.width, CONTEXT_GROUND, 1);
    this.#tokens(context, scale);
    this.#context(context, scale);
  }

  /** A stack for each report. The highest in the session is as high as there is room for. */
  #tokens(context: CanvasRenderingContext2D, scale: Scale): void {
    const { palette } = this.#model;
    let most = 0;
    for (const point of this.#points) most = Math.max(most, tokensIn(point));
    if (most === 0) return;
    const drawn: { x: number; y: number; sum: number }[] = [];
    for (const point of this.#points) {
      const x = scale.x(point.t);
      const sum = tokensIn(point);
      if (sum === 0 || x < -BAR || x > scale.width + BAR || x < (drawn.at(-1)?.x ?? Number.NEGATIVE_INFINITY) + 2)
        continue;
      let y = GROUND;
      for (const [name, colour] of STACK) {
        const height = ((point[name] ?? 0) / most) * (GROUND - TOKENS_TOP);
        if (height <= 0) continue;
        context.fillStyle = palette.colour(colour);
        context.fillRect(x - BAR / 2, y - Math.max(1, height), BAR, Math.max(1, height));
        y -= Math.max(1, height);
      }
      drawn.push({ x, y, sum });
    }
    context.fillStyle = palette.colour('muted');
    context.textAlign = 'center';
    for (const [n, { x, y, sum }] of drawn.entries()) {
      const before = drawn[n - 1]?.x ?? Number.NEGATIVE_INFINITY;
      const next = drawn[n + 1]?.x ?? Number.POSITIVE_INFINITY;
      if (x - before >= MIN_LABEL_GAP && next - x >= MIN_LABEL_GAP) context.fillText(humanCount(sum), x, y - 6);
    }
    context.textAlign = 'left';
  }

  #context(context: CanvasRenderingContext2D, scale: Scale): void {
    const { palette, words } = this.#model;
    this.#compactions(context, scale);
    const steps = stepsOf(contextLine(this.#points, scale), scale.width);
    const last = steps.at(-1);
    if (!last) return;
    const height = (share: number): number => CONTEXT_GROUND - Math.min(1.05, share) * (CONTEXT_GROUND - TOP);
    context.strokeStyle = palette.colour('bad');
    context.setLineDash([4, 4]);
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(0, TOP + 0.5);
    context.lineTo(scale.width, TOP + 0.5);
    context.stroke();
    context.setLineDash([]);
    const size = this.#points.findLast((point) => point.size !== null)?.size;
    context.fillStyle = palette.colour('muted');
    context.fillText(words.limit(size ? humanCount(size) : '100%'), scale.width + 6, TOP);
    context.strokeStyle = palette.colour('lane-agent');
    context.lineWidth = 2;
    context.beginPath();
    for (const { x, share } of steps) context.lineTo(x, height(share));
    context.stroke();
    context.fillStyle = palette.colour('lane-agent');
    context.fillText(percent(last.share), scale.width + 6, Math.max(height(last.share), TOP + 13));
  }

  /** Each has a line; the word stands where it does not run into the one before. */
  #compactions(context: CanvasRenderingContext2D, scale: Scale): void {
    const { palette, words } = this.#model;
    const word = `⇲ ${words.compaction}`;
    context.fillStyle = palette.colour('warn');
    let free = Number.NEGATIVE_INFINITY;
    for (const { compaction, t } of this.#points) {
      const x = scale.x(t);
      if (!compaction || x < 0 || x > scale.width) continue;
      box(context, x, x + 1, TOP - 8, GROUND - TOP + 8);
      if (x < free) continue;
      context.fillText(word, x + 4, TOP - 7);
      free = x + 8 + context.measureText(word).width;
    }
  }

  #showTable(isTable: boolean): void {
    const { words } = this.#model;
    this.#table.hidden = !isTable;
    this.#toggle.textContent = isTable ? words.chart : words.table;
    this.#toggle.setAttribute('aria-expanded', String(isTable));
    if (isTable) this.#fillTable();
  }

  #fillTable(): void {
    const { words, app } = this.#model;
    const { frame, from, step, context, input, cacheRead, cacheWrite, output } = words.columns;
    const { language } = app.state.value;
    const number = (n: number | null): HTMLElement =>
      h('td', { class: 'tl-number' }, n === null ? '' : count(n, language));
    const lines = this.#points.slice(0, MAX_TABLE_ROWS).map((point) => {
      const go = h('button', { type: 'button', class: 'tl-link', 'data-f': point.f }, `f${point.f}`);
      go.addEventListener('click', () => app.select({ f: point.f }, { jump: true, focus: true }));
      const share = contextShare(point);
      const notes = [share === null ? '' : percent(share), point.compaction ? words.compaction : ''].filter(Boolean);
      return h(
        'tr',
        {},
        h('td', {}, go),
        h('td', {}, offset(point.t)),
        h('td', {}, [point.turn, point.step].filter((n) => n !== null).join(', ')),
        h('td', {}, notes.join(' · ')),
        number(point.input),
        number(point.cache_read),
        number(point.cache_write),
        number(point.output),
      );
    });
    const heads = [frame, from, step, context, input, cacheRead, cacheWrite, output];
    const left = this.#points.length - lines.length;
    fill(
      this.#table,
      h(
        'table',
        {},
        h('thead', {}, h('tr', {}, ...heads.map((name) => h('th', { scope: 'col' }, name)))),
        h('tbody', {}, ...lines),
      ),
      left > 0 && h('p', { class: 'tl-quiet' }, words.more(count(left, language))),
    );
  }
}

const percent = (share: number): string => `${(share * 100).toFixed(share < 0.1 ? 1 : 0)}%`;

function key(name: string, word: string): HTMLElement {
  return h('span', { class: 'tl-key' }, h('span', { class: 'tl-swatch', 'data-usage': name }), word);
}
