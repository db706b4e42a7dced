/**
 * Lays out the lines of a tree: frame and time on the left, then text indented by its depth. Our own words continue on the
 * next line if they do not fit, recorded text is wrapped, and long text is limited to a number of lines.
 */
import { cells, clip, pad } from '../../model/text/text.ts';
import type { TerminalLine } from './blocks.ts';
import type { Theme } from './theme.ts';
import { plural } from './words.ts';
import { paintedCells, wrap } from './wrap.ts';

export interface LayoutOptions {
  columns: number;
  theme: Theme;
  /** Do not shorten text. */
  full: boolean;
  /** The largest frame and time in the left columns. */
  last?: FrameTime;
}

interface FrameTime {
  f: number;
  t: number;
}

const INDENT = '  ';
const GAP = '  ';
/** Least widths of the left columns; only very long sessions need more. */
const FRAME_WIDTH = 6;
const TIME_WIDTH = 8;
/** The number of extra lines that a single long line may take. */
const MAX_EXTRA_LINES = 8;

export class TreeLayout {
  readonly #options: LayoutOptions;
  readonly #widths: [frame: number, time: number];

  constructor(options: LayoutOptions) {
    this.#options = options;
    const { f = 0, t = 0 } = options.last ?? {};
    this.#widths = [Math.max(FRAME_WIDTH, `f${f}`.length), Math.max(TIME_WIDTH, t.toFixed(3).length)];
  }

  /** The heading of the left columns. */
  title(): string {
    const [frame, time] = this.#widths;
    return `${this.#options.theme.dim(`${pad('frame', frame)} ${'seconds'.padStart(time)}`)}\n`;
  }

  #left({ f, t }: FrameTime, depth: number): string {
    const [frame, time] = this.#widths;
    return `${pad(`f${f}`, frame)} ${t.toFixed(3).padStart(time)}${GAP}${INDENT.repeat(depth)}`;
  }

  #margin(depth: number): string {
    const [frame, time] = this.#widths;
    return ' '.repeat(frame + 1 + time + GAP.length + INDENT.length * depth);
  }

  /** The width for text at that depth. */
  #room(depth: number): number {
    return this.#options.columns - this.#margin(depth).length;
  }

  /** Painted words, as many per line as fit. Further lines are indented more than the body. */
  *head(span: FrameTime, depth: number, words: string[]): Generator<string> {
    const below = depth + 2;
    const [first = [], ...rest] = rows(words, this.#room(depth), this.#room(below));
    const shown = (row: string[], room: number) => cutPainted(row.join(GAP), room);
    yield `${this.#options.theme.dim(this.#left(span, depth))}${shown(first, this.#room(depth))}\n`;
    for (const row of rest) yield `${this.#margin(below)}${shown(row, this.#room(below))}\n`;
  }

  /** A single line goes beside the words if it fits; otherwise all lines go below. */
  *headed(span: FrameTime, depth: number, words: string[], lines: TerminalLine[], limit: number): Generator<string> {
    const [first, ...rest] = lines;
    const used = words.reduce((sum, word) => sum + paintedCells(word) + GAP.length, 0);
    const fits = first !== undefined && rest.length === 0 && isWithin(first.text, this.#room(depth) - used);
    const text = fits ? first.text.trimEnd() : '';
    yield* this.head(span, depth, text === '' ? words : [...words, first!.paint?.(text) ?? text]);
    if (!fits) yield* this.body(lines, depth + 1, limit);
  }

  /** Joins short texts into one line if they fit at that depth. */
  joinShortTexts(texts: string[], depth: number): TerminalLine[] {
    const all = texts.join(GAP);
    if (all === '') return [];
    return isWithin(all, this.#room(depth)) ? [{ text: all }] : texts.map((text) => ({ text }));
  }

  /** Lines with the frame and the time beside the first. */
  beside(span: FrameTime, depth: number, lines: TerminalLine[], limit: number): Generator<string> {
    return this.#linesAfter(this.#left(span, depth), lines, depth, limit);
  }

  body(lines: TerminalLine[], depth: number, limit: number): Generator<string> {
    return this.#linesAfter(this.#margin(depth), lines, depth, limit);
  }

  /** Lines after a margin; the first one after `left`. */
  *#linesAfter(left: string, lines: TerminalLine[], depth: number, limit: number): Generator<string> {
    const { columns, theme, full } = this.#options;
    const margin = this.#margin(depth);
    const maxChars = full ? Number.POSITIVE_INFINITY : (limit + MAX_EXTRA_LINES + 1) * columns;
    let count = 0;
    let before = left;
    for (const [at, { text, paint }] of lines.entries()) {
      // Wrap only what is shown of a very long line.
      for (const part of wrap(text.slice(0, maxChars), columns - margin.length)) {
        if (!full && count >= limit && lines.length - at > 1) {
          return void (yield `${margin}${theme.dim(`… ${plural(lines.length - at, 'more line')} (--full)`)}\n`);
        }
        if (!full && count >= limit + MAX_EXTRA_LINES) return void (yield `${margin}${theme.dim('… (--full)')}\n`);
        const lead = before.trim() === '' ? before : theme.dim(before);
        const said = part.trimEnd();
        yield `${said === '' ? lead.trimEnd() : `${lead}${paint?.(said) ?? said}`}\n`;
        before = margin;
        count++;
      }
    }
  }
}

/** Long texts do not fit, and measuring them would be slow. */
function isWithin(text: string, room: number): boolean {
  return room === Number.POSITIVE_INFINITY || (text.length <= 8 * Math.max(1, room) && cells(text) <= room);
}

/** Fills lines greedily. A word that is too long gets its own line. */
function rows(words: string[], room: number, below: number): string[][] {
  const out: string[][] = [[]];
  let used = 0;
  for (const word of words) {
    const size = paintedCells(word);
    if (used > 0 && used + GAP.length + size > (out.length === 1 ? room : below)) {
      out.push([]);
      used = 0;
    }
    out.at(-1)!.push(word);
    used += (used > 0 ? GAP.length : 0) + size;
  }
  return out;
}

const COLOUR = /(\x1b\[\d+m)/;

/** Cuts painted words to the width. Colour codes take no space, and none are removed. */
function cutPainted(text: string, width: number): string {
  if (!Number.isFinite(width)) return text;
  let left = Math.max(8, width);
  let out = '';
  for (const part of text.split(COLOUR)) {
    if (part.startsWith('\x1b[')) out += part;
    else if (left > 0) {
      const shown = clip(part, left);
      out += shown;
      left = shown === part ? left - cells(part) : 0;
    }
  }
  return out;
}
