/** Completions for a query: qualifiers, then their values. */
import { QUALIFIERS, qualifierOf } from './qualifiers.ts';

/** Each result is the whole query so far, completed by one word. */
export function completeQuery(query: string): string[] {
  const start = Math.max(...[' ', '(', '\t'].map((one) => query.lastIndexOf(one))) + 1;
  const negated = query.startsWith('-', start) ? 1 : 0;
  const before = query.slice(0, start + negated);
  const term = query.slice(start + negated);
  const colon = term.indexOf(':');
  if (colon < 0) {
    const typed = term.toLowerCase();
    return QUALIFIERS.filter(({ name }) => name.startsWith(typed)).map(({ name }) => `${before}${name}:`);
  }
  const words = qualifierOf(term.slice(0, colon))?.words ?? [];
  const comma = Math.max(term.lastIndexOf(','), colon) + 1;
  const typed = term.slice(comma).toLowerCase();
  return words.filter((word) => word.startsWith(typed)).map((word) => `${before}${term.slice(0, comma)}${word}`);
}
