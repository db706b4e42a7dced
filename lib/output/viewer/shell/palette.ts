/** Ctrl+K: finds a command, a view, a turn or a bookmark by a few letters. After `:` it goes to a frame, a turn or a time. */
import { visible } from '../../../model/text/text.ts';
import { fill, h } from '../h.ts';
import { COMMAND_WORDS } from './command-words.ts';
import { COMMANDS, viewsOf } from './commands.ts';
import { keysOf } from './help.ts';
import { type Choice, chosen, targetChoice } from './palette-choices.ts';
import type { Shell } from './shell.ts';
import { SHELL_WORDS } from './words.ts';

const WORDS = {
  en: {
    label: 'Find a command, a view or a turn',
    hint: 'A command, view or turn; a frame: f123, a turn: t3, a time: 1m20s',
    results: 'Results',
    none: 'Nothing has that name',
    view: 'view',
    turn: (n: number) => `turn ${n}`,
    bookmark: 'bookmark',
  },
  zh: {
    label: '查找命令、视图或轮次',
    hint: '命令、视图或轮次；帧：f123，轮次：t3，时间：1m20s',
    results: '结果',
    none: '没有匹配的项目',
    view: '视图',
    turn: (n: number) => `第 ${n} 轮`,
    bookmark: '书签',
  },
};

export class CommandPalette {
  readonly root: HTMLDialogElement;
  readonly #app: Shell;
  readonly #input: HTMLInputElement;
  readonly #list: HTMLElement;
  #choices: readonly Choice[] = [];
  #all: readonly Choice[] = [];
  #at = 0;

  constructor(app: Shell) {
    this.#app = app;
    const words = app.words(WORDS);
    this.#input = h('input', {
      class: 'palette-input',
      type: 'text',
      role: 'combobox',
      autocomplete: 'off',
      spellcheck: 'false',
      placeholder: words.hint,
      'aria-label': words.label,
      'aria-expanded': 'true',
      'aria-controls': 'palette-list',
    });
    this.#list = h('div', { class: 'palette-list', id: 'palette-list', role: 'listbox', 'aria-label': words.results });
    this.root = h('dialog', { class: 'palette', 'aria-label': words.label }, this.#input, this.#list);
    this.#input.addEventListener('input', () => this.#find());
    this.#input.addEventListener('keydown', (event) => this.#key(event));
    this.root.addEventListener('click', ({ target }) => this.#click(target));
  }

  open(first: string): void {
    if (this.root.open) return;
    this.#all = this.#everything();
    this.#input.value = first;
    this.root.showModal();
    this.#input.focus();
    this.#find();
  }

  #everything(): Choice[] {
    const app = this.#app;
    const words = app.words(WORDS);
    const names = app.words(COMMAND_WORDS);
    const views = app.words(SHELL_WORDS);
    return [
      ...viewsOf(app).map((view, index) => ({
        label: views[view],
        note: words.view,
        keys: [String(index + 1)],
        run: () => app.state.set({ view }),
      })),
      ...app.state.value.bookmarks.map((f) => ({
        label: `f${f}`,
        note: words.bookmark,
        keys: [],
        run: () => app.select({ f }, { focus: true, jump: true }),
      })),
      ...COMMANDS.filter(({ isListed }) => isListed).map(({ name, keys, run }) => ({
        label: names[name],
        note: '',
        keys: [...keys],
        run: () => run!(app),
      })),
      ...app.source.head.turns.map(({ n, row, prompt }) => ({
        label: visible(prompt),
        note: words.turn(n),
        keys: [],
        run: () => app.select({ row }, { focus: true, jump: true }),
      })),
    ];
  }

  #find(): void {
    const { value } = this.#input;
    const target = targetChoice(this.#app, value);
    this.#choices = target
      ? [target, ...(value.startsWith(':') ? [] : chosen(this.#all, value))]
      : chosen(this.#all, value.replace(/^:/, ''));
    this.#at = 0;
    fill(this.#list, ...this.#choices.map((choice, index) => optionOf(choice, index)));
    if (this.#choices.length === 0) fill(this.#list, h('p', { class: 'palette-none' }, this.#app.words(WORDS).none));
    this.#mark();
  }

  #key(event: KeyboardEvent): void {
    const last = this.#choices.length - 1;
    const to = { ArrowDown: this.#at + 1, ArrowUp: this.#at - 1, PageDown: this.#at + 8, PageUp: this.#at - 8 }[
      event.key
    ];
    if (to !== undefined) {
      event.preventDefault();
      this.#at = to < 0 ? (this.#at === 0 ? last : 0) : to > last ? (this.#at === last ? 0 : last) : to;
      this.#mark();
    }
    if (event.key === 'Enter') {
      event.preventDefault();
      this.#run(this.#at);
    }
  }

  #click(target: EventTarget | null): void {
    if (target === this.root) return this.root.close();
    const option = target instanceof Element ? target.closest<HTMLElement>('[role=option]') : null;
    if (option) this.#run(Number(option.dataset.index));
  }

  #run(index: number): void {
    const choice = this.#choices[index];
    if (!choice) return;
    this.root.close();
    choice.run();
  }

  #mark(): void {
    for (const option of this.#list.querySelectorAll('[role=option]')) {
      const isIt = (option as HTMLElement).dataset.index === String(this.#at);
      option.setAttribute('aria-selected', String(isIt));
      if (isIt) option.scrollIntoView({ block: 'nearest' });
    }
    this.#input.setAttribute('aria-activedescendant', this.#choices.length > 0 ? `palette-${this.#at}` : '');
  }
}

function optionOf({ label, note, keys }: Choice, index: number): HTMLElement {
  return h(
    'div',
    { class: 'palette-option', role: 'option', id: `palette-${index}`, 'data-index': index },
    h('span', { class: 'palette-label', dir: 'auto' }, label),
    h('span', { class: 'palette-note' }, note),
    ...keysOf(keys),
  );
}
