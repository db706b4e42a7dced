/** Pieces of a query's text: words, quoted text, regular expressions. */
import { QueryError, shown } from './error.ts';

export const isSpace = (c: string): boolean => /\s/.test(c);

/** Where a term may end. */
export function isEnd(query: string, at: number): boolean {
  return at >= query.length || query[at] === ')' || isSpace(query[at]!);
}

/** Behind the characters from `at` that are neither blank nor one of `stops`. */
export function wordEnd(query: string, at: number, stops: string): number {
  let end = at;
  while (end < query.length && !isSpace(query[end]!) && !stops.includes(query[end]!)) end++;
  return end;
}

/** The text as it stands in a query. */
export function quote(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/** From an opening quote to behind the closing one. A backslash before anything but a quote or another is itself. */
export function readQuoted(query: string, at: number): { text: string; length: number } {
  let text = '';
  for (let i = at + 1; i < query.length; i++) {
    if (query[i] === '"') return { text, length: i + 1 - at };
    if (query[i] === '\\' && (query[i + 1] === '"' || query[i + 1] === '\\')) i++;
    text += query[i];
  }
  throw new QueryError('a quote that is never closed', 'close it with ", and write \\" for one inside', at, 1);
}

/**
 * From a slash to behind the closing one and its flag. With `slashes` the value may be a path of the file system: what is
 * not closed before the next blank, or goes on behind its second slash, is none, and the answer is null.
 */
export function readRegex(query: string, at: number, slashes: boolean): { regex: RegExp; length: number } | null {
  const close = closingSlash(query, at + 1);
  const source = query.slice(at + 1, close);
  const behind = wordEnd(query, close + 1, ',()"');
  const flags = query.slice(close + 1, behind);
  if (slashes && (close === query.length || /\s/.test(source) || !/^i?$/.test(flags) || source === '')) return null;
  const quoted = `a text that starts with a slash wants quotes: ${quote(shown(query.slice(at, wordEnd(query, at, ',()"'))))}`;
  if (close === query.length)
    throw new QueryError('a regular expression that is never closed', `close it with /; ${quoted}`, at, 1);
  if (!/^i?$/.test(flags))
    throw new QueryError(`no flag "${shown(flags)}"`, `case never counts; ${quoted}`, close + 1, flags.length);
  if (source === '') throw new QueryError('an empty regular expression', `write one, like /rm -rf/`, at, 2);
  return { regex: compiled(source, at), length: behind - at };
}

/** The same where no value is expected: null for what is a path of the file system, or another word. */
export function readBareRegex(query: string, at: number): { regex: RegExp; length: number } | null {
  const close = closingSlash(query, at + 1);
  const source = query.slice(at + 1, close);
  const behind = query[close + 1] === 'i' ? close + 2 : close + 1;
  if (close === query.length || source === '' || !isEnd(query, behind)) return null;
  return { regex: compiled(source, at), length: behind - at };
}

function closingSlash(query: string, from: number): number {
  let at = from;
  while (at < query.length && query[at] !== '/') at += query[at] === '\\' ? 2 : 1;
  return Math.min(at, query.length);
}

/** Unicode where the pattern allows it: strict mode refuses escapes like `\-`. */
function compiled(source: string, at: number): RegExp {
  try {
    return new RegExp(source, 'iu');
  } catch {
    try {
      return new RegExp(source, 'i');
    } catch (error) {
      const reason = (error as Error).message.split(': ').at(-1)!;
      const said = reason.charAt(0).toLowerCase() + reason.slice(1);
      throw new QueryError(
        `cannot read the regular expression: ${shown(said)}`,
        'a plain text needs no slashes, only quotes',
        at,
        source.length + 2,
      );
    }
  }
}
