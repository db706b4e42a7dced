/** As much of a private value as may be shown: people who know it recognise it, and nobody else learns it. */

/** The first and last two characters, one of a short value, none of a very short one. */
export function glimpse(value: string): string {
  const characters = [...value];
  const shown = shownChars(characters.length);
  return `${characters.slice(0, shown).join('')}…${shown === 0 ? '' : characters.slice(-shown).join('')}`;
}

/** Longer gaps become one star instead of question marks. */
const MAX_QUESTION_MARKS = 40;

/**
 * A pattern for `--also` or `--keep` that matches the value and shows no more than its `glimpse`; null if that would match any
 * word of its length.
 */
export function patternFor(value: string): string | null {
  const characters = [...value];
  const shown = shownChars(characters.length);
  // A question mark stands for a character of UTF-16.
  const isPlain = value.length === characters.length && !/[*?\n/]/.test(value[0]! + value.at(-1)!);
  if (shown === 0 || !isPlain) return null;
  const hidden = characters.length - 2 * shown;
  const middle = hidden <= MAX_QUESTION_MARKS || /\s/.test(value) ? '?'.repeat(hidden) : '*';
  return `${characters.slice(0, shown).join('')}${middle}${characters.slice(-shown).join('')}`;
}

const shownChars = (length: number): number => (length >= 8 ? 2 : length >= 5 ? 1 : 0);
