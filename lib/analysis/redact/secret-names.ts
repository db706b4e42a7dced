/** Values that are secrets because of the name before them: `api_key: "…"`, `PASSWORD=…`, `--token …`, headers, cookies. */
import { pairAt } from '../../model/text/key-formats.ts';
import { isPlaceholder, isSecretValue, SECRET_NAMES, SECRET_VALUE, withoutQuotes } from '../../model/text/secret.ts';
import type { Hit } from './kinds.ts';
import { isPlaceholderWord, isPseudonym } from './placeholders.ts';
import { PROGRAM_SECRETS } from './program-secrets.ts';

const PASSWORD_NAME = /(?:passw(?:or)?d|pwd|passphrase)$/i;
const SECRET_NAME = new RegExp(
  `(?:${SECRET_NAMES}|(?:account|signing|encryption|master|shared|auth|client)[_.-]?key|credentials?)$`,
  'i',
);
/** Tokens that are no secrets: of progress, of pages, of texts. */
const HARMLESS_TOKEN_NAME =
  /(?:progress|page|work_?done|partial_?result|cancell?ation|cancel|stop|eos|bos|pad|unk|sep|cls|mask|next|continuation|resume|sync|max|min)[_-]?token$/i;
const AUTH_HEADER = /(?:^|[_-])authorization$/i;
const COOKIE_HEADER = /(?:^|[_-])cookie$/i;
/** Names whose value is a secret only if it is random. */
const WEAK_NAME = /(?:key|auth|creds?|bearer|jwt|signature_?key)$/i;
/** The last three letters of all these names, as a table. */
const NAME_ENDS = new Uint8Array(1 << 15);
for (const end of 'ord swd pwd ase ret key ken ial als ion kie uth red eds rer jwt'.split(' '))
  NAME_ENDS[threeLetters(end.charCodeAt(0), end.charCodeAt(1), end.charCodeAt(2))] = 1;

function threeLetters(a: number, b: number, c: number): number {
  return ((a & 31) << 10) | ((b & 31) << 5) | (c & 31);
}

/** Whether the name of a secret may end with these letters. */
export function mayEndName(a: number, b: number, c: number): boolean {
  return NAME_ENDS[threeLetters(a, b, c)] === 1;
}

/** Before the name of a header, there may be the letters of an escape. */
const LOOSE_HEADER = /(?:authorization|cookie)$/i;

/** What a name means: any value is a secret, one that looks like one, or only a random one; null if none. */
export function certaintyOf(name: string): 'any' | 'likely' | 'random' | null {
  if (LOOSE_HEADER.test(name)) return 'any';
  if (SECRET_NAME.test(name)) return 'likely';
  return WEAK_NAME.test(name) ? 'random' : null;
}

export function isHarmless(name: string): boolean {
  return HARMLESS_TOKEN_NAME.test(name);
}

