/** What tells who or where somebody is: e-mail, home directories, private addresses, phone and card numbers. */
import type { Hit } from './kinds.ts';
import { isTelling } from './whereabouts.ts';

const DOMAIN = /@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,8}([A-Za-z]{2,24})(?![A-Za-z0-9@])/y;
/** What follows a dot in names of files and packages is no domain. */
const FILES =
  /^(?:png|jpe?g|gif|svg|webp|ico|js|mjs|cjs|ts|mts|tsx|jsx|json|md|txt|py|rs|go|sh|css|html?|ya?ml|toml|lock|log|zip|gz|map|vue|java|rb|php|cpp|hpp)$/i;
const isLocal = (c: number): boolean =>
  (c >= 97 && c <= 122) || (c >= 65 && c <= 90) || (c >= 48 && c <= 57) || c === 46 || c === 95 || c === 43 || c === 45;

/** The address around an `@`. */
export function emailAt(text: string, at: number): Hit | null {
  let start = at;
  while (start > 0 && at - start < 64 && isLocal(text.charCodeAt(start - 1))) start--;
  while (start < at && /[.+-]/.test(text[start]!)) start++;
  if (start === at) return null;
  DOMAIN.lastIndex = at;
  const found = DOMAIN.exec(text);
  if (!found) return null;
  // The name of a file may end with an address and its own ending.
  const isFile = FILES.test(found[1]!);
  if (isFile && !/\.[A-Za-z]{2,24}\.[A-Za-z]+$/.test(found[0])) return null;
  const end = DOMAIN.lastIndex - (isFile ? found[1]!.length + 1 : 0);
  // git@host:path is a place, and the same for everybody.
  if (text.slice(start, at) === 'git') return null;
  return { kind: 'email', start, end, from: start, strong: false };
}

const HOME = /\/(?:home|Users)\/(?!Shared\b)([\p{L}\p{N}_](?:[\p{L}\p{N}._-]{0,62}[\p{L}\p{N}_])?)/uy;
const WINDOWS_HOME =
  /\\{1,16}Users\\{1,16}(?!Public\b|Default\b)([\p{L}\p{N}_](?:[\p{L}\p{N}._-]{0,62}[\p{L}\p{N}_])?)/uy;

/** A folder, and the separator that shows that it is one. */
const FOLDER = /[/\\]{1,16}([\p{L}\p{N}_][\p{L}\p{N}._ -]{0,62})(?=[/\\])/uy;
/** So many folders are looked at. */
const DEEPEST = 4;

/** Where the first folder ends that tells what somebody works on; folders of programs begin with a dot. */
function projectEnd(text: string, home: number): number {
  let end = home;
  for (let i = 0; i < DEEPEST; i++) {
    FOLDER.lastIndex = end;
    const found = FOLDER.exec(text);
    if (!found) return home;
    end = FOLDER.lastIndex;
    if (isTelling(found[1]!)) return end;
  }
  return home;
}

/** A home directory, without the slash before it, so that an absolute path stays one; and the project in it. */
export function homeAt(text: string, at: number): Hit | null {
  const form = text[at] === '/' ? HOME : WINDOWS_HOME;
  const before = text.charCodeAt(at - 1);
  if (form === HOME && isLocal(before) && before !== 45) return null;
  form.lastIndex = at;
  if (!form.test(text)) return null;
  let start = at;
  while (text[start] === '/' || text[start] === '\\') start++;
  return { kind: 'path', start, end: projectEnd(text, form.lastIndex), from: at, strong: false };
}

const OCTETS = '(?:\\.(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9]))';
const PRIVATE = new RegExp(
  `(?:10${OCTETS}{3}|(?:192\\.168|169\\.254|172\\.(?:1[6-9]|2[0-9]|3[01]))${OCTETS}{2})(?![0-9A-Za-z]|\\.[0-9])`,
  'y',
);
const CARD =
  /(?:[0-9]{15,16}|[0-9]{4}([ -])[0-9]{4}\1[0-9]{4}\1[0-9]{4}|3[47][0-9]{2}([ -])[0-9]{6}\2[0-9]{5})(?![0-9A-Za-z_]|[.-][0-9])/y;
