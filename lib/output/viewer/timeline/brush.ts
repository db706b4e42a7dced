/** The window on the overview: dragged as a whole or at its edges, made by dragging, or moved with the keys. */

import { offset } from '../format.ts';
import { h } from '../h.ts';
import { MARGIN, type TimelineModel } from './model.ts';
import { moved, windowOf } from './scale.ts';

const EDGE = 6;
/** A drag that is shorter was meant as a click. */
const MIN_DRAG = 4;
const STEP = 0.01;

type Grip = 'start' | 'end' | 'middle' | 'new';

export class Brush {
  readonly root: HTMLElement;
  readonly #model: TimelineModel;
  readonly #window = h('div', { class: 'tl-window' });
  readonly #start: HTMLElement;
  readonly #end: HTMLElement;
  readonly #shades = [h('div', { class: 'tl-shade' }), h('div', { class: 'tl-shade' })] as const;

  constructor(model: TimelineModel) {
    this.#model = model;
    this.#start = slider(model.words.windowStart, model.duration);
    this.#end = slider(model.words.windowEnd, model.duration);
    this.root = h('div', { class: 'tl-brush' }, ...this.#shades, this.#window, this.#start, this.#end);
    this.root.addEventListener('pointerdown', (event) => this.#grab(event));
    this.root.addEventListener('dblclick', () => model.app.state.set({ zoom: null }));
    this.#start.addEventListener('keydown', (event) => this.#key(event, 'start'));
    this.#end.addEventListener('keydown', (event) => this.#key(event, 'end'));
  }

  /** Shows the window of the state. */
  place(): void {
    const { whole, zoom, duration } = this.#model;
    const [from, to] = zoom ?? [0, duration];
    const left = MARGIN + whole.x(Math.max(0, from));
    const right = MARGIN + whole.x(Math.min(duration, to));
    this.#window.style.transform = `translateX(${left}px)`;
    this.#window.style.width = `${Math.max(1, right - left)}px`;
    this.#window.classList.toggle('tl-all', zoom === null);
    this.#start.style.transform = `translateX(${left - EDGE}px)`;
    this.#end.style.transform = `translateX(${right - EDGE}px)`;
    this.#shades[0].style.width = `${left}px`;
    this.#shades[1].style.transform = `translateX(${right}px)`;
    this.#shades[1].style.width = `${Math.max(0, this.#model.overviewWidth - right)}px`;
    for (const [one, at] of [
      [this.#start, from],
      [this.#end, to],
    ] as const) {
      one.setAttribute('aria-valuenow', String(Math.round(at * 1000) / 1000));
      one.setAttribute('aria-valuetext', offset(at));
    }
  }

  #grab(start: PointerEvent): void {
    if (start.button !== 0) return;
    const { left } = this.root.getBoundingClientRect();
    const { whole, zoom, app, duration } = this.#model;
    const placeOf = (event: PointerEvent): number => event.clientX - left - MARGIN;
    const from = placeOf(start);
    const grip = this.#gripAt(start.target, from);
    const [first, last] = zoom ?? [0, duration];
    this.root.setPointerCapture(start.pointerId);
    const move = (event: PointerEvent): void => {
      const at = placeOf(event);
      if (grip === 'new' && Math.abs(at - from) < MIN_DRAG) return;
      if (grip === 'middle') {
        const length = whole.x(last) - whole.x(first);
        return app.state.set({ zoom: moved(whole, [first, last], (at - from) / Math.max(1, length)) });
      }
      const fixed = grip === 'start' ? last : grip === 'end' ? first : whole.t(from);
      app.state.set({ zoom: windowOf(whole, fixed, whole.t(at)) });
    };
    this.root.addEventListener('pointermove', move);
    this.root.addEventListener('lostpointercapture', () => this.root.removeEventListener('pointermove', move), {
      once: true,
    });
  }

  #gripAt(target: EventTarget | null, x: number): Grip {
    if (target === this.#start) return 'start';
    if (target === this.#end) return 'end';
    const { whole, zoom } = this.#model;
    return zoom && x > whole.x(zoom[0]) && x < whole.x(zoom[1]) ? 'middle' : 'new';
  }

  #key(event: KeyboardEvent, grip: 'start' | 'end'): void {
    const { whole, zoom, app, duration } = this.#model;
    const step = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 }[event.key];
    const [first, last] = zoom ?? [0, duration];
    const at = whole.x(grip === 'start' ? first : last);
    let to = step === undefined ? Number.NaN : at + step * STEP * whole.width;
    if (event.key === 'Home') to = 0;
    if (event.key === 'End') to = whole.width;
    if (Number.isNaN(to)) return;
    event.preventDefault();
    event.stopPropagation();
    // An edge stops at the other one.
    const kept = grip === 'start' ? Math.min(to, whole.x(last) - 1) : Math.max(to, whole.x(first) + 1);
    app.state.set({ zoom: windowOf(whole, grip === 'start' ? last : first, whole.t(kept)) });
  }
}

function slider(label: string, duration: number): HTMLElement {
  return h('div', {
    class: 'tl-edge',
    role: 'slider',
    tabindex: 0,
    'aria-label': label,
    'aria-orientation': 'horizontal',
    'aria-valuemin': 0,
    'aria-valuemax': Math.round(duration * 1000) / 1000,
  });
}
