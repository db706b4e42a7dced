/**
 * Wraps lines to a width in cells: between words if there are spaces, else anywhere (Chinese, paths, base64). Further
 * lines keep the indentation of the first.
 */
import { cells, cellsOf } from '../../model/text/text.ts';
import type { Theme } from './theme.ts';

const COLOUR = /\x1b\[\d+m/g;
const MIN_WIDTH = 16;
const ASCII_ONLY = /^[\x21-\x7e]*$/;
/** Long words are segmented in pieces: segmenting takes time proportional to the whole text. */
const SEGMENT_CHARS = 1024;

/** Wraps one line that is safe to print and has no colours. */
export function wrap(line: string, width: number): string[] {
  if (!Number.isFinite(width) || line.length * 2 <= width) return [line];
  const room = Math.max(MIN_WIDTH, width);
  if (line.length <= 4 * room && cells(line) <= room) return [line];
  const folder = new LineFolder(room, indentOf(line, room));
  for (const word of line.match(/\s+|\S+/g) ?? []) {
    if (word.trim() === '') folder.blank(word);
    else for (const part of parts(word, room - folder.indent.length)) folder.word(part.text, part.size);
  }
  return folder.end();
}

/** A heading that starts with a bold name. Both texts are safe to print. */
export function* heading(name: string, rest: string, columns: number, theme: Theme, indent = ''): Generator<string> {
  const [first = '', ...more] = wrap(`${name} ${rest}`.trimEnd(), columns - indent.length);
  yield `${theme.strong(first.slice(0, name.length))}${first.slice(name.length)}\n`;
  for (const line of more) yield `${indent}${line}\n`;
}

/** Joins parts with a separator, wrapping between parts if possible. */
export function wrapParts(parts: string[], between: string, width: number): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const together = lines.length > 0 ? `${lines.at(-1)}${between}${part}` : part;
    if (lines.length > 0 && cells(together) <= width) lines[lines.length - 1] = together;
    else lines.push(...wrap(part, width));
  }
  return lines;
}

class LineFolder {
  readonly indent: string;
  readonly #room: number;
  readonly #lines: string[] = [];
  #now = '';
  #used = 0;

  constructor(room: number, indent: string) {
    this.#room = room;
    this.indent = indent;
  }

  word(text: string, size: number): void {
    if (this.#used + size > this.#room && this.#now.trim() !== '') this.#next();
    this.#now += text;
    this.#used += size;
  }

  /** Dropped at the end of a line. */
  blank(text: string): void {
    if (this.#used + text.length > this.#room || (this.#lines.length > 0 && this.#now === this.indent)) return;
    this.#now += text;
    this.#used += text.length;
  }

  end(): string[] {
    if (this.#now.trim() !== '' || this.#lines.length === 0) this.#lines.push(this.#now.trimEnd());
    return this.#lines;
  }

  #next(): void {
    this.#lines.push(this.#now.trimEnd());
    this.#now = this.indent;
    this.#used = this.indent.length;
  }
}

/** Spaces as wide as the indentation of the line, including a list or diff marker. */
function indentOf(line: string, room: number): string {
  const [lead] = /^\s*(?:(?:[-*+>$•]|\d+[.)]|\[.\]|\(.\)) )?\s*/.exec(line)!;
  return ' '.repeat(cells(lead) < room / 2 ? cells(lead) : 0);
}

/** Splits a word where a line may break: at wide characters, or if it is longer than a line. */
function* parts(word: string, room: number): Generator<{ text: string; size: number }> {
  if (ASCII_ONLY.test(word)) {
    for (let at = 0; at < word.length; at += room) {
      const text = word.slice(at, at + room);
      yield { text, size: text.length };
    }
    return;
  }
  let text = '';
  let used = 0;
  for (const cluster of clusters(word)) {
    const more = cellsOf(cluster);
    if (used > 0 && (used + more > room || more === 2)) {
      yield { text, size: used };
      text = '';
      used = 0;
    }
    text += cluster;
    used += more;
  }
  yield { text, size: used };
}

let segmenter: Intl.Segmenter | null = null;

function* clusters(word: string): Generator<string> {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  for (let at = 0; at < word.length; ) {
    // Never split a surrogate pair.
    const end = /[\ud800-\udbff]/.test(word[at + SEGMENT_CHARS - 1] ?? '')
      ? at + SEGMENT_CHARS + 1
      : at + SEGMENT_CHARS;
    for (const { segment } of segmenter.segment(word.slice(at, end))) yield segment;
    at = end;
  }
}

/** The width of a painted text. */
export function paintedCells(text: string): number {
  return cells(text.replace(COLOUR, ''));
}
