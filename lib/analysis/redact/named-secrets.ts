/**
 * Secrets behind their names, in whatever notation: typed assignments, operators of Make and PHP, calls, elements and attributes
 * of XML, pairs of a name and a value, blocks of YAML, tables, shells, and sentences. `secret-names.ts` has what stands behind a
 * colon or an equals sign; this has the rest, and values that such a look would take for a variable or a number.
 */
import { isPlaceholder } from '../../model/text/secret.ts';
import type { Hit } from './kinds.ts';
import { isPlaceholderWord, isPseudonym } from './placeholders.ts';
import { isHarmless } from './secret-names.ts';
import { SECRET_WORD } from './secret-words.ts';

/** How surely a value follows: it is assigned, it is named beside it, or somebody says so. */
type Certainty = 'assigned' | 'named' | 'said';

interface Connector {
  /** Sticky, from the end of the name to the value. */
  form: RegExp;
  /** What must stand before the name. */
  behind?: RegExp;
  certainty: Certainty;
  /** Only a value in quotes. */
  quoted?: true;
  /** The value ends at the next tag, line or row. */
  until?: RegExp;
  /** Only for passwords, which are words, too. */
  passwords?: true;
}

/** The end of the string that the name is in, with the escapes that its quote may have. */
const Q = '(?:\\\\{0,15}["\'`])';
const TYPE =
  "(?:\\[\\d{0,6}\\]|[?!]?\\s?:\\s{0,2}[A-Za-z&'][\\w<>[\\].|&' ?]{0,40}?|\\s{1,2}\\*?[A-Za-z][\\w.*<>]{0,30})";
