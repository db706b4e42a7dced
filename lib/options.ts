/** Values of options, and the errors that several commands share. */
import { Failure } from './failure.ts';
import { nearest } from './filter/nearest.ts';
import { parseTag } from './store/names.ts';

/** A parser for a whole number that is at least `least`. */
export function wholeNumber(option: string, least: 0 | 1 = 0): (word: string) => number {
  return (word) => {
    if (/^\d{1,9}$/.test(word) && Number(word) >= least) return Number(word);
    const hint = least === 0 ? 'use a whole number' : 'use a whole number greater than 0';
    throw new Failure(`invalid value ${JSON.stringify(word)} for ${option}`, hint);
  };
}

/** Collects the values of an option that may be repeated. */
export function repeated(word: string, before: string[] = []): string[] {
  return [...before, word];
}

export function tagsOf(words: readonly string[] = []): Record<string, string> {
  return Object.fromEntries(
    words.map((word) => {
      const tag = parseTag(word);
      if (!tag) throw new Failure(`--tag ${JSON.stringify(word)} has no value`, 'write a tag as key=value');
      return tag;
    }),
  );
}

/** The one with that name; it fails if there is none. */
export function oneNamed<T extends { name: string }>(what: string, word: string, known: readonly T[]): T {
  const found = known.find(({ name }) => name === word);
  if (found) return found;
  const names = known.map(({ name }) => name);
  const near = nearest(word, names);
  const hint = near.length > 0 ? `did you mean ${near.join(' or ')}?` : `use one of: ${names.join(', ')}`;
  throw new Failure(`unknown ${what} ${JSON.stringify(word)}`, hint);
}

export function cannotCombine(one: string, other: string): Failure {
  return new Failure(`${one} and ${other} cannot be combined`, 'use one of them');
}

export function noSessions(home: string): Failure {
  return new Failure(`no sessions in ${home}`, 'record one: wiretape record -- AGENT');
}
