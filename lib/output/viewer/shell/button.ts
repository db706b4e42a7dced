/** A quiet button. A sign needs a name; a word is one, and the title only says more. */
import { h } from '../h.ts';

export function button(face: string, title: string | null, run: () => void, name = ''): HTMLButtonElement {
  const label = /\p{L}/u.test(face) ? null : title;
  const one = h('button', { type: 'button', class: `shell-button ${name}`, title, 'aria-label': label }, face);
  one.addEventListener('click', run);
  return one;
}
