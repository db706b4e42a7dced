/** A text as words that stayed, went and came. */
import { diffWordsWithSpace } from 'diff';

export interface WordPart {
  sign: ' ' | '-' | '+';
  text: string;
}

/** Longer texts are compared line by line. */
const MAX_TEXT_CHARS = 20_000;
const MAX_EDITS = 400;
/** Unchanged text this short between two changes goes with them. */
const MAX_BRIDGE_CHARS = 5;
const MIN_COMMON_SHARE = 0.4;

/** Null if the texts are too long, or have so little in common that both are read better as a whole. */
export function wordDiff(a: string, b: string): WordPart[] | null {
  if (a.length + b.length > MAX_TEXT_CHARS) return null;
  const changes = diffWordsWithSpace(a, b, { maxEditLength: MAX_EDITS });
  if (!changes) return null;
  const parts = changes.map(({ added, removed, value }): WordPart => {
    return { sign: added ? '+' : removed ? '-' : ' ', text: value };
  });
  const whole = joinBridges(parts);
  const same = whole.filter(({ sign }) => sign === ' ').reduce((sum, { text }) => sum + text.length, 0);
  return same >= MIN_COMMON_SHARE * Math.max(a.length, b.length) ? whole : null;
}

/** A word or two between changes are part of the change: else every `the` would stand alone. */
function joinBridges(parts: readonly WordPart[]): WordPart[] {
  const out: WordPart[] = [];
  let removedText = '';
  let addedText = '';
  const flush = () => {
    if (removedText !== '') out.push({ sign: '-', text: removedText });
    if (addedText !== '') out.push({ sign: '+', text: addedText });
    removedText = '';
    addedText = '';
  };
  parts.forEach(({ sign, text }, i) => {
    const isBetween =
      sign === ' ' && text.trim().length <= MAX_BRIDGE_CHARS && removedText + addedText !== '' && i < parts.length - 1;
    if (sign === ' ' && !isBetween) {
      flush();
      out.push({ sign, text });
      return;
    }
    if (sign !== '+') removedText += text;
    if (sign !== '-') addedText += text;
  });
  flush();
  return out;
}
