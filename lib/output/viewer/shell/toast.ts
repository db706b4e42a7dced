/** Short messages, shown for a moment and read out by screen readers. */
import { h } from '../h.ts';

/** Long enough to read two lines. */
const SHOWN_MS = 4000;

export class Toasts {
  readonly root = h('div', { class: 'toasts', role: 'status', 'aria-live': 'polite' });
  #timer = 0;

  show(message: string): void {
    clearTimeout(this.#timer);
    this.root.textContent = message;
    this.root.classList.add('toasts-shown');
    this.#timer = window.setTimeout(() => {
      this.root.classList.remove('toasts-shown');
      this.root.textContent = '';
    }, SHOWN_MS);
  }
}
