/** The line between the view and the detail pane: dragged, or moved with the arrow keys. */
import { h } from '../h.ts';
import type { Shell } from './shell.ts';

const SHARE_STEP = 0.02;
const MIN_SHARE = 0.15;
const MAX_SHARE = 0.8;

export class Splitter {
  readonly root: HTMLElement;
  readonly #app: Shell;
  readonly #pane: HTMLElement;

  constructor(app: Shell, pane: HTMLElement, label: string) {
    this.#app = app;
    this.#pane = pane;
    this.root = h('div', {
      class: 'splitter',
      role: 'separator',
      tabindex: 0,
      'aria-orientation': 'vertical',
      'aria-label': label,
      'aria-controls': 'detail',
      'aria-valuemin': MIN_SHARE * 100,
      'aria-valuemax': MAX_SHARE * 100,
    });
    this.root.addEventListener('pointerdown', (event) => this.#drag(event));
    this.root.addEventListener('keydown', (event) => this.#key(event));
    this.#set(app.settings.detail);
  }

  #set(share: number): void {
    const now = Math.min(MAX_SHARE, Math.max(MIN_SHARE, share));
    this.#pane.style.setProperty('--detail', `${now * 100}%`);
    this.root.setAttribute('aria-valuenow', String(Math.round(now * 100)));
  }

  #drag(start: PointerEvent): void {
    if (start.button !== 0) return;
    start.preventDefault();
    this.root.setPointerCapture(start.pointerId);
    const { left, width } = this.#pane.parentElement!.getBoundingClientRect();
    const move = ({ clientX }: PointerEvent) => this.#set((left + width - clientX) / width);
    const end = () => {
      this.root.removeEventListener('pointermove', move);
      this.#keep();
    };
    this.root.addEventListener('pointermove', move);
    this.root.addEventListener('lostpointercapture', end, { once: true });
  }

  #key(event: KeyboardEvent): void {
    const now = Number(this.root.getAttribute('aria-valuenow')) / 100;
    const to = { ArrowLeft: now + SHARE_STEP, ArrowRight: now - SHARE_STEP, Home: MAX_SHARE, End: MIN_SHARE }[
      event.key
    ];
    if (to === undefined) return;
    event.preventDefault();
    this.#set(to);
    this.#keep();
  }

  #keep(): void {
    this.#app.prefer({ detail: Number(this.root.getAttribute('aria-valuenow')) / 100 });
  }
}
