/** Tests for single values. */

import { globMatches } from '../../model/text/glob.ts';
import { fold } from '../../model/text/text.ts';
import { MARKS } from '../facts/marks.ts';
import type { FieldTerm, TermTest } from './ast.ts';
import { textOfValue } from './path.ts';
import { qualifierOf } from './qualifiers.ts';

export type ValueTest = (value: unknown) => boolean;

/** A function that tests a value, which is never null. */
export function valueTest(test: TermTest): ValueTest {
  switch (test.is) {
    case 'exists':
      return () => true;
    case 'equals': {
      const { text, number } = test;
      const isSame = textTest((own) => fold(own) === text);
      return number === null ? isSame : (value) => (typeof value === 'number' ? value === number : isSame(value));
    }
    case 'glob':
      return textTest((text) => globMatches(test.pattern, fold(text)));
    case 'regex':
      return textTest((text) => test.regex.test(text));
    case 'range': {
      const { from, fromOpen, to, toOpen } = test;
      return (compared) => {
        const value = typeof compared === 'bigint' ? Number(compared) : compared;
        return (
          typeof value === 'number' &&
          (from === null || (fromOpen ? value > from : value >= from)) &&
          (to === null || (toOpen ? value < to : value <= to))
        );
      };
    }
  }
}

/** Values without a text, such as objects, do not pass. */
function textTest(passes: (text: string) => boolean): ValueTest {
  return (value) => {
    const text = textOfValue(value);
    return text !== null && passes(text);
  };
}

/** Matches an id, a prefix of it, or the part after its dash. */
export function sessionTest(test: TermTest): ValueTest {
  if (test.is !== 'equals') return valueTest(test);
  const { text } = test;
  return (value) => {
    const id = String(value).toLowerCase();
    return text !== '' && (id.startsWith(text) || id.slice(id.indexOf('-') + 1) === text);
  };
}

/**
 * The words that a term of type `word` or `mark` accepts; null for any word, even an unknown one. Patterns are evaluated
 * here and accept only known words.
 */
export function wordsOf({ name, tests }: FieldTerm): readonly string[] | null {
  if (tests.some(({ is }) => is === 'exists')) return null;
  const passes = tests.map(valueTest);
  return qualifierOf(name)!.words!.filter((word) => passes.some((test) => test(word)));
}

/** The bits that a term of type `mark` accepts. */
export function marksIn(term: FieldTerm): number {
  const words = wordsOf(term);
  return MARKS.filter(({ of, word }) => of === term.name && (words?.includes(word) ?? true)).reduce(
    (bits, { bit }) => bits | bit,
    0,
  );
}
