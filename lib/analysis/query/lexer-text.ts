/** Reads words, quoted text and regular expressions in a query. */
import { QueryError, shortened } from './error.ts';

export const isSpace = (c: string): boolean => /\s/.test(c);

/** Whether a term may end here. */
export function isTermEnd(query: string, at: number): boolean {
  return at >= query.length || query[at] === ')' || isSpace(query[at]!);
}

/** The end of the word at `at`: the next white space or one of `stops`. */
export function wordEnd(query: string, at: number, stops: string): number {
  let end = at;
  while (end < query.length && !isSpace(query[end]!) && !stops.includes(query[end]!)) end++;
  return end;
}

/** Quotes text for a query. */
export function quote(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/** Reads quoted text. A backslash escapes only a quote or another backslash. */
export function readQuoted(query: string, at: number): { text: string; length: number } {
  let text = '';
  for (let i = at + 1; i < query.length; i++) {
    if (query[i] === '"') return { text, length: i + 1 - at };
    if (query[i] === '\\' && (query[i + 1] === '"' || query[i + 1] === '\\')) i++;
    text += query[i];
  }
  throw new QueryError('unclosed quote', 'close it with "; write \\" for a quote inside', at, 1);
}

/**
 * Reads a regular expression with its flag. With `slashes`, the value may also be a file path: null if it is not closed
 * before the next white space, or continues after the second slash.
 */
export function readRegex(query: string, at: number, slashes: boolean): { regex: RegExp; length: number } | null {
  const close = closingSlash(query, at + 1);
  const source = query.slice(at + 1, close);
  const after = wordEnd(query, close + 1, ',()"');
  const flags = query.slice(close + 1, after);
  if (slashes && (close === query.length || /\s/.test(source) || !/^i?$/.test(flags) || source === '')) return null;
  const quoted = `text that starts with a slash needs quotes: ${quote(shortened(query.slice(at, wordEnd(query, at, ',()"'))))}`;
  if (close === query.length) throw new QueryError('unclosed regular expression', `close it with /; ${quoted}`, at, 1);
  if (!/^i?$/.test(flags))
    throw new QueryError(
      `unknown flag "${shortened(flags)}"`,
      `matching ignores case; ${quoted}`,
      close + 1,
      flags.length,
    );
  if (source === '') throw new QueryError('empty regular expression', 'example: /rm -rf/', at, 2);
  return { regex: compileRegex(source, at), length: after - at };
}

/** Reads a regular expression outside a value: null for a file path or another word. */
export function readBareRegex(query: string, at: number): { regex: RegExp; length: number } | null {
  const close = closingSlash(query, at + 1);
  const source = query.slice(at + 1, close);
  const after = query[close + 1] === 'i' ? close + 2 : close + 1;
  if (close === query.length || source === '' || !isTermEnd(query, after)) return null;
  return { regex: compileRegex(source, at), length: after - at };
}

function closingSlash(query: string, from: number): number {
  let at = from;
  while (at < query.length && query[at] !== '/') at += query[at] === '\\' ? 2 : 1;
  return Math.min(at, query.length);
}

/** With the Unicode flag if the pattern allows it, which rejects escapes like `\-`. */
function compileRegex(source: string, at: number): RegExp {
  try {
    return new RegExp(source, 'iu');
  } catch {
    try {
      return new RegExp(source, 'i');
    } catch (error) {
      const reason = (error as Error).message.split(': ').at(-1)!;
      const reasonText = reason.charAt(0).toLowerCase() + reason.slice(1);
      throw new QueryError(
        `invalid regular expression: ${shortened(reasonText)}`,
        'to search for plain text, use quotes instead of slashes',
        at,
        source.length + 2,
      );
    }
  }
}
