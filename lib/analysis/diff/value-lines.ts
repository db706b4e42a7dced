/** The values of a difference as lines, which are safe to print: what they show if they are content, else JSON. */
import type { Block } from '../../model/event.ts';
import { isObject, toJson } from '../../model/message.ts';
import { maskedAt, maskedText, maskedValue } from '../../model/text/mask.ts';
import { textLines, visible } from '../../model/text/text.ts';
import { diffLines } from './line-diff.ts';
import type { Change } from './result.ts';

/** How content is shown, as lines that are safe to print. */
export type ShowBlock = (block: Block) => string[];

/** Longer lines are hard to compare. */
export const MAX_LINE_CHARS = 100;

/** A line of either side, or of both. */
export interface LinePair {
  left: string | null;
  right: string | null;
}

/** The lines of both values, each beside the one that it replaced. */
export function rowsOf(op: Change['op'], a: unknown, b: unknown, show: ShowBlock): LinePair[] {
  if (op === 'added') return valueLines(b, show).map((right) => ({ left: null, right }));
  if (op === 'removed') return valueLines(a, show).map((left) => ({ left, right: null }));
  const isText = typeof a === 'string' && typeof b === 'string';
  if (!isText) return zipLines(valueLines(a, show), valueLines(b, show));
  const rows: LinePair[] = [];
  let gap: { left: string[]; right: string[] } = { left: [], right: [] };
  const flush = () => {
    for (const row of zipLines(gap.left, gap.right)) rows.push(row);
    gap = { left: [], right: [] };
  };
  for (const { sign, text } of diffLines(maskedText(a), maskedText(b))) {
    const line = visible(text.replaceAll('\t', '    '));
    if (sign === '-') gap.left.push(line);
    else if (sign === '+') gap.right.push(line);
    else {
      flush();
      rows.push({ left: line, right: line });
    }
  }
  flush();
  return rows;
}

function zipLines(left: readonly string[], right: readonly string[]): LinePair[] {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, i) => {
    return { left: left[i] ?? null, right: right[i] ?? null };
  });
}

/** Both values of a difference for people: with names for what is volatile, and without secrets where these are hidden. */
export function shownValues({ path, a, b, masked }: Change): [unknown, unknown] {
  return [maskedAt(path, masked?.a ?? a), maskedAt(path, masked?.b ?? b)];
}

/** A short value as one word or a few; null if it is long. */
export function inlineValue(value: unknown): string | null {
  if (blocksIn(value)) return null;
  const text = typeof value === 'string' ? value : toJson(maskedValue(value));
  if (text.length > MAX_LINE_CHARS || text.includes('\n')) return null;
  return text === '' ? '""' : visible(text);
}

/** A value as lines: what it shows if it is content, else JSON. */
export function valueLines(recorded: unknown, show: ShowBlock): string[] {
  const value = maskedValue(recorded);
  if (typeof value === 'string') return textLines(value);
  if (isObject(value) && Array.isArray(value.inside)) return entryLines(value, show);
  const blocks = blocksIn(value);
  if (blocks) return blocks.flatMap(show);
  if (isObject(value)) return Object.entries(value).flatMap(([key, inner]) => fieldLines(key, inner, show));
  if (isWords(value)) return [wordsLine(value)];
  const text = toJson(value);
  return text.length <= MAX_LINE_CHARS
    ? [visible(text)]
    : JSON.stringify(value, null, 2)
        .split('\n')
        .map((line) => visible(line));
}

/** An entry as a whole, with what is inside it. */
function entryLines({ inside, kind, ...fields }: Record<string, unknown>, show: ShowBlock): string[] {
  const own = Object.entries(fields).flatMap(([key, inner]) => fieldLines(key, inner, show));
  const parts = (inside as unknown[]).filter(isObject).flatMap((part) => {
    const lines = valueLines({ inside: [], ...part }, show);
    const name = part.kind === 'tool-call' ? visible(String(part.tool ?? 'tool')) : visible(String(part.kind ?? ''));
    const [first, ...rest] = lines.filter((line) => part.kind !== 'tool-call' || !line.startsWith('tool: '));
    const isText = part.kind === 'text' && rest.length === 0 && first !== undefined;
    return isText
      ? [`text: ${first.replace(/^text: /, '')}`]
      : [name, ...[first, ...rest].flatMap((line) => (line ? [`  ${line}`] : []))];
  });
  return [...own, ...parts];
}

function fieldLines(key: string, value: unknown, show: ShowBlock): string[] {
  if (isWords(value)) return [`${visible(key)}: ${wordsLine(value)}`];
  const short = inlineValue(value);
  if (short !== null) return [`${visible(key)}: ${short}`];
  return [`${visible(key)}:`, ...valueLines(value, show).map((line) => `  ${line}`)];
}

/** Content, if it is nothing else. */
function blocksIn(value: unknown): Block[] | null {
  if (isBlock(value)) return [value];
  return Array.isArray(value) && value.length > 0 && value.every(isBlock) ? value : null;
}

const wordsLine = (words: readonly string[]): string => words.map((word) => visible(word)).join(', ');

const isWords = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === 'string' && word.length < 100);

const BLOCK_TYPES = new Set(['text', 'image', 'audio', 'video', 'diff', 'todo', 'shell', 'resource', 'unknown']);

function isBlock(value: unknown): value is Block {
  if (!isObject(value) || !BLOCK_TYPES.has(String(value.type))) return false;
  const { type, text, path, before, after, items, command, uri } = value;
  if (type === 'text') return typeof text === 'string';
  if (type === 'diff') return [path, before, after].every((one) => typeof one === 'string');
  if (type === 'todo') return Array.isArray(items) && items.every(isTodo);
  if (type === 'shell') return typeof command === 'string';
  if (type === 'resource') return typeof uri === 'string';
  return type !== 'unknown' || typeof value.name === 'string';
}

const isTodo = (one: unknown): boolean =>
  isObject(one) && typeof one.title === 'string' && typeof one.status === 'string';