const ISSUER = /^(?:4|5[1-5]|2(?:22[1-9]|2[3-9]|[3-6]|7[01]|720)|3[47]|35(?:2[89]|[3-8])|6(?:011|5|4[4-9]))/;
const PHONE = /(?:[2-9][0-9]{2}-[2-9][0-9]{2}-[0-9]{4}|1[3-9][0-9]([ -])[0-9]{4}\1[0-9]{4})(?![0-9A-Za-z_]|[.-][0-9])/y;
const INTERNATIONAL =
  /(?:\+[1-9][0-9]{0,2}[ .-]?(?:\([0-9]{1,4}\)[ .-]?)?[0-9]{2,4}(?:[ .-]?[0-9]{2,4}){2,4}|\([2-9][0-9]{2}\) ?[2-9][0-9]{2}-[0-9]{4})(?![0-9A-Za-z_]|[.-][0-9])/y;
const TELEGRAM = /[0-9]{8,10}:AA[A-Za-z0-9_-]{32,}/y;

/** What a number at the start of a word is, by its length and by what follows. */
export function numberAt(text: string, at: number): Hit | null {
  const before = text.charCodeAt(at - 1);
  // In the middle of a number, an id or a version.
  if (before === 46 || before === 45 || before === 95 || before === 43) return null;
  let end = at + 2;
  while (end - at < 17 && isDigit(text.charCodeAt(end))) end++;
  const length = end - at;
  const c = text.charCodeAt(end);
  const isGap = c === 32 || c === 45;
  if (length <= 3 && c === 46) return matched('address', PRIVATE, text, at);
  if (length === 3 && isGap) return matched('phone', PHONE, text, at);
  if (length >= 8 && length <= 10 && c === 58) return matched('telegram-token', TELEGRAM, text, at);
  if (length !== 15 && length !== 16 && !(length === 4 && isGap)) return null;
  const card = matched('card', CARD, text, at);
  return card && isCard(text.slice(card.start, card.end)) ? card : null;
}

const isDigit = (c: number): boolean => c >= 48 && c <= 57;

function matched(kind: string, form: RegExp, text: string, at: number): Hit | null {
  form.lastIndex = at;
  return form.test(text) ? { kind, start: at, end: form.lastIndex, from: at, strong: kind === 'telegram-token' } : null;
}

export function phoneAt(text: string, at: number): Hit | null {
  INTERNATIONAL.lastIndex = at;
  const before = text.charCodeAt(at - 1);
  if ((isLocal(before) && before !== 46) || !INTERNATIONAL.test(text)) return null;
  const end = INTERNATIONAL.lastIndex;
  const digits = text.slice(at, end).replace(/[^0-9]/g, '').length;
  return digits < 10 || digits > 15 ? null : { kind: 'phone', start: at, end, from: at, strong: false };
}

const LOCAL_V6 = /f(?:[cd][0-9a-f]{2}|e[89ab][0-9a-f])(?::[0-9a-f]{0,4}){2,7}(?![0-9A-Za-z:])/iy;

/** A private IPv6 address. */
export function sixAt(text: string, at: number): Hit | null {
  LOCAL_V6.lastIndex = at;
  if (!LOCAL_V6.test(text)) return null;
  const end = LOCAL_V6.lastIndex;
  const written = text.slice(at, end);
  if (!written.includes('::') && written.split(':').length < 8) return null;
  return { kind: 'address', start: at, end, from: at, strong: false };
}

/** By its issuer and its check digit (Luhn). */
function isCard(written: string): boolean {
  const digits = written.replace(/[ -]/g, '');
  if (!ISSUER.test(digits) || /^(\d)\1+$/.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    sum += i % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2;
  }
  return sum % 10 === 0;
}
