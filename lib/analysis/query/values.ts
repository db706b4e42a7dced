/** Reads the values of a term according to the type of its qualifier. An invalid value is an error, never a non-match. */

import { globMatches, hasGlob } from '../../model/text/glob.ts';
import { fold } from '../../model/text/text.ts';
import type { TermTest } from './ast.ts';
import { checkLimit, QueryError, shortened } from './error.ts';
import type { RawValue } from './lexer.ts';
import { nearest } from './nearest.ts';
import { NUMBER_EXAMPLES, type NumericType, numericTest, readNumber } from './numbers.ts';
import type { Qualifier } from './qualifiers.ts';

export const MAX_VALUE_CHARS = 256;

/** `qualifier` is null for a path, which has no type. `now`: see `parseQuery`. */
export function testOf(raw: RawValue, qualifier: Qualifier | null, now: number | null): TermTest {
  const length = raw.is === 'regex' ? raw.regex.source.length : raw.text.length;
  checkLimit('the value is too long', length, MAX_VALUE_CHARS, 'characters', raw.at, raw.length);
  if (raw.is === 'bare' && /^\*+$/.test(raw.text)) return { is: 'exists' };
  if (!qualifier) return pathTest(raw);
  switch (qualifier.type) {
    case 'word':
    case 'mark':
      return wordTest(raw, qualifier);
    case 'text':
    case 'session':
      return textTest(raw);
    case 'exit':
      return exitTest(raw, qualifier);
    case 'state':
      return stateTest(raw, qualifier);
    default:
      return numberTest(raw, qualifier, qualifier.type, now);
  }
}

function textTest(raw: RawValue): TermTest {
  if (raw.is === 'regex') return { is: 'regex', regex: raw.regex };
  const text = fold(raw.text);
  return raw.is === 'bare' && hasGlob(text) ? { is: 'glob', pattern: text } : { is: 'equals', text, number: null };
}

/** A number or a range if the value looks like one, else text. */
function pathTest(raw: RawValue): TermTest {
  if (raw.is !== 'bare') return textTest(raw);
  if (/^[<>]/.test(raw.text)) {
    const test = numericTest(raw.text, 'number', false);
    if (test.is === 'misread' || test.is === 'empty')
      throw new QueryError(
        `"${shortened(raw.text)}" is not a comparison with a number`,
        'use a plain number, or quote the text',
        ...positionOf(raw),
      );
    return test;
  }
  const [, from, to] = /^(.+?)\.\.(.+)$/.exec(raw.text) ?? [];
  const isNumberOrStar = (text: string) => text === '*' || readNumber(text) !== null;
  if (from !== undefined && to !== undefined && isNumberOrStar(from) && isNumberOrStar(to)) {
    const test = numericTest(raw.text, 'number', false);
    if (test.is === 'misread' || test.is === 'empty') throw emptyRange(raw);
    return test;
  }
  const test = textTest(raw);
  return test.is === 'equals' ? { ...test, number: readNumber(raw.text) } : test;
}

function numberTest(
  raw: RawValue,
  { name, example }: Qualifier,
  type: NumericType,
  now: number | null = null,
): TermTest {
  if (raw.is === 'regex' || (raw.is === 'bare' && hasGlob(raw.text.replace(/^\*(?=\.\.)|(?<=\.\.)\*$/g, ''))))
    throw new QueryError(
      `${name}: does not accept patterns`,
      `write ${NUMBER_EXAMPLES[type]}: ${example}`,
      ...positionOf(raw),
    );
  const test = numericTest(raw.text, type, raw.is === 'quoted', now);
  if (test.is === 'empty') throw emptyRange(raw);
  if (test.is === 'misread')
    throw new QueryError(
      `invalid value "${shortened(test.text)}" for ${name}:`,
      `write ${NUMBER_EXAMPLES[type]}: ${example}`,
      ...positionOf(raw),
    );
  return test;
}

function emptyRange(raw: RawValue): QueryError {
  return new QueryError('empty range', 'write the smaller value first', ...positionOf(raw));
}

/** A number, a range, or the name of a signal, with or without SIG. */
function exitTest(raw: RawValue, qualifier: Qualifier): TermTest {
  if (raw.is === 'regex') return wordTest(raw, qualifier);
  if (/^[<>]|^[+-]?[\d.]|^\*\.\./.test(raw.text)) return numberTest(raw, qualifier, 'number');
  const full = `sig${raw.text.toLowerCase()}`;
  return wordTest(qualifier.words!.includes(full) ? { ...raw, text: full } : raw, qualifier);
}

/** A word, or what `ls` shows of an agent that failed: `exit 1`, `SIGTERM`, with or without wildcards. */
function stateTest(raw: RawValue, qualifier: Qualifier): TermTest {
  const isFailure = raw.is !== 'regex' && /^(?:exit(?:[ *?]|$)|sig[a-z0-9*?])/i.test(raw.text);
  if (!isFailure) return wordTest(raw, qualifier);
  return textTest(raw.text.toLowerCase() === 'exit' ? { ...raw, is: 'bare', text: 'exit*' } : raw);
}

function wordTest(raw: RawValue, { name, type, words }: Qualifier): TermTest {
  const oneOf =
    type === 'exit'
      ? 'write a number, a range like 1..*, or a signal like SIGTERM'
      : `use one of: ${words!.join(', ')}${type === 'state' ? ', or what ls shows: "exit 1", SIGTERM' : ''}`;
  if (raw.is === 'regex') {
    if (isExpensive(raw.regex.source))
      throw new QueryError(`the pattern is too complex for ${name}:`, `list the values; ${oneOf}`, ...positionOf(raw));
    if (words!.some((word) => raw.regex.test(word))) return { is: 'regex', regex: raw.regex };
    throw new QueryError(`no value of ${name}: matches`, oneOf, ...positionOf(raw));
  }
  const text = fold(raw.text);
  if (raw.is === 'bare' && hasGlob(text)) {
    if (words!.some((word) => globMatches(text, word))) return { is: 'glob', pattern: text };
    throw new QueryError(`no value of ${name}: matches "${shortened(text)}"`, oneOf, ...positionOf(raw));
  }
  if (words!.includes(text)) return { is: 'equals', text, number: null };
  const near = nearest(text, words!);
  const suggestion = near.length > 0 ? `did you mean ${near.join(' or ')}? ` : '';
  throw new QueryError(`invalid value "${shortened(raw.text)}" for ${name}:`, suggestion + oneOf, ...positionOf(raw));
}

const positionOf = ({ at, length }: RawValue): [number, number] => [at, length];

/** The parser runs these patterns, so they must be fast: no repeated groups, few repetitions. */
function isExpensive(source: string): boolean {
  return (
    source.length > 40 ||
    /\)[*+?{]|\\[1-9k]/.test(source) ||
    source.replace(/\(\?/g, '').replace(/[^*+?{]/g, '').length > 3
  );
}
