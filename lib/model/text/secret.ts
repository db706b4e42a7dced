/**
 * Guesses for `has:secret` and for the screen whether a text contains a key, a token or a password: known shapes, and values assigned to
 * names like `password`. `secret-sieve.ts` rules out most lines before, and has to know each name. All takes linear time:
 * every repetition is bounded or starts where no other can.
 */
import { eachKey } from './key-formats.ts';
import type { SecretMask } from './mask.ts';
import { mayBeMasked } from './mask-sieve.ts';

/** A text without any of these names no secret. */
const MAY_HAVE_SECRET =
  /PRIVATE KEY|[Bb]earer|[Pp](?:ass[wp]|ASS[WP]|wd|WD)|[Ss](?:ecret|ECRET)|[Kk](?:ey|EY)|[Tt](?:oken|OKEN)/;

const BEGIN_KEY = '-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----';
/** A digit distinguishes a token from words. */
const BEARER = '[Bb]earer {1,3}(?=[A-Za-z._~+/=-]{0,60}[0-9])[A-Za-z0-9._~+/=-]{16}';
const ANNOUNCED_SECRET = new RegExp(`${BEGIN_KEY}|${BEARER}`);

/** Names whose value is a secret. */
export const SECRET_NAMES =
  '(?:passw(?:or)?d|pwd|passphrase|secret|secret[_-]?key|api[_-]?key|access[_-]?key|private[_-]?key|token)';
/** The name of a secret, an equals sign or a colon, quotes that may be escaped, and the start of a value. */
const ASSIGNED_SECRET = new RegExp(
  `${SECRET_NAMES}(?:\\\\{0,3}["'])?\\s{0,3}[:=]\\s{0,3}(?:\\\\{0,3}["'])?([^\\s"'\\\\,;&<>(){}[\\]]{8,80})`,
  'gi',
);

export function hasSecret(text: string): boolean {
  if (text.length < 12) return false;
  if (eachKey(text, () => true)) return true;
  if (!MAY_HAVE_SECRET.test(text)) return false;
  if (ANNOUNCED_SECRET.test(text)) return true;
  ASSIGNED_SECRET.lastIndex = 0;
  for (let found = ASSIGNED_SECRET.exec(text); found; found = ASSIGNED_SECRET.exec(text))
    if (isSecretValue(found[1]!)) return true;
  return false;
}

