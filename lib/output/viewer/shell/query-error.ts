/** An error in a query: the query, a mark under what is wrong, and what to write instead. */
import { markError, type QueryError } from '../../../analysis/query/error.ts';
import type { Language } from '../app.ts';
import { fill, h } from '../h.ts';
import { inChinese } from './query-errors-zh.ts';

export function showError(
  box: HTMLElement,
  query: string,
  error: QueryError,
  language: Language,
  words: { stays: string },
): void {
  const [line, caret] = markError(query, error);
  const translate = (sentence: string) => (language === 'zh' ? inChinese(sentence) : sentence);
  fill(
    box,
    h('p', { class: 'query-wrong' }, `✕ ${translate(error.message)}`),
    h('pre', { class: 'query-caret', 'aria-hidden': 'true' }, `${line}\n${caret}`),
    ...sentencesOf(error.hint).map((sentence) => h('p', {}, translate(sentence))),
    h('p', { class: 'query-stays' }, words.stays),
  );
}

/** What was meant, if anything, and what else can be done: a line each. */
function sentencesOf(hint: string): string[] {
  const [meant] = /^did you mean .*?\? /.exec(hint) ?? [''];
  return [meant, hint.slice(meant.length)].filter((sentence) => sentence !== '');
}
