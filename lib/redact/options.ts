/** What a user may say about redaction: rules of their own, and what to keep. */
import { globMatches } from '../core/glob.ts';
import type { Book } from './book.ts';
import type { RegexRule } from './detector.ts';
import type { Edit } from './edits.ts';
import { eachLeaf } from './leaves.ts';
import { unescaped } from './views.ts';

/** `secrets`: secrets and personal data; `text`: also every text; `none` has to be said and is marked. */
export type Mode = 'secrets' | 'text' | 'none';

export interface RedactOptions {
  mode?: Mode;
  rules?: readonly RegexRule[];
  /** Texts that are replaced wherever they stand. */
  literals?: readonly string[];
  /** What stands at these places of a line is replaced. */
  paths?: readonly JsonPath[];
  /** Values that stay. */
  keeps?: (value: string) => boolean;
  /** Pseudonyms that others use too, so that equal values are equal in all of them. */
  book?: Book;
  /** Is told how many frames have been looked at. */
  progress?: (frames: number) => void;
}

/** Keys; null is any key or index. */
export type JsonPath = readonly (string | null)[];

const REGEX = /^\/(.+)\/([imsu]*)$/s;

/** `NAME=/regex/` or `/regex/`; null if it is neither. Throws what `RegExp` throws. */
export function parseRule(word: string): RegexRule | null {
  const [, name = 'custom', body = ''] = /^(?:([A-Za-z][A-Za-z0-9_-]{0,30})=)?(\/.*)$/s.exec(word) ?? [];
  const [, source, flags] = REGEX.exec(body) ?? [];
  return source === undefined ? null : { kind: `rule:${name}`, regex: new RegExp(source, flags) };
}

/** `params.env.TOKEN`, `params.items[*].key`; null if it is no path. */
export function parsePath(word: string): JsonPath | null {
  const parts = word
    .replace(/^@/, '')
    .replace(/\[(\*|\d+)\]/g, '.$1')
    .split('.');
  if (parts.some((part) => part === '')) return null;
  return parts.map((part) => (part === '*' ? null : part));
}

/** `/regex/`, or a whole value in which `*` is any text. */
export function parseKeep(word: string): (value: string) => boolean {
  const [, source, flags] = REGEX.exec(word) ?? [];
  if (source === undefined) return (value) => globMatches(word, value);
  const regex = new RegExp(source, flags);
  return (value) => regex.test(value);
}

/** What stands at these places; nothing if the line is not JSON. */
export function pathEdits(text: string, paths: readonly JsonPath[]): Edit[] {
  if (paths.length === 0 || !/^\s*[[{]/.test(text)) return [];
  const edits: Edit[] = [];
  eachLeaf(
    text,
    (start, end, isKey, _place, path) => {
      if (isKey || start === end || !paths.some((one) => leadsTo(one, path))) return;
      const written = text.slice(start, end);
      const value = unescaped(written)?.text ?? written;
      edits.push({ kind: 'rule:path', start, end, from: start, strong: true, value, inside: null });
    },
    true,
  );
  return edits;
}

/** To the value, or to something that contains it. */
function leadsTo(path: JsonPath, to: readonly (string | number)[]): boolean {
  return path.length <= to.length && path.every((part, i) => part === null || part === String(to[i]));
}
