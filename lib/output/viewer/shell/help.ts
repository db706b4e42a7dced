/** The help: every key and what it does, from the one table of commands. */
import { fill, h } from '../h.ts';
import { button } from './button.ts';
import { COMMAND_WORDS } from './command-words.ts';
import { COMMANDS, GROUPS } from './commands.ts';
import type { Shell } from './shell.ts';

const WORDS = {
  en: {
    title: 'Keys',
    close: 'Close',
    letters: 'Keys that are a single character do something',
    find: 'Ctrl+F is the browser’s own search: it sees only the rows on the screen. The query searches all.',
    or: 'or',
    about: (version: string) =>
      `Made with wiretape ${version}. This page needs no network, and nothing in it is sent anywhere.`,
  },
  zh: {
    title: '快捷键',
    close: '关闭',
    letters: '启用单字符快捷键',
    find: 'Ctrl+F 是浏览器自带的查找，只能看到屏幕上的行；查询框会搜索全部内容。',
    or: '或',
    about: (version: string) => `由 wiretape ${version} 生成。此页面不需要网络，也不会发送任何内容。`,
  },
};

const NAMES: Record<string, string> = { ArrowDown: '↓', ArrowUp: '↑', ArrowLeft: '←', ArrowRight: '→', Escape: 'Esc' };

export class Help {
  readonly root = h('dialog', { class: 'help', 'aria-labelledby': 'help-title' });
  readonly #app: Shell;

  constructor(app: Shell) {
    this.#app = app;
    this.root.addEventListener('click', ({ target }) => {
      if (target === this.root) this.root.close();
    });
  }

  open(): void {
    if (this.root.childElementCount === 0) this.#make();
    if (!this.root.open) this.root.showModal();
  }

  #make(): void {
    const words = this.#app.words(WORDS);
    const { groups } = this.#app.words(COMMAND_WORDS);
    const close = button('✕', words.close, () => this.root.close());
    fill(
      this.root,
      h('div', { class: 'help-head' }, h('h2', { id: 'help-title' }, words.title), close),
      h(
        'div',
        { class: 'help-groups' },
        ...GROUPS.map((group) => h('section', { class: 'help-group' }, h('h3', {}, groups[group]), this.#table(group))),
      ),
      h(
        'div',
        { class: 'help-foot' },
        this.#letters(),
        h('p', {}, words.find),
        h('p', {}, words.about(this.#app.head.version)),
      ),
    );
  }

  #table(group: (typeof GROUPS)[number]): HTMLElement {
    const names = this.#app.words(COMMAND_WORDS);
    const list = COMMANDS.filter((command) => command.group === group && command.keys.length > 0);
    return h('dl', {}, ...list.flatMap(({ name, keys }) => [h('dt', {}, ...keysOf(keys)), h('dd', {}, names[name])]));
  }

  #letters(): HTMLElement {
    const box = h('input', { type: 'checkbox', id: 'help-letters' });
    box.checked = this.#app.settings.letters;
    box.addEventListener('change', () => this.#app.prefer({ letters: box.checked }));
    return h('p', {}, box, ' ', h('label', { for: 'help-letters' }, this.#app.words(WORDS).letters));
  }
}

/** `g g` as two keys, each drawn as a key. */
export function keysOf(keys: readonly string[]): HTMLElement[] {
  return keys.map((one) => h('span', { class: 'help-keys' }, ...namesIn(one).map((name) => h('kbd', {}, name))));
}

function namesIn(keys: string): string[] {
  if (keys.startsWith('Ctrl+')) return ['Ctrl', keys.slice(5).toUpperCase()];
  return keys.split(/[ +](?=.)/).map((key) => NAMES[key] ?? key);
}
