/** The values of a difference as lines: short ones beside each other, texts as words or lines, JSON as JSON. */
import type { Block } from '../core/event.ts';
import { isObject, toJson } from '../core/message.ts';
import { cells, visible } from '../core/text.ts';
import { diffLines } from '../diff/lines.ts';
import type { Change } from '../diff/result.ts';
import { type WordPart, wordDiff } from '../diff/words.ts';
import { blockLines, type Line, textLines } from './blocks.ts';
import type { Theme } from './theme.ts';
import { plural } from './words.ts';
import { wrap } from './wrap.ts';

export interface ChangeStyle {
  columns: number;
  theme: Theme;
  /** Do not shorten values. */
  full: boolean;
}

/** Lines of one value that are shown without --full. */
const MOST = 12;

/** Safe to print and painted, without line ends. */
export function changeLines(change: Change, style: ChangeStyle): string[] {
  const { theme } = style;
  const [a, b] = [change.masked?.a ?? change.a, change.masked?.b ?? change.b];
  const path = visible(change.path);
  if (change.op === 'changed') {
    const [was, is] = [inline(a), inline(b)];
    if (was !== null && is !== null) {
      const line = `${path}  ${was} → ${is}`;
      if (cells(line) <= Math.min(style.columns, WIDEST))
        return [`${theme.dim(path)}  ${theme.bad(was)} ${theme.dim('→')} ${theme.good(is)}`];
    }
    const lines = typeof a === 'string' && typeof b === 'string' ? textDiff(a, b, style) : bothValues(a, b, style);
    return [theme.dim(path), ...indented(limited(lines, style))];
  }
  const [value, sign, paint] = change.op === 'added' ? ([b, '+', theme.good] as const) : ([a, '-', theme.bad] as const);
  const short = inline(value);
  if (short !== null && path !== '' && cells(path) + cells(short) + 4 <= Math.min(style.columns, WIDEST))
    return [`${paint(sign)} ${theme.dim(path)}  ${paint(short)}`];
  const lines = signed(sign, valueLines(value, theme), style, paint);
  return path === ''
    ? limited(lines, style)
    : [`${paint(sign)} ${theme.dim(path)}`, ...indented(limited(lines, style))];
}

/** Longer lines are hard to compare. */
const WIDEST = 100;

const indented = (lines: string[]): string[] => lines.map((line) => `  ${line}`);

function limited(lines: string[], { full, theme }: ChangeStyle): string[] {
  if (full || lines.length <= MOST + 1) return lines;
  return [...lines.slice(0, MOST), theme.dim(`… ${plural(lines.length - MOST, 'more line')} (--full)`)];
}

/** A short value as one word or a few; null if it is long. */
export function inline(value: unknown): string | null {
  if (blocksIn(value)) return null;
  const text = typeof value === 'string' ? value : toJson(value);
  if (text.length > WIDEST || text.includes('\n')) return null;
  return text === '' ? '""' : visible(text);
}

/** Words that changed within a line, or lines that changed within a text. */
function textDiff(a: string, b: string, style: ChangeStyle): string[] {
  const isShort = !a.trim().includes('\n') && !b.trim().includes('\n');
  const words = isShort ? wordDiff(a, b) : null;
  if (words) return wordLines(words, style);
  const { theme } = style;
  const paints = { '+': theme.good, '-': theme.bad, ' ': theme.dim, '@': theme.dim };
  return diffLines(a, b).flatMap(({ sign, text }) =>
    sign === '@' ? [theme.dim(text)] : signed(sign, [visible(text.replaceAll('\t', '    '))], style, paints[sign]),
  );
}

const MARKS = { ' ': ['', ''], '-': ['[-', '-]'], '+': ['{+', '+}'] } as const;

/** The text once, with what went in `[-…-]` and what came in `{+…+}`. */
function wordLines(parts: WordPart[], { columns, theme }: ChangeStyle): string[] {
  const paints = { ' ': (text: string) => text, '-': theme.bad, '+': theme.good };
  const width = Math.min(columns, WIDEST) - 4;
  const lines: string[] = [];
  let line = '';
  let used = 0;
  const put = (text: string, paint: (text: string) => string) => {
    const size = cells(text);
    if (used > 0 && used + size > width) {
      lines.push(line.trimEnd());
      line = '';
      used = 0;
    }
    if (used === 0 && text.trim() === '') return;
    line += paint(text);
    used += size;
  };
  for (const { sign, text } of parts) {
    const [open, close] = MARKS[sign];
    const words = visible(`${open}${text.replaceAll('\n', '⏎')}${close}`).match(/\s+|\S+/g) ?? [];
    for (const word of words)
      for (const piece of wrap(word, width)) put(word.trim() === '' ? word : piece, paints[sign]);
  }
  lines.push(line.trimEnd());
  return lines;
}

