/** What the sieve asks about personal data: whether a number, or what `peopleHits` finds, may stand in these bytes. */
import { BACKSLASH, COLON, DASH, DOT, isDigit, isLetter, SPACE } from './bytes.ts';
import { INTERNAL_ENDINGS } from './hosts.ts';

/** Rights in `ls -l`, from their second letter on. */
const LS_RIGHTS = ['rw-r', 'rw--', 'rwxr', 'rwx-', 'rws', 'r--r', 'r---', 'r-xr', 'r-x-', 'r-sr'];

/** How homes begin, and everything else that is recognised by its beginning. */
export const PEOPLE_STARTS: readonly string[] = [
  '/home/',
  '/Users/',
  '/var/mail/',
  '/var/spool/mail/',
  '/run/media/',
  '/-home-',
  '/-Users-',
  '\\home',
  '\\Users',
  'uid=',
  ':x:',
  ...LS_RIGHTS,
  ...INTERNAL_ENDINGS,
];

const [PLUS, BRACKET, TILDE, SLASH, UNDERSCORE] = [0x2b, 0x28, 0x7e, 0x2f, 0x5f];

/** Whether a phone number, a home, a document or a private IPv6 address may stand here. */
export function mayBePerson(bytes: Uint8Array, at: number, length: number): boolean {
  const c = bytes[at]!;
  if (c === PLUS || c === BRACKET) return isPhone(bytes, at, length);
  if (c === TILDE) return isNamedHome(bytes, at);
  if ((c | 32) === 0x66 && bytes[at + 4] === COLON) return true;
  return isCapital(c) && (isPassport(bytes, at) || isIban(bytes, at));
}

const isCapital = (c: number | undefined): boolean => c !== undefined && c >= 65 && c <= 90;

/** As many digits as a phone number has. */
function isPhone(bytes: Uint8Array, at: number, length: number): boolean {
  let digits = 0;
  for (let i = at + 1; i < length; i++) {
    const c = bytes[i]!;
    if (isDigit(c)) digits++;
    else if (c !== SPACE && c !== DASH && c !== DOT && c !== 0x28 && c !== 0x29) break;
    if (digits >= 10) return true;
  }
  return false;
}

/** `~name/`. */
function isNamedHome(bytes: Uint8Array, at: number): boolean {
  let end = at + 1;
  while (end - at < 34 && isInName(bytes[end])) end++;
  return bytes[end] === SLASH || bytes[end] === BACKSLASH;
}

function isInName(c: number | undefined): boolean {
  return isLetter(c) || isDigit(c) || c === DASH || c === DOT || c === UNDERSCORE;
}

/** Letters in front of as many digits as a passport has. */
function isPassport(bytes: Uint8Array, at: number): boolean {
  let end = at + 1;
  while (end - at < 10 && isDigit(bytes[end])) end++;
  return end - at === 8 || end - at === 9;
}

/** A country, check digits, and more. */
function isIban(bytes: Uint8Array, at: number): boolean {
  return isCapital(bytes[at + 1]) && isDigit(bytes[at + 2]) && isDigit(bytes[at + 3]);
}

/** Whether digits at the start of a word may be what `numberAt` finds, by their length and by what follows. */
export function mayBeNumber(bytes: Uint8Array, at: number): boolean {
  const before = bytes[at - 1];
  if (before === DOT || before === UNDERSCORE) return false;
  if ((before === DASH || before === PLUS) && !startsLine(bytes, at - 1)) return false;
  let end = at + 2;
  while (end - at < 20 && isDigit(bytes[end])) end++;
  if (bytes[at] === 0x30 && isDialled(bytes, at)) return true;
  return mayBeNumberOf(end - at, bytes, at);
}

/** The same for one that has so many digits. */
function mayBeNumberOf(length: number, bytes: Uint8Array, at: number): boolean {
  const end = at + length;
  const c = bytes[end];
  const isGap = c === SPACE || c === DASH;
  switch (length) {
    case 2:
      return c === DOT && bytes[at] === 0x31 && bytes[at + 1] === 0x30;
    case 3:
      return c === DOT ? bytes[at] === 0x31 || bytes[end + 4] === DOT : isGap && isDigit(bytes[end + 1]);
    case 4:
      return isGap && isDigit(bytes[end + 3]);
    case 8:
    case 10:
      return c === COLON;
    case 11:
      return bytes[at] === 0x31 && bytes[at + 1]! >= 0x33;
    case 9:
    case 15:
      return true;
    case 13:
      return bytes[at] === 0x38 && bytes[at + 1] === 0x36;
    case 16:
      return bytes[at]! >= 0x32 && bytes[at]! <= 0x36;
    case 17:
      return isUnionPay(bytes, at) || (c! | 32) === 0x78 || c === BACKSLASH;
    case 18:
      return bytes[at] !== 0x30 && bytes[at] !== 0x39;
    case 19:
      return isUnionPay(bytes, at);
    default:
      return false;
  }
}

/** Whether a line or a string may begin here, in any reading. */
function startsLine(bytes: Uint8Array, at: number): boolean {
  const c = bytes[at - 1];
  return c === undefined || c === 10 || c === 34 || bytes[at - 2] === BACKSLASH;
}

/** A zero and as many digits as a phone number has, in groups. */
function isDialled(bytes: Uint8Array, at: number): boolean {
  let digits = 0;
  for (let i = at; i < at + 24; i++) {
    const c = bytes[i];
    if (isDigit(c)) digits++;
    else if (c !== SPACE && c !== DASH && c !== DOT && c !== SLASH) break;
  }
  return digits >= 9;
}

function isUnionPay(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0x36 && bytes[at + 1] === 0x32;
}
