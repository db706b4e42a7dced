/** A JSON value among other blocks. Its rows fold as in the raw pane; at first only some of them are shown. */
import { humanBytes, visible } from '../../../model/text/text.ts';
import type { Language } from '../app.ts';
import { JSON_WORDS, paintJson } from '../detail/json-element.ts';
import { jsonLines, prettyText } from '../detail/json-lines.ts';
import { JsonRows } from '../detail/json-rows.ts';
import { count } from '../format.ts';
import { fill, h } from '../h.ts';
import { copyButton, foldedText, type Pen, press } from './pen.ts';

const WORDS: Record<Language, { more: (n: string) => string; json: string }> = {
  en: { more: (n) => `Show ${n} more lines`, json: 'JSON' },
  zh: { more: (n) => `再显示 ${n} 行`, json: 'JSON' },
};

const FIRST_ROWS = 40;
const STEP = 1000;
const COLUMNS = 90;

/** `text`: the value as it was sent, or as it is written now. Text that is not JSON is shown as it is. */
export function jsonBlock(pen: Pen, text: string, name = ''): HTMLElement {
  const lines = jsonLines(text);
  if (!lines) return foldedText(pen, text, FIRST_ROWS, { class: 'block-text block-mono block-json' });
  if (pen.isFlat) return foldedText(pen, prettyText(lines), FIRST_ROWS, { class: 'block-text block-mono block-json' });
  const words = pen.app.words(WORDS);
  const rows = new JsonRows(lines, COLUMNS);
  const list = h('div', { class: 'json-list', dir: 'ltr' });
  let most = FIRST_ROWS;
  const draw = () => {
    const shown = Math.min(rows.count, most);
    const elements: HTMLElement[] = [];
    for (let i = 0; i < shown; i++) {
      const element = h('div', { class: 'json-row', 'data-i': i });
      paintJson(element, rows.row(i), pen.app.words(JSON_WORDS), humanBytes);
      elements.push(element);
    }
    const left = rows.count - shown;
    const more =
      left > 0 &&
      press(pen, words.more(count(left, pen.app.state.value.language)), () => {
        most += STEP;
        draw();
      });
    fill(list, ...elements, more);
  };
  list.addEventListener('click', ({ target }) => {
    const pressed = target instanceof Element ? target.closest<HTMLElement>('[data-do]') : null;
    const row = pressed?.closest<HTMLElement>('.json-row');
    if (!pressed || !row) return;
    rows.toggle(Number(row.dataset.i), pressed.dataset.do as 'fold' | 'string' | 'inner');
    draw();
  });
  draw();
  return h(
    'figure',
    { class: 'block-json' },
    h(
      'figcaption',
      {},
      h('span', {}, visible(name)),
      copyButton(pen, () => text, name || words.json),
    ),
    list,
  );
}
