/**
 * Guesses for `has:secret` and for the screen whether a text contains a key, a token or a password: known shapes, and values assigned to
 * names like `password`. `hasSecret` runs on every frame, so one look rules out most texts, and it takes linear time: every
 * repetition is bounded or starts where no other can.
 */

/** A text without any of these has no secret. */
const WORTH_A_LOOK =
  /sk[-_]|gh[oprsu]_|github_pat_|A[KS]IA|xox|xapp-|eyJ|PRIVATE KEY|[Bb]earer|[Pp](?:ass[wp]|ASS[WP]|wd|WD)|[Ss](?:ecret|ECRET)|[Kk](?:ey|EY)|[Tt](?:oken|OKEN)|AIza|hf_|glpat-|npm_/;

/** Tokens with a known prefix. */
const SHAPES = new RegExp(
  [
    // A digit distinguishes a key from hyphenated words.
    '(?<![A-Za-z0-9])sk-(?=[A-Za-z_-]{0,60}[0-9])[A-Za-z0-9_-]{20}',
    '(?<![A-Za-z0-9])[rs]k_(?:live|test)_[A-Za-z0-9]{16}',
    '(?<![A-Za-z0-9])gh[oprsu]_[A-Za-z0-9]{36}',
    'github_pat_[A-Za-z0-9_]{22}',
    '(?<![A-Za-z0-9])A[KS]IA[A-Z0-9]{16}(?![A-Za-z0-9])',
    '(?<![A-Za-z0-9])xox[abeoprs]-(?=[A-Za-z-]{0,20}[0-9])[A-Za-z0-9-]{10}',
    '(?<![A-Za-z0-9])xapp-[0-9]-[A-Za-z0-9-]{10}',
    '(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8}',
    '-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----',
    '(?<![A-Za-z0-9])AIza[A-Za-z0-9_-]{35}',
    '(?<![A-Za-z0-9])hf_[A-Za-z0-9]{30}',
    '(?<![A-Za-z0-9])glpat-[A-Za-z0-9_-]{20}',
    '(?<![A-Za-z0-9])npm_[A-Za-z0-9]{36}',
    '[Bb]earer {1,3}(?=[A-Za-z._~+/=-]{0,60}[0-9])[A-Za-z0-9._~+/=-]{16}',
  ].join('|'),
);

/** The name of a secret, an equals sign or a colon, quotes that may be escaped, and the start of a value. */
const ASSIGNED =
  /(?:passw(?:or)?d|pwd|passphrase|secret|secret[_-]?key|api[_-]?key|access[_-]?key|private[_-]?key|token)(?:\\{0,3}["'])?\s{0,3}[:=]\s{0,3}(?:\\{0,3}["'])?([^\s"'\\,;&<>(){}[\]]{8,80})/gi;

export function hasSecret(text: string): boolean {
  if (text.length < 12 || !WORTH_A_LOOK.test(text)) return false;
  if (SHAPES.test(text)) return true;
  ASSIGNED.lastIndex = 0;
  for (let found = ASSIGNED.exec(text); found; found = ASSIGNED.exec(text)) if (isSecretValue(found[1]!)) return true;
  return false;
}

