/** A button with a menu below it. */
import { fill, h } from '../h.ts';

export interface MenuItem {
  label: string;
  /** The keys that do the same. */
  keys?: string;
  run(): void;
}

export function menuButton(label: string, items: () => MenuItem[]): HTMLElement {
  const list = h('div', { class: 'detail-menu', role: 'menu', 'aria-label': label, hidden: true });
  const button = h(
    'button',
    { type: 'button', class: 'detail-button', 'aria-haspopup': 'menu', 'aria-expanded': 'false' },
    label,
    h('span', { 'aria-hidden': 'true' }, ' ▾'),
  );
  const root = h('div', { class: 'detail-menu-box' }, button, list);
  const close = (isFocused: boolean) => {
    list.hidden = true;
    button.setAttribute('aria-expanded', 'false');
    if (isFocused) button.focus();
  };
  const open = () => {
    fill(list, ...items().map((item) => entry(item, () => close(true))));
    list.hidden = false;
    button.setAttribute('aria-expanded', 'true');
    list.querySelector<HTMLElement>('button')?.focus();
  };
  button.addEventListener('click', () => (list.hidden ? open() : close(true)));
  root.addEventListener('focusout', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && root.contains(relatedTarget))) close(false);
  });
  root.addEventListener('keydown', (event) => {
    if (list.hidden) return;
    if (event.key === 'Escape') close(true);
    else if (!move(list, event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  });
  return root;
}

function entry({ label, keys, run }: MenuItem, close: () => void): HTMLElement {
  const button = h('button', { type: 'button', role: 'menuitem', tabindex: -1 }, label, keys && h('kbd', {}, keys));
  button.addEventListener('click', () => {
    close();
    run();
  });
  return button;
}

function move(list: HTMLElement, key: string): boolean {
  const all = [...list.querySelectorAll<HTMLElement>('button')];
  const at = all.indexOf(document.activeElement as HTMLElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[key];
  if (to === undefined) return false;
  all[(to + all.length) % all.length]?.focus();
  return true;
}
