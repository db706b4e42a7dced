/**
 * The first words of a line: the values in it, in their order, without what the other columns say already. Made from the
 * line as it was recorded, so it is true for every protocol, and for lines that are none.
 */
import { parseJson, textOf } from '../../core/message.ts';
import { processText } from '../../core/process-text.ts';
import { visible } from '../../core/text.ts';
import type { Line } from '../source.ts';

const MOST = 240;
/** Lines longer than this are not parsed for one row of a table. */
const LONGEST = 256 * 1024;
const LEAVES = 24;
/** Said by other columns. */
const KNOWN = new Set([
  'jsonrpc',
  'id',
  'method',
  'type',
  'sessionId',
  'session_id',
  'uuid',
  'requestId',
  'request_id',
]);
/** What people look for; the others are shown with their names. */
const PLAIN = new Set(['text', 'content', 'think', 'thinking', 'delta', 'command', 'message', 'output', 'title']);

export function firstWords({ frame }: Line): string {
  if (frame.form === 'event') return visible(`${frame.event ?? ''} ${processText(frame)}`.trim());
  if (frame.raw.length > LONGEST) return cut(new TextDecoder().decode(frame.raw.subarray(0, MOST * 4)));
  const text = textOf(frame.raw);
  if (text === null) return cut(new TextDecoder().decode(frame.raw));
  const value = frame.form === 'message' ? parseJson(text) : undefined;
  if (typeof value !== 'object' || value === null) return cut(text);
  return cut(leavesOf(value).join('  ')) || cut(text);
}

/** `name=value` of the first values, however deep; iterative, because nesting is up to whoever wrote the line. */
function leavesOf(root: object): string[] {
  const leaves: string[] = [];
  const stack: [name: string, value: unknown][] = [['', root]];
  while (stack.length > 0 && leaves.length < LEAVES) {
    const [name, value] = stack.pop()!;
    if (typeof value === 'object' && value !== null) pushAll(stack, name, value);
    else if (!KNOWN.has(name) && value !== null && value !== '') leaves.push(leafOf(name, value));
  }
  return leaves;
}

function pushAll(stack: [string, unknown][], name: string, value: object): void {
  const entries: [string, unknown][] = Array.isArray(value)
    ? value.slice(0, LEAVES).map((one) => [name, one])
    : Object.entries(value).slice(0, 2 * LEAVES);
  for (const entry of entries.reverse()) stack.push(entry);
}

function leafOf(name: string, value: unknown): string {
  const text = String(value).slice(0, MOST);
  return name === '' || PLAIN.has(name) ? text : `${name}=${text}`;
}

function cut(text: string): string {
  return visible(text.length > MOST ? `${text.slice(0, MOST)}…` : text);
}
