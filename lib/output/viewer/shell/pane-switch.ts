/** On narrow screens, which show one pane at a time: the view or the details. */
import { h } from '../h.ts';
import type { Shell } from './shell.ts';
import { SHELL_WORDS } from './words.ts';

export type Pane = 'view' | 'detail';

export class PaneSwitch {
  readonly root: HTMLElement;
  readonly #buttons: Record<Pane, HTMLElement>;

  constructor(app: Shell) {
    const words = app.words(SHELL_WORDS);
    const button = (pane: Pane, label: string) => {
      const one = h('button', { type: 'button', class: 'panes-button' }, label);
      one.addEventListener('click', () => app.controls.focus(pane));
      return one;
    };
    this.#buttons = { view: button('view', words.list), detail: button('detail', words.detail) };
    this.root = h('div', { class: 'panes', role: 'group', 'aria-label': words.panes }, ...Object.values(this.#buttons));
    const name = () => {
      const { f } = app.state.value;
      this.#buttons.detail.textContent = f === null ? words.detail : `${words.detail} · f${f}`;
    };
    app.state.watch(['f'], name);
    name();
    this.show('view');
  }

  show(pane: Pane): void {
    for (const [name, button] of Object.entries(this.#buttons))
      button.setAttribute('aria-pressed', String(name === pane));
  }
}
