/** Which regular expressions may take forever: in a page, nothing can stop them. */
import { expect, it } from 'vitest';
import { parseQuery } from '../../../../../lib/analysis/query/parser.ts';
import { NO_TEXT } from '../../../../../lib/model/text/searchable.ts';
import { repetitions, tryOn, watchedIn } from '../../../../../lib/output/viewer/search/slow-regex.ts';

it.each([
  ['connection reset', 0],
  ['a.*b', 1],
  ['a*b+c{2,}', 3],
  ['a{1}b{0,1}c?', 0],
  ['[*+?{]', 0],
  ['\\*\\+', 0],
  ['(?:error|warning)s?', 0],
  ['(?:abc)+', 1],
  ['(abc){3}', 1],
  ['(?<=a)b*?', 1],
  ['(?<name>a|b)', 0],
  ['(a+)+', Number.POSITIVE_INFINITY],
  ['(a|a)*', Number.POSITIVE_INFINITY],
  ['(ab?)+', Number.POSITIVE_INFINITY],
  ['((a+)b)*', Number.POSITIVE_INFINITY],
  ['(?:(?:a|b)c){2,}', Number.POSITIVE_INFINITY],
  ['(a)\\1', Number.POSITIVE_INFINITY],
  ['(?<x>a)\\k<x>', Number.POSITIVE_INFINITY],
  ['[(](a+[)])+', Number.POSITIVE_INFINITY],
])('counts the repetitions of /%s/', (source, count) => {
  expect(repetitions(source)).toBe(count);
});

it('stops at the beginning of a text that would take too long', () => {
  const watched = watchedIn(parseQuery('/(?:a|b) a*a*a*a*b$/')!);
  const own = `b ${'a'.repeat(100_000)}`;
  expect(() => tryOn({ ...NO_TEXT, own }, watched)).toThrow('took too long on one line');
  expect(() => tryOn({ ...NO_TEXT, own: 'b aaaab' }, watched)).not.toThrow();
});

it('lets a plain one run on a long text', () => {
  const watched = watchedIn(parseQuery('/connection (reset|refused)/')!);
  expect(() => tryOn({ ...NO_TEXT, own: 'connection '.repeat(1_000_000) }, watched)).not.toThrow();
});