const OPERATOR = '(?::{1,3}=|[?+.]=|\\?\\?=|\\|\\|=|={1}(?![=~])>?)';
const TAG_END = /[^<]{1,8192}(?=<)/y;
const LINE_END = /[^\s"'`\\][^\r\n"'`\\]{0,8191}/y;
const CELL = /[^\s|│┃"'\\]{1,512}/y;

const CONNECTORS: readonly Connector[] = [
  // NAME ?= v, name ::= v, name: string = v, var name string = v, name[] = v, $name .= v, os.environ["NAME"] = v, name=v.
  { form: new RegExp(`${Q}?\\]?\\s{0,8}(?:${TYPE}\\s{0,3})?${OPERATOR}\\s{0,3}`, 'y'), certainty: 'assigned' },
  // name: v, "name": v
  { form: new RegExp(`${Q}?\\s{0,3}:(?![:/=])[ \\t]{0,3}`, 'y'), certainty: 'assigned' },
  // name: | and a line below; name: > likewise.
  {
    form: new RegExp(`${Q}?:[ \\t]{0,3}[|>][+-]?\\d?[ \\t]{0,3}(?:\\r?\\n)\\s{0,20}`, 'y'),
    certainty: 'assigned',
    until: LINE_END,
  },
  // 密码：v, 密码是v
  { form: /["'”’」]?\s{0,3}(?:[是为為]\s?(?=[：:=＝]))?(?:：|＝|=|:|是|为|為)\s{0,3}/y, certainty: 'assigned' },
  // name -> v, name => v
  { form: new RegExp(`${Q}?\\s{0,3}(?:->|=>|→)\\s{0,3}`, 'y'), certainty: 'named' },
  // setenv("NAME", "v"); "password", "v"
  {
    form: new RegExp(`${Q}\\s{0,3},\\s{0,4}@?(?=${Q})`, 'y'),
    behind: /\(\s{0,3}\\{0,15}["'][\w.-]{0,60}$/,
    certainty: 'assigned',
    quoted: true,
  },
  { form: new RegExp(`${Q}\\s{0,3},\\s{0,4}@?(?=${Q})`, 'y'), certainty: 'named', quoted: true },
  // NAME,v in a table with commas
  { form: /[,;\t](?=\S)/y, behind: /(?:^|[\n"'])[\w.-]{0,60}$/, certainty: 'named', until: /[^\s,;"'\\]{1,512}/y },
  // <name>v</name>, <name a="b">v</name>
  {
    form: /(?:\s[^<>\n]{0,200})?>\s{0,40}(?:<!\[CDATA\[)?(?=[^\s<])/y,
    behind: /<[\w.:-]{0,60}$/,
    certainty: 'assigned',
    until: TAG_END,
  },
  // <key>NAME</key><string>v</string>
  {
    form: /<\/\w{1,20}>\s{0,40}<\w{1,20}>\s{0,40}(?=[^\s<])/y,
    certainty: 'assigned',
    until: TAG_END,
  },
  // <entry key="name">v</entry>
  {
    form: new RegExp(`${Q}[^<>\\n]{0,100}>\\s{0,40}(?=[^\\s<])`, 'y'),
    behind: /<[^<>\n]{1,100}$/,
    certainty: 'assigned',
    until: TAG_END,
  },
  // name="x" value="v"; "name": "x", "value": "v"; - name: x, value: v; form data
  { form: new RegExp(`${Q}\\s{0,20}[Vv]alue\\s{0,3}=\\s{0,3}(?=${Q})`, 'y'), certainty: 'assigned', quoted: true },
  {
    form: new RegExp(`${Q}[ \\t]{0,3},\\s{0,20}${Q}(?:[Vv]alue|[Vv]|VALUE)${Q}\\s{0,3}:\\s{0,3}(?=${Q}|[0-9])`, 'y'),
    certainty: 'assigned',
  },
  { form: new RegExp(`${Q}?\\s{1,40}value\\s?:\\s{0,3}`, 'y'), certainty: 'assigned' },
  {
    form: new RegExp(`${Q}\\r?\\n\\r?\\n`, 'y'),
    behind: /\bname=\\{0,3}"[\w.-]{0,60}$/,
    certainty: 'assigned',
    until: LINE_END,
  },
  // NAME v of shells, Docker, C and .netrc
  {
    form: /[ \t]{1,4}(?=\S)/y,
    behind: /(?:\bsetenv|\bENV|\bset -\w{1,4}|\bsetx|#\s?define|\bARG|\bconfig set)\s{1,4}[\w.-]{0,60}$/i,
    certainty: 'assigned',
  },
  {
    form: /\s{1,8}(?=\S)/y,
    behind: /(?:\bmachine|\blogin)\s{1,8}\S{1,100}\s{1,8}$/,
    certainty: 'assigned',
    passwords: true,
  },
  // gh secret set NAME --body v
  { form: /[ \t]{1,4}(?:--body|-b)[ \t=]{1,3}(?=\S)/y, certainty: 'assigned' },
  // PASSWORD 'v', :password "v"
  { form: new RegExp(`[ \\t]{1,3}(?=${Q})`, 'y'), certainty: 'named', quoted: true, passwords: true },
  // token("v"), password).toBe("v")
  { form: new RegExp(`\\)?(?:\\.\\w{1,20})?\\(\\s{0,3}(?=${Q})`, 'y'), certainty: 'named', quoted: true },
  // | NAME | v |
  { form: /\s{0,40}[|│┃]\s{0,40}(?=[^\s|│┃])/y, certainty: 'named', until: CELL },
  // the password is v
  { form: /["'*`]{0,2} (?:is|was|are|to)(?: now)?:? {1,2}(?=\S)/y, certainty: 'said' },
];

/** What is typed: a variable, a call, a placeholder. */
const VARIABLE =
  /^(?:\$\{|\$\(|\$\[|\{\{|<|\$[A-Z_][A-Z0-9_]*$|\$[a-z_]+\d?$|\$[a-z_]+(?:->|\[|\.)|\$[a-zA-Z]+$|\$\d$|%[A-Za-z_][A-Za-z0-9_]*%|%[sdvqi@]|%\(|process\.|os\.|env\.|import\.|self\.|this\.|@[A-Z_]+@$|\*{3}|[xX.•*]{3,}$)/;
const CALL =
  /^[\w.$]{1,60}(?:\(|\[["'\w])|^(?:await|new|function|async|return|null|nil|None)\b|^[A-Za-z_]\w{0,40}\.[A-Za-z_]\w{0,40}(?:\.\w{1,40}){0,4}$/;
const PLACEHOLDER_WORDS =
  /^<|^(?:your|my|the|an?|some|example|sample|dummy|fake|insert|enter|replace)(?:[-_ ][-_ A-Za-z]*)?\d?$/i;
const PLACEHOLDER_NAME =
  /^(?:[Yy]our|[Mm]y|[Ss]ome|[Ee]xample|[Ss]ample|[Dd]ummy|[Ff]ake|[Ii]nsert|[Ee]nter|[Rr]eplace)(?:[a-z]*|(?:[A-Z][a-z]{2,})+)\d?$/;

const UNQUOTED = /(?:\\(?![nrtu"'\\])|[^\s"'`\\,;&|<>(){}[\]“”‘’，。；、！？：＝]){1,1024}/y;
const CHINESE_QUOTED = /[“‘「]([^”’」\n]{1,512})[”’」]/y;
const MAX_VALUE_CHARS = 8192;
const MAX_CHARS_BEFORE = 200;
const NAME_BEFORE = /[A-Za-z0-9_.-]{0,60}$/;
const QUOTE_AT = /@?r?(?:\[\[|\\{0,15}["'`])/y;

/** host:port:database:user:password, as in .pgpass. */
const PASSWORD_LINE =
  /(?<![\w.*:-])[\w.*-]{1,100}:(?:\d{4,5}|\*):(?:[A-Za-z_][\w-]{0,60}|\*):(?:[A-Za-z_][\w.@-]{0,60}|\*):([^\s"'`\\:]{3,200})/g;
const MAY_BE_PASSWORD_LINE = /:(?:\d{4,5}|\*):[A-Za-z_*]/;

function eachPasswordLine(text: string, found: (hit: Hit) => void): void {
  if (!MAY_BE_PASSWORD_LINE.test(text)) return;
  for (const { index, 0: line, 1: value } of text.matchAll(PASSWORD_LINE)) {
    const end = index + line.length;
    if (!isPseudonym(value!)) found({ kind: 'password', start: end - value!.length, end, from: index, strong: false });
  }
}

/** Calls `found` with each. */
export function eachNamedSecret(text: string, found: (hit: Hit) => void): void {
  eachPasswordLine(text, found);
  SECRET_WORD.lastIndex = 0;
  for (let word = SECRET_WORD.exec(text); word; word = SECRET_WORD.exec(text)) {
    const end = SECRET_WORD.lastIndex;
    const resume = end;
    const hit = hitBehind(text, word.index, end, word.groups!);
    if (hit) found(hit);
    SECRET_WORD.lastIndex = resume;
  }
}

interface Groups {
  password?: string;
  token?: string;
  chinese?: string;
}

function hitBehind(text: string, start: number, end: number, groups: Groups): Hit | null {
  const before = text.slice(Math.max(0, start - MAX_CHARS_BEFORE), start);
  const prefix = NAME_BEFORE.exec(before)![0];
  const name = prefix + text.slice(start, end);
  const isPassword = isPasswordName(prefix, groups);
  if (isHarmless(name) || (groups.password === 'pass' && /[a-z]$/i.test(prefix) && !/db$/i.test(prefix))) return null;
  const from = start - prefix.length;
  for (const connector of CONNECTORS) {
    const { form, behind, passwords } = connector;
    if (passwords && !isPassword) continue;
    if (behind && !behind.test(before)) continue;
    form.lastIndex = end;
    if (!form.test(text)) continue;
    const value = valueAt(text, form.lastIndex, connector);
    if (value && isSecretHere(value, connector.certainty, isPassword, groups)) return hitOf(value, from, isPassword);
  }
  return valueBefore(text, from, isPassword, groups);
}

function isPasswordName(prefix: string, { password, chinese }: Groups): boolean {
  if (chinese) return true;
  return password !== undefined && !(password.toLowerCase() === 'pass' && prefix === '' && password !== 'PASS');
}

interface FoundValue {
  value: string;
  start: number;
  isQuoted: boolean;
}

const hitOf = ({ value, start }: FoundValue, from: number, isPassword: boolean): Hit => ({
  ...{ kind: isPassword ? 'password' : 'secret', start, end: start + value.length, from, strong: false },
});

function valueAt(text: string, at: number, { quoted, until }: Connector): FoundValue | null {
  QUOTE_AT.lastIndex = at;
  const open = until === TAG_END ? null : QUOTE_AT.exec(text)?.[0];
  if (open) return quotedValue(text, at + open.length, open.replace(/^@?r?/, ''));
  CHINESE_QUOTED.lastIndex = at;
  const chinese = CHINESE_QUOTED.exec(text);
  if (chinese) return { value: chinese[1]!, start: at + 1, isQuoted: true };
  if (quoted) return null;
  const form = until ?? UNQUOTED;
  form.lastIndex = at;
  const written = form.exec(text)?.[0].replace(/(?:\]\]>)?\s+$|\]\]>$/, '') ?? '';
  // A sentence ends with a sign that belongs to nothing.
  const value = until ? written : written.replace(/[.:!?]$/, '');
  return value === '' ? null : { value: value.slice(0, MAX_VALUE_CHARS), start: at, isQuoted: until === TAG_END };
}

function quotedValue(text: string, start: number, open: string): FoundValue | null {
  const close = open === '[[' ? ']]' : open;
  const inside = text.slice(start, start + MAX_VALUE_CHARS);
  let end = inside.indexOf(close);
  // A closing quote with more backslashes belongs to the value.
  while (end > 0 && inside[end - 1] === '\\' && close !== ']]') end = inside.indexOf(close, end + close.length);
  return end < 0 ? null : { value: inside.slice(0, end), start, isQuoted: true };
}

/** `"value": "v", "name": "NAME"`. */
const VALUE_BEFORE =
  /(?:value|VALUE|Value)\\{0,15}["']?\s{0,3}[:=]\s{0,3}\\{0,15}["']([^"'\\\n]{1,100})\\{0,15}["']\s{0,3},?\s{0,20}\\{0,15}["']?(?:name|key|Name|Key)\\{0,15}["']?\s{0,3}[:=]\s{0,3}\\{0,15}["']$/;

function valueBefore(text: string, from: number, isPassword: boolean, groups: Groups): Hit | null {
  const before = text.slice(Math.max(0, from - MAX_CHARS_BEFORE), from);
  const found = VALUE_BEFORE.exec(before);
  if (!found) return null;
  const value = found[1]!;
  const at = from - before.length + found.index + found[0].indexOf(value, 6);
  const one = { value, start: at, isQuoted: true };
  return isSecretHere(one, 'assigned', isPassword, groups) ? { ...hitOf(one, at, isPassword), from: at } : null;
}

function isSecretHere(found: FoundValue, certainty: Certainty, isPassword: boolean, groups: Groups): boolean {
  const { value, isQuoted } = found;
  if (value.length < 3 || /[\r\n]/.test(value) || isPseudonym(value) || isPlaceholderWord(value)) return false;
  if (
    VARIABLE.test(value) ||
    PLACEHOLDER_WORDS.test(value) ||
    PLACEHOLDER_NAME.test(value) ||
    /^(?:true|false|null|none|nil)$/i.test(value)
  )
    return false;
  if (!isQuoted && !groups.chinese && CALL.test(value) && !/\d/.test(value)) return false;
  if (groups.chinese) return isChineseSecret(value, groups.chinese);
  if (/^\d+$/.test(value)) return isPassword ? value.length >= 4 : value.length >= 8 && certainty === 'assigned';
  if (/^[\d.,:]+$|^\d{4}-\d\d-\d\d/.test(value)) return false;
  if (certainty === 'said') return isMixed(value) && value.length >= 6;
  if (isPassword && isQuoted && certainty === 'assigned') return true;
  if (/\s/.test(value)) return isPassword && isQuoted && certainty === 'assigned';
  return isMixed(value) && value.length >= (isPassword ? 5 : 8);
}

/** In Chinese, what follows without a blank may be the rest of the sentence. */
function isChineseSecret(value: string, word: string): boolean {
  if (/[验驗校]/.test(word)) return /^[A-Za-z0-9]{4,10}$/.test(value);
  return /^[\x21-\x7e]{4,}$/.test(value) && /[0-9!@#$%^&*_-]/.test(value);
}

/** Not a word, and no name that a programmer chose: a digit and a letter, or signs that no name has. */
function isMixed(value: string): boolean {
  if (isPlaceholder(value) && !/[0-9]/.test(value)) return false;
  if (/[0-9]/.test(value) && /[A-Za-z]/.test(value))
    return !/^[A-Za-z]+[-_.]?\d$|^[a-z]+(?:[-_][a-z]+)*[-_]\d{1,2}$/.test(value);
  return /[!#$%^&*~]/.test(value) && /[A-Za-z]/.test(value);
}
