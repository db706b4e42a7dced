/**
 * `--redact-text`: the shape, the sizes and the words of the protocol stay, what was said does not. Each character becomes
 * an x that takes as many bytes. Blanks stay; in JSON inside a string its signs stay too, so that it can still be read.
 */
import { eachLeaf } from './leaves.ts';

/** Under these keys stand words of the protocol, ids and versions. */
const WORDS = new RegExp(
  `^(?:${[
    'jsonrpc|method|type|subtype|kind|role|status|state|event|event_type|id|uuid|name|tool|tool_name|toolName|code|mode',
    'version|protocolVersion|protocol_version|response|decision|behavior|outcome|action|stopReason|stop_reason|reason',
    'finish_reason|object|model|command|sender|permissionMode|permission_mode|approvalPolicy|sandbox|currentModeId',
    'severity|level|phase|source|origin|category|operation|currentValue|encrypted|priority|mimeType|media_type',
    'terminal|hook_event_name|hook_event|target|server|request|success|cancelled|optionId|modeId|scope|format|result',
    'scenario|effort|service_tier|pluginName|apiKeySource|output_style|userAgent|title_kind|fs|author|delivery',
  ].join('|')}|[a-z][A-Za-z_]*(?:_?[iI]ds?|Type|_type|Kind|Status|Mode|Reason|Version|_version))$`,
);
/** One word, as protocols have them. */
const WORD = /^[A-Za-z0-9_][A-Za-z0-9_.:/@+-]{0,99}$/;
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
  let at = path.length - 1;
  while (at >= 0 && typeof path[at] === 'number') at--;
  return at >= 0 && WORDS.test(String(path[at])) && WORD.test(written);
}

/** In a string of JSON: escapes, and words and signs of JSON inside it. */
const IN_STRING = /\\u[0-9a-fA-F]{4}|\\[^u]|[\ud800-\udbff][\udc00-\udfff]|[^\s]/g;
const JSON_INSIDE = /^\s*(?:\\n|\\t|\s)*[{[]|^\\?"|^[,:}\]]/;
const JSON_SIGN = /^[{}[\]",:]$/;
const JSON_WORD = /\b(?:true|false|null)\b/g;

function masked(text: string, isString: boolean): string {
  const isJson = isString && JSON_INSIDE.test(text);
  const words = isJson ? new Set([...text.matchAll(JSON_WORD)].flatMap(({ index, 0: word }) => [...word].map((_, i) => index + i))) : null;
  return text.replace(IN_STRING, (c, at: number) => {
    if (c.length === 6) return '\\u0078';
    if (c.startsWith('\\')) return isString ? (isJson || /[nrt]/.test(c[1]!) ? c : '\\\\') : 'xx';
    if (isJson && (JSON_SIGN.test(c) || words!.has(at))) return c;
    if (isJson && /[0-9]/.test(c)) return '1';
    return cross(c.codePointAt(0)!);
  });
}

/** An x of as many bytes. */
function cross(code: number): string {
  if (code < 0x80) return 'x';
  if (code < 0x800) return '\u02e3';
  return code < 0x10000 ? '\uff58' : '\u{1d5d1}';
}
