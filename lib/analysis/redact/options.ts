/** What a user may say about redaction: rules of their own, and what to keep. */
import { globMatches, hasGlob } from '../../model/text/glob.ts';
import type { Edit } from './edits.ts';
import { eachLeaf } from './json-leaves.ts';
import type { CountryPresets } from './presets.ts';
import type { PseudonymBook } from './pseudonym-book.ts';
import { viewUnescaped } from './views.ts';

/** `secrets`: secrets and personal data; `text`: also every text; `none` has to be said and is marked. */
export type RedactionMode = 'secrets' | 'text' | 'none';

export interface RedactOptions {
  mode?: RedactionMode;
  rules?: readonly UserRule[];
  /** Texts that are replaced wherever they stand. */
  literals?: readonly string[];
  /** What stands at these places of a line is replaced. */
  paths?: readonly JsonPath[];
  /** The countries whose forms of personal data are looked for; all of them if it is absent. */
  presets?: CountryPresets;
  /** Public addresses of machines, and those of network cards, are replaced too. */
  addresses?: boolean;
  /** Values that stay. */
  keeps?: (value: string) => boolean;
  /** Pseudonyms that others use too, so that equal values are equal in all of them. */
  book?: PseudonymBook;
  /** Called with the number of frames that have been read. */
  progress?: (frames: number) => void;
}

/** Keys; null is any key or index. */
export type JsonPath = readonly (string | null)[];

/** What a rule of the user finds. */
export interface RuleMatch {
  start: number;
  end: number;
  /** Where begins what tells that it is one. */
  from: number;
}

export interface UserRule {
  kind: string;
  find(text: string): readonly RuleMatch[];
}

/** Runs a regular expression of the user on a text. An implementation that can stop it does so when it takes too long. */
export type UserRegex = <T>(regex: RegExp, text: string, work: () => T) => T;

const runDirectly: UserRegex = (_regex, _text, work) => work();

const REGEX_LITERAL = /^\/(.+)\/([imsu]*)$/s;

/** `NAME=/regex/` or `/regex/`; null if it is neither. Throws what `RegExp` throws. */
export function parseRule(word: string, run: UserRegex = runDirectly): UserRule | null {
  const [, name = 'custom', body = ''] = /^(?:([A-Za-z][A-Za-z0-9_-]{0,30})=)?(\/.*)$/s.exec(word) ?? [];
  const [, source, flags] = REGEX_LITERAL.exec(body) ?? [];
  return source === undefined ? null : makeRule(`rule:${name}`, new RegExp(source, `${flags}gd`), run);
}

/** A group named `secret`, if it has one, is replaced instead of the whole. */
function makeRule(kind: string, regex: RegExp, run: UserRegex): UserRule {
  const all = (text: string): RuleMatch[] =>
    Array.from(text.matchAll(regex), (match) => {
      const [start, end] = match.indices?.groups?.secret ?? [match.index, match.index + match[0].length];
      return { start, end, from: match.index };
    });
  return { kind, find: (text) => run(regex, text, () => all(text)) };
}

/** Of `--also`; a text without stars and question marks is one of `--literals`. */
export const ALSO_KIND = 'rule:also';

/**
 * `/regex/`; else a text wherever it stands, or a pattern of one word in which `*` is anything but blanks and quotes, and `?`
 * any one character. Throws what `RegExp` throws.
 */
export function parseAlso(word: string, run: UserRegex = runDirectly): UserRule {
  const [, source, flags] = REGEX_LITERAL.exec(word) ?? [];
  return makeRule(ALSO_KIND, source === undefined ? globRegex(word) : new RegExp(source, `${flags}gd`), run);
}

/** A star at the end takes all that it can, any other one as little. */
function globRegex(word: string): RegExp {
  const source = word
    .replace(/\*+|\?|[\\^$.+()[\]{}|/-]/g, (c) =>
      c === '?' ? '[^\\n]' : c[0] === '*' ? `${NO_BLANK_OR_QUOTE}*?` : `\\${c}`,
    )
    .replace(/\?$/, (c) => (word.endsWith('*') ? '' : c));
  if (!hasGlob(word)) return new RegExp(source, 'gd');
  const [before, behind] = [/^[\w*?]/.test(word) ? '(?<!\\w)' : '', /[\w*?]$/.test(word) ? '(?!\\w)' : ''];
  return new RegExp(`${before}${source}${behind}`, 'gd');
}

const NO_BLANK_OR_QUOTE = '[^\\s"\'`]';

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
export function parseKeep(word: string, run: UserRegex = runDirectly): (value: string) => boolean {
  const [, source, flags] = REGEX_LITERAL.exec(word) ?? [];
  if (source === undefined) return (value) => globMatches(word, value);
  const regex = new RegExp(source, flags);
  return (value) => run(regex, value, () => regex.test(value));
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
      const value = viewUnescaped(written)?.text ?? written;
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