/** Not a word, a placeholder, a variable or a number. */
export function isSecretValue(value: string): boolean {
  if (/^[$%*@#/.]|^(?:process\.|os\.|env\.|import\.|self\.|this\.|your|example|x{4})|\*{4}|\.{3}/i.test(value))
    return false;
  return /[0-9]/.test(value) && /[A-Za-z]/.test(value);
}

/** What replaces a secret. */
const MASK_TEXT = '***';
/** A value in quotes, which may be escaped themselves, up to its end or that of the line. */
export const QUOTED_VALUE = `(?:"(?:\\\\.|[^"\\\\\\n]){0,65536}"?|'[^'\\n]{0,65536}'?|\\\\{1,64}["'](?:(?!\\\\{1,64}["']).){0,65536}(?:\\\\+["'])?)`;
/** Without the backtick that ends a command in Markdown. */
export const SECRET_VALUE = `${QUOTED_VALUE}|(?:\\\\[^"'nrt\\\\]|\`?[^\\s"',;&|<>(){}[\\]\\\\\`]){1,65536}`;

/** What a command line or a message passes as a secret: the part before it, then the secret. */
const PASSED: readonly RegExp[] = [
  // NAME=value and --name=value; --name value; "name": "value".
  new RegExp(`(${SECRET_NAMES}=)(${SECRET_VALUE})`, 'gi'),
  new RegExp(`(--[a-z-]{0,30}${SECRET_NAMES} {1,3})(?!-)(${SECRET_VALUE})`, 'gi'),
  new RegExp(`(${SECRET_NAMES}\\\\{0,3}["']\\s{0,3}:\\s{0,3})(${QUOTED_VALUE})`, 'gi'),
  // A URL with a password, curl -u user:password, sshpass -p password, mysql -ppassword.
  /(:\/\/[^\s/:@"']{0,100}:)([^\s/@"']+)(?=@)/g,
  /((?:^|\s)(?:-u|--user)[ =]?["']?[^\s:"']{1,100}:)((?:`?[^\s"'`])+)/g,
  new RegExp(`(\\bsshpass +-p *)(${SECRET_VALUE})`, 'g'),
  new RegExp(`(\\b(?:mysql|mysqldump|mariadb)\\b[^|;&\\n]{0,200} -p)(${SECRET_VALUE})`, 'g'),
  /(\b[Bb]asic {1,3})([A-Za-z0-9+/]{8,}={0,2})/g,
];
/** A text without any of these passes none. */
const PASSES =
  /[Pp](?:ass|ASS|wd|WD)|[Ss](?:ecret|ECRET)|[Kk](?:ey|EY)|[Tt](?:oken|OKEN)|:\/\/|-u|mysql|mariadb|[Bb]asic /;
/** A private key up to its end, or as far as what follows looks like one: its headers, and lines of base64. */
export const PRIVATE_KEY = `${BEGIN_KEY}(?:(?:(?!-----BEGIN)[^]){0,65536}?-----END [A-Z ]{0,40}-----|(?:\\s|\\\\[nr]|(?:Proc-Type|DEK-Info): [^\\s\\\\]+|[A-Za-z0-9+/=]{16,8192}|[A-Za-z0-9+/=]{1,8192}$){0,65536})`;
const WHOLE_ANNOUNCED = new RegExp(
  `${PRIVATE_KEY}|([Bb]earer {1,3})${BEARER.slice('[Bb]earer {1,3}'.length)}[A-Za-z0-9._~+/=-]*`,
  'g',
);
const REST = /[A-Za-z0-9._~+/=-]*/y;
/** The same as the expression above, to the end of the value. */
const WHOLE_VALUE = new RegExp(
  `(${SECRET_NAMES}(?:\\\\{0,3}["'])?\\s{0,3}[:=]\\s{0,3})(${QUOTED_VALUE}|[^\\s"'\\\\,;&<>(){}[\\]\`]{8,})`,
  'gi',
);

/** The text with `***` in place of each secret, for the screen. Takes linear time. */
export function maskSecretsIn(text: string): string {
  if (!mayBeMasked(text)) return text;
  let out = text;
  if (PASSES.test(text))
    for (const regex of PASSED)
      out = out.replace(regex, (all, before: string, value: string) =>
        isPlaceholder(value) ? all : `${before}${MASK_TEXT}`,
      );
  out = withoutKeys(out);
  if (!MAY_HAVE_SECRET.test(out)) return out;
  out = out.replace(WHOLE_ANNOUNCED, (_, bearer?: string) => `${bearer ?? ''}${MASK_TEXT}`);
  return out.replace(WHOLE_VALUE, (all, before: string, value: string) =>
    withoutQuotes(value).length >= 8 && isSecretValue(withoutQuotes(value)) && !isPlaceholder(value)
      ? `${before}${MASK_TEXT}`
      : all,
  );
}

/** With `***` for each key of a known format, and for what is written on to it. */
function withoutKeys(text: string): string {
  let out = '';
  let done = 0;
  eachKey(text, (_, start, end) => {
    if (start < done) return false;
    REST.lastIndex = end;
    REST.test(text);
    out += text.slice(done, start) + MASK_TEXT;
    done = REST.lastIndex;
    return false;
  });
  return done === 0 ? text : out + text.slice(done);
}

/** A variable, a placeholder, a small number, or a command whose output it is, which must be seen. */
export function isPlaceholder(value: string): boolean {
  const text = withoutQuotes(value);
  return (
    text === '' || /\$\(|`/.test(text) || /^(?:[$%<]|\*{3}|\d{1,6}$|your|example|(?:true|false|null|none)$)/i.test(text)
  );
}

/** Without its quotes. */
export function withoutQuotes(value: string): string {
  return value.replace(/^\\*["']|\\*["']$/g, '');
}

/** Deeper values are shown by nobody. */
const MAX_DEPTH = 32;

/** The value with `***` in place of secrets, in its strings and under names such as `password`; itself if it has none. */
export function maskSecretsInValue<T>(value: T, depth = 0): T {
  if (typeof value === 'string') return maskSecretsIn(value) as T;
  if (depth > MAX_DEPTH || value === null || typeof value !== 'object') return value;
  let copy: Record<string, unknown> | null = null;
  for (const [key, one] of Object.entries(value)) {
    const isNamed = typeof one === 'string' && isSecretName(key) && !isPlaceholder(one);
    const shown = isNamed ? MASK_TEXT : maskSecretsInValue(one, depth + 1);
    if (shown === one) continue;
    copy ??= (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
    copy[key] = shown;
  }
  return (copy ?? value) as T;
}

/** For the screen. */
export const MASK_SECRETS: SecretMask = { text: maskSecretsIn, value: maskSecretsInValue };

const SECRET_NAME = new RegExp(`(?:^|[_-])${SECRET_NAMES}$`, 'i');

/** Whether a value under this name is likely to be a secret. */
export function isSecretName(name: string): boolean {
  return name.length <= 60 && SECRET_NAME.test(name);
}
