/**
 * Makes elements. Recorded text reaches the page only as text nodes and as the attributes named here: there is no way to
 * give this a piece of HTML, a link or a handler.
 */
import { visible } from '../../model/text/text.ts';

type Child = Node | string | number | null | undefined | false;

/** Attributes that may be set. Styles are set through `style`, which is the CSSOM and needs no inline style. */
type Attribute =
  | 'class'
  | 'id'
  | 'role'
  | 'tabindex'
  | 'title'
  | 'lang'
  | 'dir'
  | 'type'
  | 'for'
  | 'placeholder'
  | 'spellcheck'
  | 'autocomplete'
  | 'hidden'
  | 'disabled'
  | 'scope'
  | 'colspan'
  | 'open'
  | `aria-${string}`
  | `data-${string}`;

export type Attributes = { [K in Attribute]?: string | number | boolean | null | undefined };

/** False, null and undefined leave an attribute out; true sets it without a value. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (value !== null && value !== undefined && value !== false)
      // Titles and labels are read too.
      element.setAttribute(name, value === true ? '' : visible(String(value), true));
  append(element, children);
  return element;
}

export function append(to: Node, children: readonly Child[]): void {
  for (const child of children)
    if (child !== null && child !== undefined && child !== false)
      to.appendChild(typeof child === 'object' ? child : document.createTextNode(String(child)));
}

/** Replaces everything in an element. */
export function fill(element: Element, ...children: Child[]): void {
  element.textContent = '';
  append(element, children);
}