/** A line of either side, or of both. */
interface Pair {
  left: string | null;
  right: string | null;
}

/** The lines of both values, each beside the one that it replaced. */
export function rowsOf(op: Change['op'], a: unknown, b: unknown, theme: Theme): Pair[] {
  if (op === 'added') return valueLines(b, theme).map((right) => ({ left: null, right }));
  if (op === 'removed') return valueLines(a, theme).map((left) => ({ left, right: null }));
  const isText = typeof a === 'string' && typeof b === 'string';
  if (!isText) return zipped(valueLines(a, theme), valueLines(b, theme));
  const rows: Pair[] = [];
  let gap: { left: string[]; right: string[] } = { left: [], right: [] };
  const flush = () => {
    rows.push(...zipped(gap.left, gap.right));
    gap = { left: [], right: [] };
  };
  for (const { sign, text } of diffLines(a, b)) {
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

function zipped(left: readonly string[], right: readonly string[]): Pair[] {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, i) => {
    return { left: left[i] ?? null, right: right[i] ?? null };
  });
}

function bothValues(a: unknown, b: unknown, style: ChangeStyle): string[] {
  const { theme } = style;
  return [
    ...signed('-', valueLines(a, theme), style, theme.bad),
    ...signed('+', valueLines(b, theme), style, theme.good),
  ];
}

function signed(sign: string, lines: string[], { columns, theme }: ChangeStyle, paint: Theme['good']): string[] {
  const painted = sign === ' ' ? theme.dim : paint;
  return lines.flatMap((line) =>
    wrap(line, columns - 6).map((part, i) => painted(`${i === 0 ? sign : ' '} ${part}`.trimEnd())),
  );
}

/** A value as lines: what it shows if it is content, else JSON. */
function valueLines(value: unknown, theme: Theme): string[] {
  if (typeof value === 'string') return textLines(value);
  if (isObject(value) && Array.isArray(value.inside)) return entryLines(value, theme);
  const blocks = blocksIn(value);
  if (blocks) return blocks.flatMap((block: Block) => blockLines(block, theme).map(({ text }: Line) => text));
  if (isObject(value)) return Object.entries(value).flatMap(([key, inner]) => fieldLines(key, inner, theme));
  const text = toJson(value);
  return text.length <= WIDEST
    ? [visible(text)]
    : JSON.stringify(value, null, 2)
        .split('\n')
        .map((line) => visible(line));
}

/** An entry as a whole, with what is inside it. */
function entryLines({ inside, kind, ...fields }: Record<string, unknown>, theme: Theme): string[] {
  const own = Object.entries(fields).flatMap(([key, inner]) => fieldLines(key, inner, theme));
  const parts = (inside as unknown[]).filter(isObject).flatMap((part) => {
    const lines = valueLines({ inside: [], ...part }, theme);
    const name = part.kind === 'tool-call' ? visible(String(part.tool ?? 'tool')) : visible(String(part.kind ?? ''));
    const [first, ...rest] = lines.filter((line) => part.kind !== 'tool-call' || !line.startsWith('tool: '));
    const isText = part.kind === 'text' && rest.length === 0 && first !== undefined;
    return isText
      ? [`text: ${first.replace(/^text: /, '')}`]
      : [name, ...[first, ...rest].flatMap((line) => (line ? [`  ${line}`] : []))];
  });
  return [...own, ...parts];
}

function fieldLines(key: string, value: unknown, theme: Theme): string[] {
  if (isWords(value)) return [`${visible(key)}: ${value.map((word) => visible(word)).join(', ')}`];
  const short = inline(value);
  if (short !== null) return [`${visible(key)}: ${short}`];
  return [`${visible(key)}:`, ...valueLines(value, theme).map((line) => `  ${line}`)];
}

/** Content, if it is nothing else. */
function blocksIn(value: unknown): Block[] | null {
  if (isBlock(value)) return [value];
  return Array.isArray(value) && value.length > 0 && value.every(isBlock) ? value : null;
}

const isWords = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === 'string' && word.length < 100);

const BLOCKS = new Set(['text', 'image', 'audio', 'video', 'diff', 'todo', 'shell', 'resource', 'unknown']);

function isBlock(value: unknown): value is Block {
  if (!isObject(value) || !BLOCKS.has(String(value.type))) return false;
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
