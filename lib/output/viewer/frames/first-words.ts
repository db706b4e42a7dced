/**
 * The first words of a line: the values in it, texts first, without what the other columns say already. Made from the line
 * as it was recorded, so it is true for every protocol, and for lines that are none.
 */
import { parseJson, textOf } from '../../../model/message.ts';
import { processText, processWords } from '../../../model/text/process-text.ts';
import { visible } from '../../../model/text/text.ts';
import type { SourceLine } from '../source.ts';

const MAX_SHOWN_CHARS = 240;
/** Lines longer than this are not parsed for one row of a table. */
const MAX_PARSED_BYTES = 256 * 1024;
const LEAVES = 24;
/** Said by other columns, or only ids. */
const KNOWN =
  /^(?:jsonrpc|id|method|type|role|sessionUpdate|uuid|(?:session|request|tool_?call|tool_use|parent_tool_use)_?id)$/i;
/** What people look for: it comes first and without its name. */
const PLAIN =
  /^(?:text|content|think(?:ing)?|delta|message|output|title|user_input|prompt|command|arguments(?:_part)?|partial_json|description)$/;

export function firstWords({ frame }: SourceLine): string {
  if (frame.form === 'event') return visible(processWords(frame.event, processText(frame)));
  if (frame.raw.length > MAX_PARSED_BYTES)
    return cut(new TextDecoder().decode(frame.raw.subarray(0, MAX_SHOWN_CHARS * 4)));
  const text = textOf(frame.raw);
  if (text === null) return cut(new TextDecoder().decode(frame.raw));
  const value = frame.form === 'message' ? parseJson(text) : undefined;
  if (typeof value !== 'object' || value === null) return cut(text);
  return cut(leavesOf(value).join('  ')) || cut(text);
}

/** The first values, however deep; iterative, because the line may be nested to any depth. */
function leavesOf(root: object): string[] {
  const plain: string[] = [];
  const named: string[] = [];
  const stack: [name: string, value: unknown][] = [['', root]];
  while (stack.length > 0 && plain.length + named.length < LEAVES) {
    const [name, value] = stack.pop()!;
    if (typeof value === 'object' && value !== null) pushAll(stack, name, value);
    else if (value !== null && value !== '' && !KNOWN.test(name)) {
      const text = String(value).slice(0, MAX_SHOWN_CHARS);
      if (typeof value === 'string' && (name === '' || PLAIN.test(name))) plain.push(text);
      else named.push(`${name}=${text}`);
    }
  }
  return [...plain, ...named];
}

function pushAll(stack: [string, unknown][], name: string, value: object): void {
  const entries: [string, unknown][] = Array.isArray(value)
    ? value.slice(0, LEAVES).map((one) => [name, one])
    : Object.entries(value).slice(0, 2 * LEAVES);
  for (const entry of entries.reverse()) stack.push(entry);
}

function cut(text: string): string {
  const short = text.length > MAX_SHOWN_CHARS ? `${text.slice(0, MAX_SHOWN_CHARS)}…` : text;
  return visible(short.replace(/\r?\n/g, ' ↵ ').replace(/\t/g, ' '));
}
