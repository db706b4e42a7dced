/** A text as words that stayed, went and came. */
import { diffWordsWithSpace } from 'diff';

export interface WordPart {
  sign: ' ' | '-' | '+';
  text: string;
}

/** Longer texts are compared line by line. */
const LONGEST = 20_000;
const MOST_EDITS = 400;

/** Null if the texts are too long, or have so little in common that both are read better as a whole. */
export function wordDiff(a: string, b: string): WordPart[] | null {
  if (a.length + b.length > LONGEST) return null;
  const changes = diffWordsWithSpace(a, b, { maxEditLength: MOST_EDITS });
  if (!changes) return null;
  const parts = changes.map(({ added, removed, value }): WordPart => {
    return { sign: added ? '+' : removed ? '-' : ' ', text: value };
  });
  const same = parts.filter(({ sign }) => sign === ' ').reduce((sum, { text }) => sum + text.trim().length, 0);
  return same * 2 >= Math.min(a.length, b.length) ? parts : null;
}
