/**
 * What looks private in a text, by plain expressions: what a detector took for harmless, or has no form for. Somebody looks at
 * it, so it is better to say too much here than too little; but what every session is full of (ids, versions, times, names of
 * packages and well-known hosts) is left out.
 */
import { isIdentifying } from './machine-identity.ts';

/** From 0 to 100: how likely it is that the user would not want to send it. */
export interface Suspicion {
  kind: string;
  weight: number;
  value: string;
}

interface SuspicionForm {
  kind: string;
  weight: number | ((value: string) => number);
  /** Its first group, or else all of it, is the value. */
  regex: RegExp;
  /** A text without it has none. */
  needs?: RegExp;
  isMatch?(value: string): boolean;
}

const SECRET_WORDS =
  'passw(?:or)?d|passphrase|passcode|pwd|secret|(?:api|access|private|secret|auth)[_ -]?key|(?:auth|access|api|bearer|refresh|session)?[_ -]?token|credentials?|cookie|pin code|otp';
const CHINESE_WORDS = '密码|密钥|令牌|口令|验证码|私钥';
/** What follows the name of a secret in sentences and in code, and is none. */
const PLAIN_WORDS = new Set(
  (
    'a an the is are was be not no none null undefined nil true false string number boolean object any required optional ' +
    'missing invalid incorrect wrong expired empty set unset found given here there in on of for from to and or with by ' +
    'your my our this that it its you we they can may must should will has have please enter provide use using used ' +
    'new old same different correct valid stored hidden redacted masked unknown str int self value str[ name key field ' +
    'expected received got were usage usages count counts limit limits total input output cached budget per seconds'
  ).split(' '),
);

