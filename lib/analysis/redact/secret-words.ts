/**
 * The last words of names whose value is a secret, for every notation in which a name may stand before it, and how bytes
 * tell that one of them is there.
 */
import { BACKSLASH, bytesOf, hexAt, isDigit, isLetter } from './bytes.ts';

/** What people choose: any value may be one. */
const PASSWORD_WORDS = [
  ...[
    'password',
    'passwd',
    'passphrase',
    'passcode',
    'pwd',
    'pass',
    'passwort',
    'psk',
    'rediscli_auth',
    'identified by',
  ],
];
/** What programs make: a value has a digit, or is long. `key` is one only with what it is for. */
const TOKEN_WORDS = [
  ...['secret', 'token', 'credential', 'credentials', 'secret_key_base', '_auth', 'requirepass', 'license_key'],
  ...['api', 'access', 'private', 'secret', 'account', 'auth', 'encryption', 'signing', 'master', 'shared'].flatMap(
    (word) => ['key', '_key', '-key', '.key', ' key'].map((key) => word + key),
  ),
];
const CHINESE_WORDS = ['密码', '密碼', '密钥', '密鑰', '秘钥', '令牌', '口令', '验证码', '驗證碼', '校验码'];

const alternatives = (words: readonly string[]): string =>
  [...words]
    .sort((a, b) => b.length - a.length)
    .map((word) => word.replace('.', '\\.').replace(' ', '[ ]'))
    .join('|');

/** A name ends here: with `password`, `token` or `chinese`. */
export const SECRET_WORD = new RegExp(
  `(?<password>${alternatives(PASSWORD_WORDS)})(?![A-Za-z0-9_])|(?<token>${alternatives(TOKEN_WORDS)})(?![A-Za-z0-9_])|(?<chinese>${alternatives(CHINESE_WORDS)})`,
  'gi',
);

/** Two characters in the middle of each word by which it is found, and where they stand in it. */
const ANCHORS: readonly [anchor: string, words: readonly string[]][] = [
  ['ss', ['password', 'passwd', 'passphrase', 'passcode', 'passwort', 'requirepass', 'pass']],
  ['wd', ['pwd']],
  ['sk', ['psk']],
  ['ut', ['_auth']],
  ['fi', ['identified by']],
  ['cr', ['secret', 'secret_key_base', 'credential', 'credentials']],
  ['ok', ['token']],
  ['ke', TOKEN_WORDS.filter((word) => word.endsWith('key'))],
];
const BY_PAIR = new Map<number, { word: Uint8Array; before: number }[]>();
for (const [anchor, words] of ANCHORS)
  for (const word of words)
    for (const [a, b] of casesOf(anchor)) {
      const pair = (a << 8) | b;
      BY_PAIR.set(pair, [...(BY_PAIR.get(pair) ?? []), { word: bytesOf(word), before: word.indexOf(anchor) }]);
    }
const CHINESE_BYTES = CHINESE_WORDS.map(bytesOf);
const CHINESE_CODES = new Set(CHINESE_WORDS.map((word) => word.charCodeAt(0)));

function casesOf(anchor: string): [number, number][] {
  const [small, large] = [anchor, anchor.toUpperCase()];
  const both = (i: number) => [small.charCodeAt(i), large.charCodeAt(i)];
  return both(0).flatMap((a) => both(1).map((b): [number, number] => [a, b]));
}

/** The pairs of bytes at which `isSecretWord` has to be asked. */
export const SECRET_WORD_PAIRS: readonly number[] = [
  ...BY_PAIR.keys(),
  ...new Set(CHINESE_BYTES.map((bytes) => (bytes[0]! << 8) | bytes[1]!)),
];

/** Whether the pair of bytes here is that of a name's last word. */
export function isSecretWord(bytes: Uint8Array, at: number, pair: number): boolean {
  for (const { word, before } of BY_PAIR.get(pair) ?? []) if (isWordAt(bytes, at - before, word)) return true;
  return CHINESE_BYTES.some((word) => word.every((byte, i) => bytes[at + i] === byte));
}

/** What follows must end the word; letters of an escape cannot follow, because a backslash is between. */
function isWordAt(bytes: Uint8Array, at: number, word: Uint8Array): boolean {
  if (at < 0) return false;
  for (let i = 0; i < word.length; i++) {
    const c = bytes[at + i]!;
    if ((isLetter(c) ? c | 32 : c) !== word[i]) return false;
  }
  const after = bytes[at + word.length];
  return !isLetter(after) && !isDigit(after) && after !== 0x5f;
}

/** Whether an escape stands for the first character of a Chinese word. */
export function isChineseEscape(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === BACKSLASH && CHINESE_CODES.has(hexAt(bytes, at + 2));
}
