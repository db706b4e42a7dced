/** The values of a difference as lines: short ones on one line, texts as words or lines, JSON as JSON. */

import { diffLines } from '../../analysis/diff/line-diff.ts';
import { describePath } from '../../analysis/diff/pointer.ts';
import type { Change } from '../../analysis/diff/result.ts';
import {
  inlineValue,
  MAX_LINE_CHARS,
  type ShowBlock,
  shownValues,
  valueLines,
} from '../../analysis/diff/value-lines.ts';
import { type WordPart, wordDiff } from '../../analysis/diff/word-diff.ts';
import { cells, visible } from '../../model/text/text.ts';
import { blockLines } from './blocks.ts';
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
const MAX_VALUE_LINES = 12;

/** Safe to print and painted, without line ends. */
export function changeLines(change: Change, style: ChangeStyle): string[] {
  const { theme } = style;
  const [a, b] = shownValues(change);
  const path = visible(describePath(change));
  if (change.op === 'changed') {
    const [was, is] = [inlineValue(a), inlineValue(b)];
    if (was !== null && is !== null) {
      const line = `${path}  ${was} → ${is}`;
      if (cells(line) <= Math.min(style.columns, MAX_LINE_CHARS))
        return [`${theme.dim(path)}  ${theme.bad(was)} ${theme.dim('→')} ${theme.good(is)}`];
    }
    const lines = typeof a === 'string' && typeof b === 'string' ? textDiff(a, b, style) : bothValues(a, b, style);
    return [theme.dim(path), ...indentLines(limitLines(lines, style))];
  }
  const [value, sign, paint] = change.op === 'added' ? ([b, '+', theme.good] as const) : ([a, '-', theme.bad] as const);
  const short = inlineValue(value);
  if (short !== null && path !== '' && cells(path) + cells(short) + 4 <= Math.min(style.columns, MAX_LINE_CHARS))
    return [`${paint(sign)} ${theme.dim(path)}  ${paint(short)}`];
  const lines = signLines(sign, valueLines(value, showIn(theme)), style, paint);
  return path === ''
    ? limitLines(lines, style)
    : [`${paint(sign)} ${theme.dim(path)}`, ...indentLines(limitLines(lines, style))];
}

const indentLines = (lines: string[]): string[] => lines.map((line) => `  ${line}`);

function limitLines(lines: string[], { full, theme }: ChangeStyle): string[] {
  if (full || lines.length <= MAX_VALUE_LINES + 1) return lines;
  return [
    ...lines.slice(0, MAX_VALUE_LINES),
    theme.dim(`… ${plural(lines.length - MAX_VALUE_LINES, 'more line')} (--full)`),
  ];
}

/** Words that changed within a line, or lines that changed within a text. */
function textDiff(a: string, b: string, style: ChangeStyle): string[] {
  const isShort = !a.trim().includes('\n') && !b.trim().includes('\n');
  const words = isShort ? wordDiff(a, b) : null;
  if (words) return wordLines(words, style);
  const { theme } = style;
  const paints = { '+': theme.good, '-': theme.bad, ' ': theme.dim, '@': theme.dim };
  return diffLines(a, b).flatMap(({ sign, text }) =>
    sign === '@' ? [theme.dim(text)] : signLines(sign, [visible(text.replaceAll('\t', '    '))], style, paints[sign]),
  );
}

const MARKS = { ' ': ['', ''], '-': ['[-', '-]'], '+': ['{+', '+}'] } as const;

/** The text once, with what went in `[-…-]` and what came in `{+…+}`. */
function wordLines(parts: WordPart[], { columns, theme }: ChangeStyle): string[] {
  const paints = { ' ': (text: string) => text, '-': theme.bad, '+': theme.good };
  const width = Math.min(columns, MAX_LINE_CHARS) - 4;
  const lines: string[] = [];
  let line = '';
  let used = 0;
  const addWord = (text: string, paint: (text: string) => string) => {
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
      for (const piece of wrap(word, width)) addWord(word.trim() === '' ? word : piece, paints[sign]);
  }
  lines.push(line.trimEnd());
  return lines;
}

function bothValues(a: unknown, b: unknown, style: ChangeStyle): string[] {
  const { theme } = style;
  return [
    ...signLines('-', valueLines(a, showIn(theme)), style, theme.bad),
    ...signLines('+', valueLines(b, showIn(theme)), style, theme.good),
  ];
}

function signLines(sign: string, lines: string[], { columns, theme }: ChangeStyle, paint: Theme['good']): string[] {
  const painted = sign === ' ' ? theme.dim : paint;
  return lines.flatMap((line) =>
    wrap(line, columns - 6).map((part, i) => painted(`${i === 0 ? sign : ' '} ${part}`.trimEnd())),
  );
}

/** Content as the terminal shows it, without its colours. */
export const showIn =
  (theme: Theme): ShowBlock =>
  (block) =>
    blockLines(block, theme).map(({ text }) => text);
