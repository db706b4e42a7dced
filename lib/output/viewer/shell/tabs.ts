/** The tabs of the views. Arrow keys move between them, as between all tabs. */
import type { ViewName } from '../app.ts';
import { h } from '../h.ts';
import type { Shell } from './shell.ts';
import { SHELL_WORDS } from './words.ts';

export class Tabs {
  readonly root: HTMLElement;
  readonly #app: Shell;
  readonly #names: readonly ViewName[];
  readonly #tabs: HTMLElement[];

  constructor(app: Shell, names: readonly ViewName[]) {
    this.#app = app;
    this.#names = names;
    const words = app.words(SHELL_WORDS);
    this.#tabs = names.map((name, index) =>
      h(
        'button',
        {
          type: 'button',
          role: 'tab',
          class: 'tabs-tab',
          id: `tab-${name}`,
          'aria-controls': 'view',
          title: String(index + 1),
        },
        words[name],
      ),
    );
    this.root = h('div', { class: 'tabs', role: 'tablist', 'aria-label': words.views }, ...this.#tabs);
    this.root.addEventListener('click', ({ target }) => this.#choose(this.#tabs.indexOf(tabOf(target)!)));
    this.root.addEventListener('keydown', (event) => this.#key(event));
    app.state.watch(['view'], () => {
      this.#mark();
      this.reveal();
    });
    this.#mark();
  }

  /** Where there is no room for all tabs, that of the view in sight is among those shown. */
  reveal(): void {
    const tab = this.#tabs[this.#names.indexOf(this.#app.state.value.view)];
    if (!tab) return;
    const own = tab.getBoundingClientRect();
    const all = this.root.getBoundingClientRect();
    if (own.left < all.left) this.root.scrollLeft += own.left - all.left;
    else if (own.right > all.right) this.root.scrollLeft += own.right - all.right;
  }

  #choose(index: number): void {
    const view = this.#names[index];
    if (view) this.#app.state.set({ view });
  }

  #key(event: KeyboardEvent): void {
    const at = this.#names.indexOf(this.#app.state.value.view);
    const last = this.#names.length - 1;
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key];
    if (to === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const next = (to + this.#names.length) % this.#names.length;
    this.#choose(next);
    this.#tabs[next]!.focus();
  }

  #mark(): void {
    const at = this.#names.indexOf(this.#app.state.value.view);
    for (const [index, tab] of this.#tabs.entries()) {
      tab.setAttribute('aria-selected', String(index === at));
      tab.tabIndex = index === Math.max(0, at) ? 0 : -1;
    }
  }
}

function tabOf(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('[role=tab]') : null;
}
