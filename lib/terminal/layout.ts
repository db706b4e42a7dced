/**
 * Lines of a tree: frame and time on the left, then what is indented by its depth. Words of ours are cut to the width
 * where they must be, recorded text is folded, and of long text as many lines are shown as the caller wants.
 */
import { cells, clip, pad } from '../core/text.ts';
import type { Line } from './blocks.ts';
import type { Theme } from './theme.ts';
import { plural } from './words.ts';
import { paintedCells, wrap } from './wrap.ts';

export interface LayoutOptions {
  columns: number;
  theme: Theme;
  /** Every line of every text. */
  full: boolean;
}

interface At {
  f: number;
  t: number;
}

const INDENT = '  ';
const MARGIN = 17;
/** One line may take so many more than was wanted of all. */
const MORE = 8;

export class Layout {
  readonly #options: LayoutOptions;

  constructor(options: LayoutOptions) {
    this.#options = options;
  }

  #left({ f, t }: At, depth: number): string {
    return `${pad(`f${f}`, 6)} ${t.toFixed(3).padStart(8)}  ${INDENT.repeat(depth)}`;
  }

  head(span: At, depth: number, words: string): string {
    const left = this.#left(span, depth);
    return `${this.#options.theme.dim(left)}${fitted(words, this.#options.columns - cells(left))}\n`;
  }

  /** The first line beside the words where it is the only one and fits, all of them below where not. */
  *headed(span: At, depth: number, words: string, lines: Line[], most: number): Generator<string> {
    const { columns } = this.#options;
    const [first, ...rest] = lines;
    const room = columns - MARGIN - INDENT.length * depth - paintedCells(words) - 2;
    const fits = first !== undefined && isWithin(first.text, room);
    const beside = fits ? `  ${first.paint?.(first.text) ?? first.text}` : '';
    yield this.head(span, depth, `${words}${beside}`);
    yield* this.body(fits ? rest : lines, depth + 1, most);
  }

  /** Lines of which the first stands beside the frame and the time. */
  beside(span: At, depth: number, lines: Line[], most: number): Generator<string> {
    return this.#hung(this.#left(span, depth), lines, depth, most);
  }

  body(lines: Line[], depth: number, most: number): Generator<string> {
    return this.#hung(' '.repeat(MARGIN + INDENT.length * depth), lines, depth, most);
  }

  /** Lines behind a margin, the first of them behind `left`. */
  *#hung(left: string, lines: Line[], depth: number, most: number): Generator<string> {
    const { columns, theme, full } = this.#options;
    const margin = ' '.repeat(MARGIN + INDENT.length * depth);
    const longest = full ? Number.POSITIVE_INFINITY : (most + MORE + 1) * columns;
    let count = 0;
    let before = left;
    for (const [at, { text, paint }] of lines.entries()) {
      // Of a line of a megabyte only what is shown is folded.
      for (const part of wrap(text.slice(0, longest), columns - margin.length)) {
        if (!full && count >= most && lines.length - at > 1) {
          return void (yield `${margin}${theme.dim(`… ${plural(lines.length - at, 'more line')} (--full)`)}\n`);
        }
        if (!full && count >= most + MORE) return void (yield `${margin}${theme.dim('… (--full)')}\n`);
        const lead = before.trim() === '' ? before : theme.dim(before);
        const said = part.trimEnd();
        yield `${said === '' ? lead.trimEnd() : `${lead}${paint?.(said) ?? said}`}\n`;
        before = margin;
        count++;
      }
    }
  }
}

/** Long texts are not measured: that takes long, and they do not fit. */
function isWithin(text: string, room: number): boolean {
  return room === Number.POSITIVE_INFINITY || (text.length <= 8 * Math.max(1, room) && cells(text) <= room);
}

const COLOUR = /(\x1b\[\d+m)/;

/** Words of ours cut to the width, cell by cell; the colours take none of it, and all of them are ended. */
function fitted(text: string, width: number): string {
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