const isValue = (value: string): boolean =>
  /[\p{L}\p{N}]/u.test(value) &&
  !PLAIN_WORDS.has(value.toLowerCase()) &&
  !/^(?:[$%<{[(*x.#-]|process\.|os\.|env\.|import\.|self\.|this\.|your|example|https?:)|\*{3}|\.{3}|\(/i.test(value);

const USER_FOLDER =
  /(?:\/(?:home|Users|export\/home|var\/home|data\/home|mnt\/[a-z]\/Users)|\b[A-Za-z]:\\{1,4}Users)[\\/]{1,4}([^\\/\s"'`:;,<>(){}|*?]{2,40})/g;
const IPV4 = /(?<![\w.-])(?<!v(?:ersion)? ?)(\d{1,3}(?:\.\d{1,3}){3})(?![\w.-]*[\w])/gi;
const IPV6 =
  /(?<![\w:.])((?:[0-9a-f]{1,4}:){3,7}(?::?[0-9a-f]{1,4}){1,4}|(?:[0-9a-f]{1,4}:){1,6}:(?:[0-9a-f]{1,4}:){0,5}[0-9a-f]{1,4})(?![\w:])/gi;
const WELL_KNOWN =
  /(?:^|\.)(?:localhost|example\.(?:com|org|net)|github(?:usercontent|assets)?\.(?:com|io)|gitlab\.com|npmjs\.(?:org|com)|pypi\.org|python(?:hosted)?\.org|nodejs\.org|rust-lang\.org|crates\.io|docs\.rs|go(?:lang)?\.(?:dev|org)|google(?:apis)?\.com|mozilla\.org|wikipedia\.org|w3\.org|json-schema\.org|schema\.org|anthropic\.com|claude\.(?:ai|com)|openai\.com|moonshot\.(?:cn|ai)|kimi\.(?:com|ai|moonshot\.cn)|qwen\.ai|aliyuncs\.com|deepseek\.com|mistral\.ai|microsoft\.com|aka\.ms|apple\.com|docker\.(?:com|io)|debian\.org|ubuntu\.com|stackoverflow\.com|agentclientprotocol\.com|modelcontextprotocol\.io|visualstudio\.com|zed\.dev|cursor\.(?:com|sh)|unpkg\.com|jsdelivr\.net|opensource\.org|apache\.org|gnu\.org|kernel\.org|readthedocs\.io)$/i;
const INTERNAL = /\.(?:internal|corp|local|lan|intra(?:net)?|home|priv(?:ate)?)$/i;

const digitsOf = (text: string): string => text.replace(/\D/g, '');
/** Seconds, milliseconds, microseconds and nanoseconds since 1970 of our days. */
const isTimestamp = (digits: string): boolean =>
  /^(?:1[4-9]|2[0-4])/.test(digits) && [10, 13, 16, 19].includes(digits.length);

const SUSPICION_FORMS: readonly SuspicionForm[] = [
  {
    kind: 'named-secret',
    weight: 95,
    needs: /pass|pwd|secret|key|token|credential|cookie|otp/i,
    regex: new RegExp(
      `(?<![\\p{L}])(?:${SECRET_WORDS})["'\`]?(?: {0,3}(?::=|[:=：]) {0,3}|\\s{1,3}is\\s{1,3})["'\`]?([^\\s"'\`,;，。；]{3,80})`,
      'giu',
    ),
    isMatch: isValue,
  },
  {
    kind: 'named-secret',
    weight: 95,
    needs: /[密令口验私]/,
    regex: new RegExp(`(?:${CHINESE_WORDS})\\s{0,3}(?:[:=：]|是|为)\\s{0,3}["'“]?([^\\s"'”,;，。；]{2,80})`, 'gu'),
    isMatch: isValue,
  },
  {
    kind: 'email-like',
    weight: (value) => (/@[^@]*\./.test(value) ? 75 : 45),
    needs: /@/,
    regex:
      /(?<![^\s"'<>()[\],;:=\u0001\uFF1A])([^\s"'`<>()[\],;:=@/\\\u0001\uFF1A${}]{1,64}@(?!v?\d|latest\b|next\b)[\p{L}\p{N}][\p{L}\p{N}.-]{1,100})/gu,
    isMatch: (value) => !/^git@|@example\.|@builtin$|[.]$/.test(value) && /\p{L}{2}/u.test(value.split('@')[1]!),
  },
  {
    kind: 'user-name',
    weight: 70,
    needs: /home|Users/,
    regex: USER_FOLDER,
    isMatch: (value) => isIdentifying(value) && !value.startsWith('.'),
  },
  {
    kind: 'user-name',
    weight: 60,
    needs: /~/,
    regex: /(?<![\w/.~])~([a-z_][a-z0-9_-]{2,31})(?=\/)/g,
    isMatch: isIdentifying,
  },
  {
    kind: 'user-name',
    weight: 60,
    needs: /^[-dl][rwx-]{8}/m,
    regex: /^[-dl][rwxsStT-]{9}[.+@]? {1,8}\d{1,6} {1,8}([a-z_][\w.-]{1,31}) /gm,
    isMatch: isIdentifying,
  },
  { kind: 'user-name', weight: 60, needs: /uid=/, regex: /\buid=\d{1,10}\(([^)]{2,40})\)/g, isMatch: isIdentifying },
  {
    kind: 'user-name',
    weight: 45,
    needs: /user|login|owner|assignee|用户/i,
    regex:
      /(?:\b(?:user ?name|user|login|owner|assignee)|用户名?)["'`]?\s{0,3}[:=：]\s{0,3}["'`]?(\p{L}[\p{L}\p{N}._-]{2,31})(?![\p{L}\p{N}(])/giu,
    isMatch: (value) => isIdentifying(value) && isValue(value),
  },
  {
    kind: 'person',
    weight: 60,
    needs: /author|committer|-by:|maintainer|作者|提交者|负责人/i,
    regex:
      /(?:\b(?:author|committer|signed-off-by|co-authored-by|reviewed-by|reported-by|maintainer)|作者|提交者|负责人)["']?\s{0,3}[:：]\s{0,3}["']?(\p{L}[\p{L}.'’ -]{1,60}?)(?=\s{0,3}(?:[<"'\\,;\n\u0001]|$))/giu,
    isMatch: (value) => isIdentifying(value) && isValue(value),
  },
  {
    kind: 'mac-address',
    weight: 55,
    needs: /[:-][0-9a-f]{2}[:-]/i,
    regex: /(?<![\w:-])((?:[0-9a-f]{2}([:-]))(?:[0-9a-f]{2}\2){4}[0-9a-f]{2})(?![\w:-])/gi,
    isMatch: (value) => !/^(?:00[:-]?|ff[:-]?){6}$/i.test(value),
  },
  {
    kind: 'public-address',
    weight: 50,
    needs: /\d\.\d/,
    regex: IPV4,
    isMatch: (value) =>
      value.split('.').every((part) => Number(part) < 256 && !/^0\d/.test(part)) &&
      !/^(?:0|10|127|22[4-9]|2[3-5]\d|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01])|192\.0\.2|198\.51\.100|203\.0\.113)\.|^(?:1\.1\.1\.1|1\.0\.0\.1|8\.8\.[48]\.[48])$|\.0\.0$/.test(
        value,
      ),
  },
  {
    kind: 'public-address',
    weight: 50,
    needs: /[0-9a-f]:[0-9a-f:]*:/i,
    regex: IPV6,
    isMatch: (value) => !/^(?:f[cdef]|0*:|2001:db8)/i.test(value) && /[a-f]|::/i.test(value) && /\d/.test(value),
  },
  {
    kind: 'host-name',
    weight: (value) => (INTERNAL.test(value) ? 65 : 30),
    needs: /:\/\/|\.(?:internal|corp|local|lan|intra|home|priv)/i,
    regex:
      /(?::\/\/(?:[^@/\s\u0001]{1,100}@)?|(?<![\w.@/-])(?=[\w.-]{1,200}\.(?:internal|corp|local|lan|intra|home|priv)(?![\w.-])))((?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,24})(?![\w.-])/gi,
    isMatch: (value) => !WELL_KNOWN.test(value),
  },
  {
    kind: 'phone-like',
    weight: (value) => (/^\+|\D/.test(value) ? 45 : 35),
    needs: /\d{2}[ ().-]{0,2}\d{2}/,
    regex: /(?<![\w.+:/-])(\+?\(?\d{1,4}\)?(?:[ .-]?\(?\d{2,5}\)?){2,4}|\d{10,12})(?![\w:/-]|\.\d)/g,
    isMatch: isPhone,
  },
  {
    kind: 'card-like',
    weight: 40,
    needs: /\d{4}[ -]?\d{4}[ -]?\d{4}/,
    regex: /(?<![\w.+:/-])(\d{4}([ -]?)\d{4}\2\d{4}\2\d{1,7})(?![\w:/-]|\.\d)/g,
    isMatch: (value) => !isTimestamp(digitsOf(value)) && digitsOf(value).length > 13 && !/^(\d)\1+$/.test(value),
  },
];

function isPhone(value: string): boolean {
  const digits = digitsOf(value);
  if (digits.length < 10 || digits.length > 13 || isTimestamp(digits) || /^(?:(\d)\1+|0123.*|1234567.*)$/.test(digits))
    return false;
  // A date with a time, and numbers in a row.
  if (/^(?:19|20)\d\d[ .-]?[01]\d/.test(value)) return false;
  if (value.length === digits.length) return /^(?:1[3-9]\d{9}|[2-9]\d{9})$/.test(digits);
  return /^[+(]/.test(value) || /^\d{3}([ .-])\d{3,4}\1\d{4}$/.test(value);
}

/** A word that nobody would write: as long as a key, and of mixed characters. */
const LONG_WORD = /[A-Za-z0-9_+/=~-]{16,}/g;
const KNOWN_IDS =
  /^(?:toolu|call|chatcmpl|msg|req|tool|session|run|resp|item|evt|event|thread|turn|task|perm|prompt|agent|rs|fc|ws)[_-]/i;
const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const UUID_IN_WORD = /(?<![0-9a-f])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-f])/i;
const PICTURE = /^(?:iVBOR|\/9j\/|R0lGOD|UklGR|Qk0|JVBER)/;

function suspicionInWord(word: string): Suspicion | null {
  if (/^[0-9a-f]{32,}$/i.test(word))
    return { kind: 'hex', weight: [32, 40, 64].includes(word.length) ? 15 : 25, value: word };
  if (UUID.test(word)) return { kind: 'id', weight: 5, value: word };
  if (!isMixed(word)) return null;
  if (isLabelledUuid(word)) return { kind: 'id', weight: 8, value: word };
  if (word.length >= 40 && !/_|-{2}/.test(word))
    return { kind: 'base64', weight: PICTURE.test(word) ? 20 : 45, value: word };
  if (KNOWN_IDS.test(word)) return { kind: 'id', weight: 8, value: word };
  return { kind: 'random', weight: 80, value: word };
}

/** Words, numbers and an id in one, as in `rollout-2026-11-16-UUID`. Behind the word for a secret, the id may be one. */
function isLabelledUuid(word: string): boolean {
  const label = word.replace(UUID_IN_WORD, '');
  return (
    label !== word &&
    !isMixed(label) &&
    !/(?:^|[_-])(?:sk|pk|pat|pw|pwd|pass|auth)(?:[_-]|$)|key|token|secret/i.test(label)
  );
}

/** Words, numbers, and what numbers words: parts of paths, of names in code, of names of models and packages. */
const PLAIN_PART = /^(?:[A-Z]?[a-z]*|[A-Z]*|\d+|v\d+|[A-Za-z]{1,12}\d{1,4}|\d{1,4}[A-Za-z]{1,3}|\d{8}T\d{6}Z?)$/;
const MIN_MIXED_CHARS = 12;

/** Neither words, nor a path, nor a name in code, nor numbers with a unit. */
function isMixed(word: string): boolean {
  const left = word
    .split(/[_/=~+-]/)
    .filter((part) => !PLAIN_PART.test(part))
    .join('');
  if (left.length < MIN_MIXED_CHARS) return false;
  const digits = left.replace(/\D/g, '').length;
  const letters = left.replace(/[^A-Za-z]/g, '').length;
  if (digits < 2 || letters < 4 || new Set(left).size < 9) return false;
  const changes = left.match(/(?<=[a-z])(?=\d)|(?<=\d)(?=[A-Za-z])|(?<=[A-Z])(?=\d)|(?<=[a-z])(?=[A-Z])/g)?.length ?? 0;
  return changes >= Math.max(4, left.length / 16);
}

const SECRET_KEY =
  /(?:^|_)(?:passw(?:or)?d|passphrase|passcode|pwd|secret|credentials?|cookie|otp|(?:api|access|private|secret|auth)_?key|(?<!progress_|page_|next_|stop_|cancellation_|eos_|continuation_)token)$/;
const USER_KEY =
  /(?:^|_)(?:user|user_?name|login|owner|assignee|author|committer|maintainer|full_?name|display_?name)$/;
/** Structure of the protocol. */
const ID_KEY =
  /(?:^|_)(?:ids?|uuid|guid|cursor|progress_token|signature|hash|sha\d*|digest|etag|nonce|checksum|integrity)$/;

const snake = (key: string): string =>
  key
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/-/g, '_')
    .toLowerCase();

/** By what its key calls it; undefined: the key tells nothing; null: it is no private value. */
function suspicionByKey(value: string, key: string): Suspicion | null | undefined {
  const name = snake(key);
  if (ID_KEY.test(name)) return null;
  if (value === '' || value.length > 200 || !isValue(value)) return undefined;
  if (SECRET_KEY.test(name)) return { kind: 'named-secret', weight: 95, value };
  if (USER_KEY.test(name) && isIdentifying(value) && value.length <= 60)
    return { kind: 'user-name', weight: 55, value };
  return undefined;
}

const TRAILING = /[.,:;!?)\]}'"`>*\\]+$/;

/** Everything in a text that looks private. What is between control characters `\u0001` was replaced. */
export function suspicionsIn(text: string, key: string | null): Suspicion[] {
  const byKeyName = key === null || text.includes('\u0001') ? undefined : suspicionByKey(text, key);
  if (byKeyName !== undefined) return byKeyName === null ? [] : [byKeyName];
  const found = SUSPICION_FORMS.flatMap((form) => [...suspicionsByForm(text, form)]);
  for (const [long] of text.matchAll(LONG_WORD))
    for (const word of splitPath(long)) {
      const one = suspicionInWord(word);
      if (one && !found.some(({ value }) => value.includes(word))) found.push(one);
    }
  return found;
}

function* suspicionsByForm(
  text: string,
  { kind, weight, regex, needs, isMatch: isOne }: SuspicionForm,
): Generator<Suspicion> {
  if (needs && !needs.test(text)) return;
  for (const match of text.matchAll(regex)) {
    const value = (match[1] ?? match[0]).replace(TRAILING, '').trim();
    if (value === '' || value.includes('\u0001') || (isOne && !isOne(value))) continue;
    yield { kind, weight: typeof weight === 'number' ? weight : weight(value), value };
  }
}

/** Names of folders, and what is behind an equals sign, are for themselves. */
function splitPath(long: string): string[] {
  const behind = /^[A-Za-z][A-Za-z0-9_-]*=(.{16,})$/.exec(long)?.[1] ?? long;
  const parts = behind.split('/');
  const isPath =
    parts.filter((part) => part.split(/[_=~+-]/).every((one) => PLAIN_PART.test(one))).length * 2 >= parts.length;
  return parts.length > 1 && isPath ? parts.filter((part) => part.length >= 16) : [behind];
}
