/** A text as words that stayed, went and came. */
import { diffWordsWithSpace } from 'diff';

export interface WordPart {
  sign: ' ' | '-' | '+';
  text: string;
}

/** Longer texts are compared line by line. */
const LONGEST = 20_000;
const MOST_EDITS = 400;
/** Unchanged text this short between two changes goes with them. */
const SHORT = 5;
const LEAST_COMMON = 0.4;

/** Null if the texts are too long, or have so little in common that both are read better as a whole. */
export function wordDiff(a: string, b: string): WordPart[] | null {
  if (a.length + b.length > LONGEST) return null;
  const changes = diffWordsWithSpace(a, b, { maxEditLength: MOST_EDITS });
  if (!changes) return null;
  const parts = changes.map(({ added, removed, value }): WordPart => {
    return { sign: added ? '+' : removed ? '-' : ' ', text: value };
  });
  const whole = joined(parts);
  const same = whole.filter(({ sign }) => sign === ' ').reduce((sum, { text }) => sum + text.length, 0);
  return same >= LEAST_COMMON * Math.max(a.length, b.length) ? whole : null;
}

/** A word or two between changes are part of the change: else every `the` would stand alone. */
function joined(parts: readonly WordPart[]): WordPart[] {
  const out: WordPart[] = [];
  let gone = '';
  let come = '';
  const flush = () => {
    if (gone !== '') out.push({ sign: '-', text: gone });
    if (come !== '') out.push({ sign: '+', text: come });
    gone = '';
    come = '';
  };
  parts.forEach(({ sign, text }, i) => {
    const isBetween = sign === ' ' && text.trim().length <= SHORT && gone + come !== '' && i < parts.length - 1;
    if (sign === ' ' && !isBetween) {
      flush();
      out.push({ sign, text });
      return;
    }
    if (sign !== '+') gone += text;
    if (sign !== '-') come += text;
  });
  flush();
  return out;
}
