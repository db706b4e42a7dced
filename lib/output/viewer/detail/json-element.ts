/** A row of JSON as an element: indent, keys, values, and what can be opened. */
import { visible } from '../../../model/text/text.ts';
import type { Language } from '../app.ts';
import { type Attributes, fill, h } from '../h.ts';
import type { JsonRow } from './json-rows.ts';

export const JSON_WORDS: Record<
  Language,
  { more: (n: string) => string; less: string; unwrap: string; wrap: string; open: string; close: string }
> = {
  en: {
    more: (n) => `… ${n} more`,
    less: 'less',
    unwrap: 'JSON inside',
    wrap: 'as a string',
    open: 'Open',
    close: 'Close',
  },
  zh: {
    more: (n) => `……还有 ${n}`,
    less: '收起',
    unwrap: '内含 JSON',
    wrap: '还原为字符串',
    open: '展开',
    close: '折叠',
  },
};

/** Deeper rows are not indented more. */
const MAX_INDENT = 20;

/** `size`: a number of characters in words. What was pressed is in `data-do` of the target. */
export function paintJson(
  element: HTMLElement,
  row: JsonRow,
  words: (typeof JSON_WORDS)['en'],
  size: (n: number) => string,
  tabindex: number | null = null,
): void {
  const button = (what: 'fold' | 'string' | 'inner', label: string, more: Attributes = {}) =>
    h('button', { type: 'button', class: 'json-do', 'data-do': what, tabindex, ...more }, label);
  const fold =
    row.open !== null &&
    button('fold', row.open ? '▾' : '▸', {
      class: 'json-fold',
      'aria-expanded': String(row.open),
      'aria-label': row.open ? words.close : words.open,
    });
  fill(
    element,
    fold,
    ...row.spans.map(({ is, text }) => h('span', { class: `json-${is}` }, visible(text))),
    row.more > 0 && button('string', words.more(size(row.more))),
    row.isOpenString && button('string', words.less),
    row.unwrapped !== null && button('inner', row.unwrapped ? words.wrap : words.unwrap),
  );
  element.classList.toggle('is-inner', row.isInner);
  element.style.paddingInlineStart = `${Math.min(row.depth, MAX_INDENT) * 1.1 + 1.2}em`;
}