const AUTH_VALUE = /(?:(?:Bearer|Basic|Token|Digest|ApiKey|Negotiate)[ \t]{1,3})?([A-Za-z0-9._~+/=-]{6,8192})/iy;
const COOKIE_VALUE = /[^\s"'\\;=,<>]{1,100}=[^"'\\\r\n<>]{1,8192}/y;
const UNQUOTED_VALUE = /[^\s"'`\\,;&|<>(){}[\]]+/y;
const MAX_NAME_CHARS = 60;
const MAX_VALUE_CHARS = 8192;

const isName = (c: number): boolean =>
  (c >= 97 && c <= 122) || (c >= 65 && c <= 90) || (c >= 48 && c <= 57) || c === 95 || c === 45 || c === 46;

/** What is assigned by the colon or equals sign at `at`, if it is a secret. */
export function assignedHit(text: string, at: number): Hit | null {
  let end = at;
  if (text.charCodeAt(end - 1) === 58 && text.charCodeAt(at) === 61) end--;
  for (let i = 0; i < 3 && text.charCodeAt(end - 1) === 32; i++) end--;
  const quote = text.charCodeAt(end - 1);
  if (quote === 34 || quote === 39) {
    end--;
    for (let i = 0; i < 15 && text.charCodeAt(end - 1) === 92; i++) end--;
  }
  if (end < 3 || !mayEndName(text.charCodeAt(end - 3), text.charCodeAt(end - 2), text.charCodeAt(end - 1))) return null;
  let start = end;
  while (start > 0 && end - start < MAX_NAME_CHARS && isName(text.charCodeAt(start - 1))) start--;
  return end - start < 3 ? null : assignedValueHit(text, start, text.slice(start, end), at);
}

function assignedValueHit(text: string, from: number, name: string, at: number): Hit | null {
  const isHeader = AUTH_HEADER.test(name);
  const isCookie = COOKIE_HEADER.test(name);
  const isSecret = SECRET_NAME.test(name) && !isHarmless(name);
  if (!isHeader && !isCookie && !isSecret && !WEAK_NAME.test(name)) return null;
  let start = at + 1;
  // A comparison assigns nothing; `=>` does.
  if (text[start] === '=') return null;
  if (text[start] === '>') start++;
  while (start - at < 5 && (text[start] === ' ' || text[start] === '\t')) start++;
  const quoted = quotedAt(text, start);
  const inside = quoted ?? null;
  const first = inside ? inside.start : start;
  if (isHeader) return matchHit(AUTH_VALUE, text, first, 1, 'authorization', from, isCredential);
  if (isCookie) return matchHit(COOKIE_VALUE, text, first, 0, 'cookie', from, () => true);
  const end = inside ? inside.end : unquotedEnd(text, start);
  const value = text.slice(first, end);
  const isSecretAssigned = isSecret ? isAssigned(name, value, inside !== null, text, from, at) : isRandom(value);
  if (!isSecretAssigned) return null;
  return { kind: PASSWORD_NAME.test(name) ? 'password' : 'secret', start: first, end, from, strong: false };
}

function matchHit(
  form: RegExp,
  text: string,
  at: number,
  group: 0 | 1,
  kind: string,
  from: number,
  counts: (value: string) => boolean,
): Hit | null {
  form.lastIndex = at;
  const found = form.exec(text);
  if (!found || !counts(found[group]!)) return null;
  const end = form.lastIndex;
  return { kind, start: end - found[group]!.length, end, from, strong: false };
}

const isCredential = (value: string): boolean =>
  !isPlaceholder(value) && ((value.length >= 8 && isSecretValue(value)) || value.length >= 20);

/** The inside of a string that opens here, whose quotes may be escaped; null if there is none. */
function quotedAt(text: string, at: number): { start: number; end: number } | null {
  let open = at;
  while (open - at < 15 && text[open] === '\\') open++;
  const quote = text[open];
  if (quote !== '"' && quote !== "'" && quote !== '`') return null;
  const close = text.slice(at, open + 1);
  const start = open + 1;
  let end = text.indexOf(close, start);
  // A closing quote with more backslashes belongs to the inside.
  while (end >= 0 && isEscaped(text, end)) end = text.indexOf(close, end + close.length);
  if (end < 0 || end - start > MAX_VALUE_CHARS) end = unquotedEnd(text, start);
  return { start, end };
}

function isEscaped(text: string, at: number): boolean {
  let before = at;
  while (text[before - 1] === '\\') before--;
  return (at - before) % 2 === 1 || (at > before && text[at] === '\\');
}

function unquotedEnd(text: string, at: number): number {
  UNQUOTED_VALUE.lastIndex = at;
  return UNQUOTED_VALUE.test(text) ? Math.min(UNQUOTED_VALUE.lastIndex, at + MAX_VALUE_CHARS) : at;
}

function isAssigned(name: string, value: string, isQuoted: boolean, text: string, from: number, at: number): boolean {
  if (value.length < 3 || isPlaceholder(value) || isPlaceholderWord(value) || isPseudonym(value)) return false;
  const isLikely = value.length >= 8 && isSecretValue(value);
  if (isQuoted) {
    if (/[\n\r]/.test(value)) return false;
    if (PASSWORD_NAME.test(name)) return true;
    return !/\s/.test(value) && (isLikely || (value.length >= 16 && !/^[a-z]+(?:[-_. /][a-z]+)*$/i.test(value)));
  }
  if (isLikely) return true;
  const isPlain =
    /^[A-Z0-9_]+$/.test(name) || text[from - 1] === '?' || text[from - 1] === '&' || text.startsWith('--', from);
  return text[at] === '=' && isPlain && !/^[A-Z_]+$/.test(value) && (value.length >= 6 || PASSWORD_NAME.test(name));
}

/** As long and as mixed as generated keys are. */
export function isRandom(value: string): boolean {
  if (value.length < 20 || value.length > 512 || !/^[A-Za-z0-9+/=_.~-]+$/.test(value)) return false;
  if (!/[0-9]/.test(value) || !/[A-Za-z]/.test(value) || /^[0-9a-f-]{36}$|^\d{4}-\d\d-\d\d|^[./]|\/.*\//.test(value))
    return false;
  return entropy(value) >= 3.7;
}

/** Bits a character. */
function entropy(value: string): number {
  const counts = new Map<string, number>();
  for (const c of value) counts.set(c, (counts.get(c) ?? 0) + 1);
  let bits = 0;
  for (const n of counts.values()) bits -= (n / value.length) * Math.log2(n / value.length);
  return bits;
}

/** An option and its value, as one word, as two, or as two strings of a list. */
const OPTION_AND_VALUE = new RegExp(
  `--[a-z-]{0,30}${SECRET_NAMES}(?: {1,3}(?!-)(${SECRET_VALUE})|\\\\{0,15}["']\\s{0,3},\\s{0,3}\\\\{0,15}["']([^"'\\\\]{1,8192}))`,
  'iy',
);

export function optionHit(text: string, at: number): Hit | null {
  OPTION_AND_VALUE.lastIndex = at;
  const found = OPTION_AND_VALUE.exec(text);
  const written = found?.[1] ?? found?.[2];
  if (!found || !written) return null;
  const value = withoutQuotes(written);
  if (value.length < 3 || isPlaceholder(value) || isPlaceholderWord(value) || isPseudonym(value)) return null;
  const start = OPTION_AND_VALUE.lastIndex - written.length + written.indexOf(value);
  return { kind: 'secret', start, end: start + value.length, from: at, strong: false };
}

export interface AnnouncedSecret {
  start: string;
  form: RegExp;
  kind: string;
  counts(value: string): boolean;
}

const isNoPlaceholder = (value: string): boolean => !isPlaceholder(value) && !isPseudonym(withoutQuotes(value));

/** Words that announce a secret. */
export const ANNOUNCED_SECRETS: readonly AnnouncedSecret[] = [
  ...['Bearer', 'bearer', 'BEARER'].map((start) => ({
    start,
    form: new RegExp(`${start} {1,3}([A-Za-z0-9._~+/=-]{16,8192})`, 'y'),
    kind: 'authorization',
    counts: (value: string) => isSecretValue(value) && !isPlaceholder(value),
  })),
  ...['Basic ', 'basic '].map((start) => ({
    start,
    form: new RegExp(`${start} {0,2}([A-Za-z0-9+/]{8,8192}={0,2})`, 'y'),
    kind: 'authorization',
    counts: isUserAndPassword,
  })),
  ...PROGRAM_SECRETS,
  {
    start: 'curl',
    form: /curl\b[^|;&]{0,400}? (?:-[a-zA-Z]{0,6}[uU]|--user|--proxy-user)[ =]{0,3}\\{0,3}["']?[^\s:"'\\]{1,100}(?:\\{0,3}["'])?:((?:`?[^\s"'\\`]){1,8192}|\\{0,3}["'][^\s"'\\]{1,8192})/y,
    kind: 'password',
    counts: isNoPlaceholder,
  },
];

const ANNOUNCED_BY_PAIR = new Map<number, AnnouncedSecret[]>();
for (const announced of ANNOUNCED_SECRETS) {
  const pair = pairAt(announced.start, 0);
  ANNOUNCED_BY_PAIR.set(pair, [...(ANNOUNCED_BY_PAIR.get(pair) ?? []), announced]);
}

/** The value after a word that announces it. */
export function announcedHit(text: string, at: number): Hit | null {
  for (const { start, form, kind, counts } of ANNOUNCED_BY_PAIR.get(pairAt(text, at)) ?? []) {
    if (!text.startsWith(start, at)) continue;
    form.lastIndex = at;
    const found = form.exec(text)?.[1];
    if (!found) continue;
    // A command in backticks ends at the second one, whatever follows that.
    const end = text[at - 1] === '`' ? found.indexOf('`') : -1;
    const written = end < 0 ? found : found.slice(0, end);
    if (written === '' || !counts(written)) continue;
    const value = withoutQuotes(written);
    const first = form.lastIndex - found.length + written.indexOf(value);
    return { kind, start: first, end: first + value.length, from: at, strong: false };
  }
  return null;
}

/** Base64 of `user:password`. */
function isUserAndPassword(value: string): boolean {
  try {
    return /^[\x20-\x7e]*:[\x20-\x7e]*$/.test(atob(value));
  } catch {
    return false;
  }
}

const URL_CREDENTIALS = /[a-z][a-z0-9+.-]{1,20}:\/\/([^\s/:@"'<>\\]{0,100})(?::([^\s"'<>\\]{1,300}))?$/i;
/** What stands before a later `@` is a port and a path, or another address. */
const PORT_AND_PATH = /^\d{0,5}(?:[/?#]|$)|:\/\//;

/** The password, or else the token, before the `@` of a URL. */
export function urlHit(text: string, at: number): Hit | null {
  const before = text.slice(Math.max(0, at - 430), at);
  if (!before.includes('://')) return null;
  const found = URL_CREDENTIALS.exec(before);
  if (!found) return null;
  const [, user, password] = found;
  if (password !== undefined && /[/@]/.test(password) && PORT_AND_PATH.test(password)) return null;
  const value = password ?? user!;
  if (value === '' || isPlaceholder(value) || isPseudonym(value)) return null;
  if (password === undefined && !(value.length >= 16 && isSecretValue(value))) return null;
  const from = at - found[0].length;
  // Half of the secret stands before the colon.
  const isPair = password !== undefined && /^(?=.*[0-9])[0-9a-f]{8,}$/.test(user!);
  return {
    kind: password === undefined ? 'secret' : 'password',
    start: at - value.length - (isPair ? user!.length + 1 : 0),
    end: at,
    from,
    strong: false,
  };
}
