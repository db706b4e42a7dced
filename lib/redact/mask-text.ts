/**
 * `--redact-text`: the shape, the sizes and the words of the protocol stay, what was said does not. Each character becomes
 * an x that takes as many bytes. Blanks stay; in JSON inside a string its signs stay too, so that it can still be read.
 */
import { eachLeaf } from './leaves.ts';

/** Under these keys stand words of the protocol, ids and versions, whatever they look like. */
const WORDS =
  /^(?:jsonrpc|method|model|uuid|role|object|origin|trigger|channel|decision|response|[A-Za-z_]*(?:_?[iI]ds?|_?[tT]ype|_?[kK]ind|_?[sS]tatus|_?[mM]ode|_?[rR]eason|_?[vV]ersion|_?[nN]ame|_?[tT]ool))$/;
const WORD = /^[A-Za-z0-9_][A-Za-z0-9_.:@+-]{0,99}$/;
/** In these is what somebody said, to any depth. */
const INSIDE = /^(?:input|arguments|args|rawInput|rawOutput|tool_input|updatedInput|env|structuredContent)$/;
/** Under these stands what somebody said, even if it is one word. */
const SAID =
  /^(?:text|content|thinking|think|delta|output|stdout|stderr|message|title|description|summary|prompt|input|user_input|arguments|args|arguments_part|partial_json|rawInput|rawOutput|tool_input|updatedInput|env|command|path|file|query|cwd|url|uri|data|label|question|answer|answers|reasoning|preview|body|snippet|header)$/;
/** Elsewhere: one word, as programs write them. */
const IDENTIFIER = /^(?:[a-z][a-z0-9]*(?:[_/-][a-z0-9]+){0,6}|[A-Za-z][a-z]+(?:[A-Z][a-z]+){0,5})$/;
const NAME = /^[A-Za-z_$][A-Za-z0-9_$.-]{0,60}$/;

/** A line in which no text is left. `isJson`: whether it is JSON. */
export function maskedLine(text: string, isJson: boolean): string {
  if (!isJson) return masked(text, false);
  let out = '';
  let done = 0;
  eachLeaf(
    text,
    (start, end, isKey, _place, path) => {
      const written = text.slice(start, end);
      if (isKey ? NAME.test(written) : isWord(path, written)) return;
      out += text.slice(done, start) + masked(written, true);
      done = end;
    },
    true,
  );
  return out + text.slice(done);
}

function isWord(path: readonly (string | number)[], written: string): boolean {
  const keys = path.filter((part) => typeof part === 'string');
  const key = keys.at(-1) ?? '';
  if (WORDS.test(key)) return WORD.test(written) || IDENTIFIER.test(written);
  return (
    written.length <= 48 &&
    IDENTIFIER.test(written) &&
    !(SAID.test(key) && path.length > 1) &&
    !keys.some((one) => INSIDE.test(one))
  );
}

/** In a string of JSON: escapes, and words and signs of JSON inside it. */
const IN_STRING = /\\u[0-9a-fA-F]{4}|\\[^u]|[\ud800-\udbff][\udc00-\udfff]|[^\s]/g;
const JSON_INSIDE = /^\s*(?:\\n|\\t|\s)*[{[]|^\\?"|^[,:}\]]/;
const JSON_SIGN = /^[{}[\]",:]$/;
const JSON_WORD = /\b(?:true|false|null)\b/g;

function masked(text: string, isString: boolean): string {
  const isJson = isString && JSON_INSIDE.test(text);
  const words = isJson ? wordsIn(text) : new Set<number>();
  return text.replace(IN_STRING, (c, at: number) => {
    // An absolute path stays one.
    if (words.has(at) || (at === 0 && c === '/')) return c;
    return c.startsWith('\\') ? crossedOut(c, isString, isJson) : signOf(c, isJson);
  });
}

/** Where the words of JSON stand. */
function wordsIn(text: string): Set<number> {
  const places = [...text.matchAll(JSON_WORD)].flatMap(({ index, 0: word }) => [...word].map((_, i) => index + i));
  return new Set(places);
}

function crossedOut(c: string, isString: boolean, isJson: boolean): string {
  if (c.length === 6) return '\\u0078';
  if (!isString) return 'xx';
  return isJson || /[nrt]/.test(c[1]!) ? c : '\\\\';
}

function signOf(c: string, isJson: boolean): string {
  if (isJson && JSON_SIGN.test(c)) return c;
  return isJson && /[0-9]/.test(c) ? '1' : cross(c.codePointAt(0)!);
}

/** An x of as many bytes. */
function cross(code: number): string {
  if (code < 0x80) return 'x';
  if (code < 0x800) return '\u02e3';
  return code < 0x10000 ? '\uff58' : '\u{1d5d1}';
}
