/** The line between the tree and the waterfall: dragged, or moved with the arrow keys. */
import { h } from '../h.ts';

const WIDTH_STEP = 16;
const MIN_WIDTH = 120;
const DEFAULT_WIDTH = 340;

export class TreeEdge {
  readonly root: HTMLElement;
  readonly #host: HTMLElement;
  readonly #changed: () => void;

  constructor(host: HTMLElement, label: string, changed: () => void) {
    this.#host = host;
    this.#changed = changed;
    this.root = h('div', {
      class: 'tl-divider',
      role: 'separator',
      tabindex: 0,
      'aria-orientation': 'vertical',
      'aria-label': label,
      'aria-valuemin': MIN_WIDTH,
      'aria-valuenow': DEFAULT_WIDTH,
    });
    this.root.addEventListener('pointerdown', (event) => this.#drag(event));
    this.root.addEventListener('keydown', (event) => this.#key(event));
    this.root.addEventListener('dblclick', () => this.#set(DEFAULT_WIDTH));
  }

  #set(width: number): void {
    const now = Math.max(MIN_WIDTH, Math.min(width, this.#host.clientWidth - MIN_WIDTH));
    this.#host.style.setProperty('--tl-tree', `${now}px`);
    this.root.setAttribute('aria-valuenow', String(Math.round(now)));
    this.root.setAttribute('aria-valuemax', String(this.#host.clientWidth - MIN_WIDTH));
    this.#changed();
  }

  #drag(start: PointerEvent): void {
    if (start.button !== 0) return;
    start.preventDefault();
    this.root.setPointerCapture(start.pointerId);
    const { left } = this.#host.getBoundingClientRect();
    const move = ({ clientX }: PointerEvent): void => this.#set(clientX - left);
    this.root.addEventListener('pointermove', move);
    this.root.addEventListener('lostpointercapture', () => this.root.removeEventListener('pointermove', move), {
      once: true,
    });
  }

  #key(event: KeyboardEvent): void {
    const by = { ArrowLeft: -WIDTH_STEP, ArrowRight: WIDTH_STEP }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.#set(Number(this.root.getAttribute('aria-valuenow')) + by);
  }
}
