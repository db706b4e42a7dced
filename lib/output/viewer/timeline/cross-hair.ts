/** A line through all rows at the pointer, with its moment on the axis. */
import { offset } from '../format.ts';
import { h } from '../h.ts';
import { MARGIN, type TimelineModel } from './model.ts';

export class CrossHair {
  readonly root: HTMLElement;
  readonly #moment = h('span', { class: 'tl-moment' });
  readonly #model: TimelineModel;

  constructor(model: TimelineModel) {
    this.#model = model;
    this.root = h('div', { class: 'tl-cross', hidden: true, 'aria-hidden': 'true' }, this.#moment);
  }

  /** Follows the pointer over these elements. `axis`: where the line begins, and where time does. */
  follow(elements: readonly HTMLElement[], axis: HTMLElement): void {
    for (const element of elements) {
      element.addEventListener('pointermove', ({ clientX }) => this.#show(clientX, axis));
      element.addEventListener('pointerleave', () => {
        this.root.hidden = true;
      });
    }
  }

  #show(clientX: number, axis: HTMLElement): void {
    const { scale } = this.#model;
    const { left } = axis.getBoundingClientRect();
    const x = clientX - left - MARGIN;
    this.root.hidden = x < 0 || x > scale.width;
    if (this.root.hidden) return;
    this.#moment.textContent = offset(scale.t(x));
    // On the side with more room.
    this.#moment.classList.toggle('tl-before', x > scale.width / 2);
    const host = this.root.parentElement!.getBoundingClientRect();
    this.root.style.top = `${axis.getBoundingClientRect().top - host.top}px`;
    this.root.style.transform = `translateX(${clientX - host.left}px)`;
  }
}
