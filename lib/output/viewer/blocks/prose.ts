/** What people and agents write, as elements. Addresses are text beside their label and can be copied, never followed. */
import { humanBytes, visible } from '../../../model/text/text.ts';
import type { Language } from '../app.ts';
import { h } from '../h.ts';
import { type Inline, type MarkdownNode, markdown } from './markdown.ts';
import { copyButton, foldedText, type Pen, press, recorded } from './pen.ts';

const WORDS: Record<Language, { rest: (size: string) => string; url: string; code: string; image: string }> = {
  en: { rest: (size) => `Show the rest (${size})`, url: 'address', code: 'code', image: 'image' },
  zh: { rest: (size) => `显示其余部分（${size}）`, url: '地址', code: '代码', image: '图片' },
};

/** Longer texts are shown as they are. */
const MAX_CHARS = 300_000;
/** At first so much is shown, to the end of a paragraph. */
const FIRST_CHARS = 12_000;
const CODE_LINES = 60;
const PLAIN_LINES = 200;

export function prose(pen: Pen, text: string): HTMLElement {
  if (text.length > MAX_CHARS) return foldedText(pen, text, PLAIN_LINES, { class: 'block-text block-prose' });
  const box = h('div', { class: 'block-prose', dir: 'auto' });
  add(pen, box, markdown(text), pen.isFlat ? Number.POSITIVE_INFINITY : FIRST_CHARS);
  return box;
}

function add(pen: Pen, box: HTMLElement, nodes: readonly MarkdownNode[], most: number): void {
  let used = 0;
  for (const [i, node] of nodes.entries()) {
    if (used > most) {
      const rest = nodes.slice(i);
      const size = rest.reduce((sum, one) => sum + lengthOf(one), 0);
      const more = press(pen, pen.app.words(WORDS).rest(humanBytes(size)), () => {
        more.remove();
        add(pen, box, rest, 20 * FIRST_CHARS);
      })!;
      more.classList.add('block-more');
      box.append(more);
      return;
    }
    used += lengthOf(node);
    box.append(element(pen, node));
  }
}

/** About how many characters it has. */
function lengthOf(node: MarkdownNode): number {
  if (node.is === 'code') return node.text.length;
  if (node.is === 'rule') return 1;
  if (node.is === 'list')
    return node.items.reduce((sum, item) => sum + item.reduce((all, one) => all + lengthOf(one), 0), 0);
  if (node.is === 'quote') return node.of.reduce((sum, one) => sum + lengthOf(one), 0);
  if (node.is === 'table') return node.rows.length * node.head.length * 20;
  return node.of.reduce((sum, one) => sum + ('text' in one ? one.text.length : 20), 0);
}

function element(pen: Pen, node: MarkdownNode): HTMLElement {
  switch (node.is) {
    case 'heading':
      return h(
        'p',
        { class: `block-h block-h${node.level}`, role: 'heading', 'aria-level': Math.min(6, node.level + 2) },
        ...inline(pen, node.of),
      );
    case 'paragraph':
      return h('p', { dir: 'auto' }, ...inline(pen, node.of));
    case 'code':
      return codeBlock(pen, node.text, node.language);
    case 'quote':
      return h('blockquote', {}, ...node.of.map((one) => element(pen, one)));
    case 'rule':
      return h('hr');
    case 'table':
      return table(pen, node);
    default:
      return list(pen, node);
  }
}

function list(pen: Pen, { first, items }: MarkdownNode & { is: 'list' }): HTMLElement {
  const root = h(first === null ? 'ul' : 'ol');
  if (first !== null) (root as HTMLOListElement).start = first;
  for (const item of items) {
    const [only] = item;
    // A list of single lines stands close together.
    const isLine = item.length === 1 && only?.is === 'paragraph';
    const children = isLine ? inline(pen, only.of) : item.map((one) => element(pen, one));
    const isTask = typeof children[0] === 'string' && TASK.test(children[0]);
    root.append(h('li', { dir: 'auto', class: isTask && 'is-task' }, ...(isTask ? task(children) : children)));
  }
  return root;
}

const TASK = /^\[([ xX])\] /;

/** `[x] done` has a box. */
function task([first, ...rest]: (HTMLElement | string)[]): (HTMLElement | string)[] {
  const text = first as string;
  return [`${TASK.exec(text)![1] === ' ' ? '☐' : '☑'} ${text.slice(4)}`, ...rest];
}

function table(pen: Pen, { head, rows }: MarkdownNode & { is: 'table' }): HTMLElement {
  const cells = (row: Inline[][], tag: 'th' | 'td') => row.map((cell) => h(tag, { dir: 'auto' }, ...inline(pen, cell)));
  return h(
    'div',
    { class: 'block-table', tabindex: pen.isFlat ? null : 0, role: 'group' },
    h(
      'table',
      {},
      h('thead', {}, h('tr', {}, ...cells(head, 'th'))),
      h('tbody', {}, ...rows.map((row) => h('tr', {}, ...cells(row, 'td')))),
    ),
  );
}

function inline(pen: Pen, parts: readonly Inline[]): (HTMLElement | string)[] {
  return parts.map((part) => {
    if ('of' in part) return h(part.is, {}, ...inline(pen, part.of));
    if (part.is === 'text') return visible(part.text, true);
    if ('url' in part) return address(pen, part);
    return h('code', { dir: 'auto' }, visible(part.text, true));
  });
}

function address(pen: Pen, { is, text, url }: Inline & { is: 'link' | 'image' }): HTMLElement {
  const words = pen.app.words(WORDS);
  const label = is === 'image' ? `[${words.image}${text && `: ${text}`}]` : text;
  return h(
    'span',
    { class: 'block-link' },
    label && label !== url && recorded(label, { class: 'block-link-label' }),
    h('span', { class: 'block-url', dir: 'ltr' }, visible(url)),
    copyButton(pen, () => url, words.url),
  );
}

function codeBlock(pen: Pen, text: string, language: string | null): HTMLElement {
  return h(
    'figure',
    { class: 'block-code' },
    h(
      'figcaption',
      {},
      h('span', {}, visible(language ?? '')),
      copyButton(pen, () => text, pen.app.words(WORDS).code),
    ),
    foldedText(pen, text, CODE_LINES, { class: 'block-text block-mono', dir: 'ltr' }),
  );
}
