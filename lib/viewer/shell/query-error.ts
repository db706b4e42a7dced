/** An error in a query: the query, a mark under what is wrong, and what to write instead. */
import { pointAt, type QueryError } from '../../filter/error.ts';
import { fill, h } from '../h.ts';

export function showError(box: HTMLElement, query: string, error: QueryError, words: { stays: string }): void {
  const [line, caret] = pointAt(query, error);
  fill(
    box,
    h('p', { class: 'query-wrong', lang: 'en' }, `✕ ${error.message}`),
    h('pre', { class: 'query-caret', 'aria-hidden': 'true' }, `${line}\n${caret}`),
    h('p', { lang: 'en' }, error.hint),
    h('p', { class: 'query-stays' }, words.stays),
  );
  box.hidden = false;
}
