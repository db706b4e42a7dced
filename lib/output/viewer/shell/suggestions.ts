/** The list below the query: completions, presets or earlier queries. */
import { visible } from '../../../model/text/text.ts';
import { fill, h } from '../h.ts';
import type { Completion } from './completions.ts';

const MAX_SUGGESTIONS = 40;

export class Suggestions {
  readonly root: HTMLElement;
  readonly #input: HTMLInputElement;
  readonly #choose: (one: Completion) => void;
  #list: readonly Completion[] = [];
  #at = -1;

  constructor(input: HTMLInputElement, id: string, label: string, choose: (one: Completion) => void) {
    this.#input = input;
    this.#choose = choose;
    this.root = h('div', { class: 'suggestions', id, role: 'listbox', 'aria-label': label, hidden: true });
    // The input keeps the focus, so that leaving it can close the list.
    this.root.addEventListener('pointerdown', (event) => event.preventDefault());
    this.root.addEventListener('click', ({ target }) => {
      const option = target instanceof Element ? target.closest<HTMLElement>('[role=option]') : null;
      if (option) this.#take(Number(option.dataset.index));
    });
  }

  open(list: readonly Completion[]): void {
    this.#list = list.slice(0, MAX_SUGGESTIONS);
    this.#at = -1;
    fill(
      this.root,
      ...this.#list.map(({ text, note }, index) =>
        h(
          'div',
          { class: 'suggestions-option', role: 'option', id: `${this.root.id}-${index}`, 'data-index': index },
          h('code', { dir: 'auto' }, visible(text)),
          h('span', {}, note),
        ),
      ),
    );
    this.#show(this.#list.length > 0);
  }

  close(): void {
    this.#show(false);
  }

  /** True if the key was meant for the list. */
  key({ key }: KeyboardEvent): boolean {
    if (this.root.hidden) return false;
    if (key === 'Escape') this.close();
    else if (key === 'ArrowDown') this.#move(this.#at + 1);
    else if (key === 'ArrowUp') this.#move(this.#at - 1);
    else if ((key === 'Enter' || key === 'Tab') && this.#at >= 0) this.#take(this.#at);
    else return false;
    return true;
  }

  #move(to: number): void {
    const last = this.#list.length - 1;
    this.#at = to > last ? 0 : to < 0 ? last : to;
    this.#mark();
  }

  #take(index: number): void {
    const one = this.#list[index];
    this.close();
    if (one) this.#choose(one);
  }

  #show(isOpen: boolean): void {
    this.root.hidden = !isOpen;
    this.#input.setAttribute('aria-expanded', String(isOpen));
    this.#mark();
  }

  #mark(): void {
    for (const option of this.root.querySelectorAll<HTMLElement>('[role=option]')) {
      const isIt = option.dataset.index === String(this.#at);
      option.setAttribute('aria-selected', String(isIt));
      if (isIt) option.scrollIntoView({ block: 'nearest' });
    }
    if (this.#at >= 0 && !this.root.hidden)
      this.#input.setAttribute('aria-activedescendant', `${this.root.id}-${this.#at}`);
    else this.#input.removeAttribute('aria-activedescendant');
  }
}
