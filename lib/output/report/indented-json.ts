/** Indents a line of JSON without parsing its values: numbers and escapes stay as they were written. */
import { stringEnd } from '../../model/json/json-number.ts';

/** What is no longer than this stays on one line. */
const MAX_ONE_LINE = 72;
/** Deeper or longer JSON is left as it is. */
const MAX_DEPTH = 8;
const MAX_CHARS = 50_000;

export function indentedJson(text: string): string {
  if (text.length > MAX_CHARS) return text;
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  return indentValue(text.trim(), 0);
}

function indentValue(text: string, depth: number): string {
  const open = text[0]!;
  if ((open !== '{' && open !== '[') || text.length <= MAX_ONE_LINE || depth > MAX_DEPTH) return text;
  const inner = '  '.repeat(depth + 1);
  const parts = partsOf(text).map((part) => {
    const value = open === '{' ? valueAt(part) : 0;
    return inner + part.slice(0, value) + indentValue(part.slice(value), depth + 1);
  });
  return `${open}\n${parts.join(',\n')}\n${'  '.repeat(depth)}${text.at(-1)}`;
}

/** The members of a list or an object. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 1;
  for (let at = 1; at < text.length; at++) {
    const c = text[at]!;
    if (c === '"') at = stringEnd(text, at) - 1;
    else if (c === '{' || c === '[') depth++;
    else if ((c === '}' || c === ']' || c === ',') && depth === 0) {
      parts.push(text.slice(start, at).trim());
      start = at + 1;
    } else if (c === '}' || c === ']') depth--;
  }
  return parts;
}

/** Where the value of a member begins. */
function valueAt(member: string): number {
  let at = member.indexOf(':', stringEnd(member, 0)) + 1;
  while (member[at] === ' ') at++;
  return at;
}
