/**
 * `--redact-text`: the shape, the sizes and the words of the protocol stay, the texts do not. Each character becomes
 * an x that takes as many bytes. Blanks stay; JSON inside a string, or over several lines, is masked as JSON is.
 */
import { OUTCOME_PHRASES } from '../../model/text/outcome-phrases.ts';
import { eachLeaf } from './json-leaves.ts';
import { type TextView, viewUnescaped } from './views.ts';

/** Under these keys stand words of the protocol and versions, whatever they look like. */
const WORD_KEY =
  /^(?:jsonrpc|model|role|object|origin|trigger|channel|decision|response|[A-Za-z_]*(?:_?[tT]ype|_?[kK]ind|_?[sS]tatus|_?[mM]ode|_?[rR]eason|_?[vV]ersion|_?[nN]ame|_?[tT]ool))$/;
const PROTOCOL_WORD = /^[A-Za-z0-9_][A-Za-z0-9_.:@+-]{0,99}$/;
/** Under these, ids. */
const ID_KEY = /^(?:[A-Za-z_]*(?:[iI]ds?|IDs?)|uuid)$/;
const PROTOCOL_ID = /^[A-Za-z0-9_$][A-Za-z0-9_.:@+#=|~$/-]{0,199}$/;
/** Under `method`: `item/agentMessage/delta`, `$/cancelRequest`. */
const METHOD_NAME = /^[$A-Za-z0-9_][A-Za-z0-9_$.:/-]{0,99}$/;
/** Under `title`: the name of a tool. */
const TOOL_TITLE = /^[a-z][a-z_]{0,23}$/;
/** Names of the protocol that are addresses. */
const PROTOCOL_ADDRESS = /^https:\/\/agentclientprotocol\.com\/[\w/#.-]{1,99}$/;
/** Keys whose values are texts at any depth. */
const CONTENT_KEY = /^(?:input|arguments|args|rawInput|rawOutput|tool_input|updatedInput|env|structuredContent)$/;
/** Keys whose values are texts, even if they are one word. Amendments repeat the words of the command. */
const TEXT_KEY =
  /^(?:text|content|thinking|think|delta|output|stdout|stderr|message|description|summary|prompt|input|user_input|arguments|args|arguments_part|partial_json|rawInput|rawOutput|tool_input|updatedInput|env|command|path|file|query|cwd|url|uri|data|question|answer|answers|reasoning|preview|body|snippet|header|[A-Za-z_]*[aA]mendment)$/;
/** Elsewhere: one word, as programs write them. */
const IDENTIFIER =
  /^(?:[a-z][a-z0-9]*(?:[_/-][a-z0-9]+){0,6}|[A-Za-z][a-z]+(?:[A-Z][a-z]+){0,5}|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+){0,6})$/;
const KEY_NAME = /^[A-Za-z_$][A-Za-z0-9_$.-]{0,60}$/;

/** A line in which no text is left. `isJson`: whether it is JSON. */
export function maskLine(text: string, isJson: boolean): string {
  return isJson ? maskJson(text, false) : (maskPart(text) ?? maskCharacters(text, false));
}

/** `isContentOnly`: all of it is text. */
function maskJson(text: string, isContentOnly: boolean): string {
  let out = '';
  let done = 0;
  eachLeaf(
    text,
    (start, end, isKey, _place, path) => {
      const written = text.slice(start, end);
      const isContent = isContentOnly || path.some((key) => typeof key === 'string' && CONTENT_KEY.test(key));
      if (isKey ? KEY_NAME.test(written) : isWord(path, written, isContent)) return;
      out += text.slice(done, start) + maskString(written, isContent);
      done = end;
    },
    true,
  );
  return out + text.slice(done);
}

function isWord(path: readonly (string | number)[], written: string, isContentOnly: boolean): boolean {
  const key = String(path.findLast((part) => typeof part === 'string') ?? '');
  if (key === 'method') return METHOD_NAME.test(written);
  if (key === 'title') return TOOL_TITLE.test(written) && !isContentOnly;
  if (ID_KEY.test(key)) return PROTOCOL_ID.test(written);
  if (PROTOCOL_ADDRESS.test(written)) return true;
  if (WORD_KEY.test(key)) return PROTOCOL_WORD.test(written) || IDENTIFIER.test(written);
  return written.length <= 48 && IDENTIFIER.test(written) && !(TEXT_KEY.test(key) && path.length > 1) && !isContentOnly;
}

/** A line of JSON that is written over several: a bracket, or a key and what begins behind it; null if it is none. */
function maskPart(line: string): string | null {
  if (/^\s*[[\]{}]{1,2},?\s*$/.test(line)) return line;
  const [, before = '', part = ''] = /^(\s*)(".*?)[,\s]*$/.exec(line) ?? [];
  for (const [open, close] of PART_BRACKETS) {
    const whole = `${open}${part}${close}`;
    if (part === '' || !isJson(whole)) continue;
    const masked = maskJson(whole, false).slice(open.length, -close.length);
    return before + masked + line.slice(before.length + part.length);
  }
  return null;
}

const PART_BRACKETS = [
  ['{', '}'],
  ['{', ']}'],
  ['{', '}}'],
  ['[', ']'],
] as const;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** JSON in a string keeps its keys, and what of it are words. */
function maskString(written: string, isContentOnly: boolean): string {
  const view = viewUnescaped(written);
  const inner = view?.text ?? written;
  if (!/^\s*[[{]/.test(inner) || !isJson(inner)) return maskCharacters(written, true);
  const masked = maskJson(inner, isContentOnly);
  return view ? keepEscapes(written, view, inner, masked) : masked;
}

/** The masked reading in the escapes of the string that it was read from. */
function keepEscapes(written: string, view: TextView, inner: string, masked: string): string {
  let out = '';
  for (let i = 0; i < inner.length; i++) {
    const [from, to] = [view.at(i), view.at(i + 1)];
    const isKept = masked[i] === inner[i];
    // A slash may be escaped, and is as long as any other escape of two characters.
    out += isKept ? written.slice(from, to) : to - from === 1 ? masked[i] : to - from === 2 ? '\\/' : '\\u0078';
  }
  return out;
}

/** In a string of JSON: escapes, and words and signs of JSON inside it. */
const STRING_CHARACTER = /\\u[0-9a-fA-F]{4}|\\[^u]|[\ud800-\udbff][\udc00-\udfff]|[^\s]/g;
/** In a part of JSON in a string of JSON, escapes have escapes. */
const PART_CHARACTER =
  /\\\\(?:u[0-9a-fA-F]{4}|\\.|[^u\\])|\\u[0-9a-fA-F]{4}|\\[^u]|[\ud800-\udbff][\udc00-\udfff]|[^\s]/g;
const JSON_INSIDE = /^\s*(?:\\n|\\t|\s)*[{[]|^\\?"|^[,:}\]]/;
const JSON_SIGN = /^[{}[\]",:]$/;
const JSON_WORD = /\b(?:true|false|null)\b/g;
const ESCAPED_KEY = /(?<=\\")[A-Za-z_$][A-Za-z0-9_$.-]{0,60}(?=\\"\s*:)/g;

/** The shell that an agent puts around a command. */
const SHELL_PREFIX = /^(?:\/(?:usr\/)?bin\/)?(?:bash|zsh|sh) -l?c '/g;

function maskCharacters(text: string, isString: boolean): string {
  const isPart = isString && JSON_INSIDE.test(text);
  const kept = positionsOf(text, isPart ? [OUTCOME_PHRASES, JSON_WORD, ESCAPED_KEY] : [OUTCOME_PHRASES, SHELL_PREFIX]);
  if (text.endsWith("'") && kept.has(0)) kept.add(text.length - 1);
  return text.replace(isPart ? PART_CHARACTER : STRING_CHARACTER, (c, at: number) => {
    // An absolute path stays one.
    if (kept.has(at) || (at === 0 && c === '/')) return c;
    return c.startsWith('\\') ? maskEscape(c, isString, isPart) : maskCharacter(c, isPart);
  });
}

/** Where these stand, character by character. */
function positionsOf(text: string, forms: readonly RegExp[]): Set<number> {
  const places = new Set<number>();
  for (const form of forms)
    for (const { index, 0: word } of text.matchAll(form)) for (let i = 0; i < word.length; i++) places.add(index + i);
  return places;
}

function maskEscape(c: string, isString: boolean, isPart: boolean): string {
  if (c.length >= 6) return `${c.slice(0, c.indexOf('u'))}u0078`;
  if (!isString) return 'xx';
  return isPart || /[nrt]/.test(c[1]!) ? c : '\\\\';
}

function maskCharacter(c: string, isPart: boolean): string {
  if (isPart && JSON_SIGN.test(c)) return c;
  return isPart && /[0-9]/.test(c) ? '1' : letterX(c.codePointAt(0)!);
}

/** An x of as many bytes. */
function letterX(code: number): string {
  if (code < 0x80) return 'x';
  if (code < 0x800) return '\u02e3';
  return code < 0x10000 ? '\uff58' : '\u{1d5d1}';
}