/** Not a word, a placeholder, a variable or a number. */
function isSecretValue(value: string): boolean {
  if (/^[$%*@#/.]|^(?:process\.|os\.|env\.|import\.|self\.|this\.|your|example|x{4})|\*{4}|\.{3}/i.test(value))
    return false;
  return /[0-9]/.test(value) && /[A-Za-z]/.test(value);
}

/** What replaces a secret. */
const MASK = '***';
/** A value in quotes, which may be escaped themselves, up to its end or that of the line. */
const QUOTED = `(?:"(?:\\\\.|[^"\\\\\\n])*"?|'[^'\\n]*'?|\\\\+["'](?:(?!\\\\+["']).)*(?:\\\\+["'])?)`;
const VALUE = `${QUOTED}|(?:\\\\[^"'nrt\\\\]|[^\\s"',;&|<>(){}[\\]\\\\])+`;
const NAMES = '(?:passw(?:or)?d|pwd|passphrase|secret|secret[_-]?key|api[_-]?key|access[_-]?key|private[_-]?key|token)';

/** What a command line or a message passes as a secret: the part before it, then the secret. */
const PASSED: readonly RegExp[] = [
  // NAME=value and --name=value; --name value; "name": "value".
  new RegExp(`(${NAMES}=)(${VALUE})`, 'gi'),
  new RegExp(`(--[a-z-]{0,30}${NAMES} {1,3})(?!-)(${VALUE})`, 'gi'),
  new RegExp(`(${NAMES}\\\\{0,3}["']\\s{0,3}:\\s{0,3})(${QUOTED})`, 'gi'),
  // A URL with a password, curl -u user:password, sshpass -p password, mysql -ppassword.
  /(:\/\/[^\s/:@"']{0,100}:)([^\s/@"']+)(?=@)/g,
  /((?:^|\s)(?:-u|--user)[ =]?["']?[^\s:"']{1,100}:)([^\s"']+)/g,
  new RegExp(`(\\bsshpass +-p *)(${VALUE})`, 'g'),
  new RegExp(`(\\b(?:mysql|mysqldump|mariadb)\\b[^|;&\\n]{0,200} -p)(${VALUE})`, 'g'),
  /(\b[Bb]asic {1,3})([A-Za-z0-9+/]{8,}={0,2})/g,
];
/** A text without any of these passes none. */
const PASSES =
  /[Pp](?:ass|ASS|wd|WD)|[Ss](?:ecret|ECRET)|[Kk](?:ey|EY)|[Tt](?:oken|OKEN)|:\/\/|-u|mysql|mariadb|[Bb]asic /;
/** A private key up to its end, or as far as what follows looks like one: its headers, and lines of base64. */
const PRIVATE_KEY =
  '-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----(?:(?:(?!-----BEGIN)[^])*?-----END [A-Z ]{0,30}-----|(?:\\s|\\\\[nr]|(?:Proc-Type|DEK-Info): [^\\s\\\\]+|[A-Za-z0-9+/=]{16,}|[A-Za-z0-9+/=]+$)*)';
const WHOLE_SHAPES = new RegExp(`${PRIVATE_KEY}|([Bb]earer {1,3})?(?:${SHAPES.source})[A-Za-z0-9._~+/=-]*`, 'g');
/** The same as `ASSIGNED`, to the end of the value. */
const WHOLE_VALUE = new RegExp(
  `(${NAMES}(?:\\\\{0,3}["'])?\\s{0,3}[:=]\\s{0,3})(${QUOTED}|[^\\s"'\\\\,;&<>(){}[\\]]{8,})`,
  'gi',
);

/** The text with `***` in place of each secret, for the screen. Takes linear time. */
export function masked(text: string): string {
  if (text.length < 6) return text;
  let out = text;
  if (PASSES.test(text))
    for (const regex of PASSED)
      out = out.replace(regex, (all, before: string, value: string) => (isNoSecret(value) ? all : `${before}${MASK}`));
  if (!WORTH_A_LOOK.test(out)) return out;
  out = out.replace(WHOLE_SHAPES, (_, bearer?: string) => `${bearer ?? ''}${MASK}`);
  return out.replace(WHOLE_VALUE, (all, before: string, value: string) =>
    bare(value).length >= 8 && isSecretValue(bare(value)) && !isNoSecret(value) ? `${before}${MASK}` : all,
  );
}

/** A variable, a placeholder, a small number, or a command whose output it is, which must be seen. */
function isNoSecret(value: string): boolean {
  const text = bare(value);
  return (
    text === '' || /\$\(|`/.test(text) || /^(?:[$%<]|\*{3}|\d{1,6}$|your|example|(?:true|false|null|none)$)/i.test(text)
  );
}

/** Without its quotes. */
function bare(value: string): string {
  return value.replace(/^\\*["']|\\*["']$/g, '');
}

const SECRET_NAME = new RegExp(`(?:^|[_-])${NAMES}$`, 'i');

/** Whether a value under this name is likely to be a secret. */
export function isSecretName(name: string): boolean {
  return name.length <= 60 && SECRET_NAME.test(name);
}
