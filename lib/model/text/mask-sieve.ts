/**
 * Whether `masked` may change a text: one look at its characters, before any pattern. It says yes for all that would be
 * masked, and seldom for anything else: almost no line of a session has a secret, and every line on a screen is asked.
 */
import { isTokenChar, KEY_FORMATS, MIN_KEY_CHARS, pairAt, startsAt, startsWord } from './key-formats.ts';

const NAME = 1;
const KEY = 2;
const PASSED = 4;
/** What may begin with three characters. Of each, five bits count, which letters in upper and lower case share. */
const MARKS = new Uint8Array(1 << 15);
const and = (three: number, c: number): number => ((three << 5) | (c & 31)) & 0x7fff;

function mark(start: string, bit: number): void {
  const two = and(start.charCodeAt(0), start.charCodeAt(1));
  if (start.length > 2) MARKS[and(two, start.charCodeAt(2))]! |= bit;
  else for (let c = 0; c < 32; c++) MARKS[and(two, c)]! |= bit;
}

for (const name of ['passw', 'passphrase', 'pwd', 'secret', 'key', 'token']) mark(name, NAME);
for (const word of ['bearer', 'private', '://', '-u', '--user', 'sshpass', 'mysql', 'mariadb', 'basic'])
  mark(word, PASSED);
for (const { starts } of KEY_FORMATS) for (const start of starts) mark(start, KEY);

/** A name, quotes, and a sign; or a name, and a value behind it, if it is an option. */
const ASSIGNMENT = /(?:passw(?:or)?d|pwd|passphrase|secret|key|token)(?:\\{0,3}["'])?(?:\s{0,3}[:=]|( {1,3}))/iy;
/** A URL with a password, an option of curl, the programs that take one, and what is announced. */
const PASSES =
  /:\/\/[^\s/:@"']{0,100}:[^\s/@"']{1,65536}@|-u[ =]?\S|--user[ =]|sshpass |(?:mysql|mariadb)|basic |bearer |PRIVATE KEY/iy;
const MAX_OPTION_CHARS = 34;

export function mayBeMasked(text: string): boolean {
  if (text.length < 6) return false;
  let three = and(text.charCodeAt(0), text.charCodeAt(1));
  for (let i = 2; i < text.length; i++) {
    three = and(three, text.charCodeAt(i));
    if (MARKS[three] !== 0 && isSuspect(text, i - 2, MARKS[three]!)) return true;
  }
  return false;
}

function isSuspect(text: string, at: number, bits: number): boolean {
  if ((bits & KEY) !== 0 && mayBeKey(text, at)) return true;
  if ((bits & PASSED) !== 0) {
    PASSES.lastIndex = at;
    if (PASSES.test(text)) return true;
  }
  if ((bits & NAME) === 0) return false;
  ASSIGNMENT.lastIndex = at;
  const found = ASSIGNMENT.exec(text);
  return found !== null && (found[1] === undefined || isOption(text, at));
}

function isOption(text: string, at: number): boolean {
  const dashes = text.lastIndexOf('--', at);
  return dashes >= 0 && at - dashes <= MAX_OPTION_CHARS;
}

function mayBeKey(text: string, at: number): boolean {
  if (!startsWord(text, at) || at + MIN_KEY_CHARS > text.length) return false;
  for (let i = at; i < at + MIN_KEY_CHARS; i++) if (!isTokenChar(text.charCodeAt(i))) return false;
  return (startsAt(pairAt(text, at)) ?? []).some(({ start }) => text.startsWith(start, at));
}
