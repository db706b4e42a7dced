/** What of a diff is shown at first: changes with some lines around them, and which words of a line changed. */
import type { NumberedLine } from '../../../analysis/diff/line-diff.ts';
import { wordDiff } from '../../../analysis/diff/word-diff.ts';

export type DiffRange = { is: 'shown' | 'gap'; from: number; to: number };

const CONTEXT = 3;

/** Lines that did not change, further than three lines from any change, are gaps. */
export function partsOf(lines: readonly NumberedLine[]): DiffRange[] {
  const parts: DiffRange[] = [];
  const put = (is: DiffRange['is'], from: number, to: number) => {
    if (to > from) parts.push({ is, from, to });
  };
  let shown = 0;
  for (let i = 0; i < lines.length; ) {
    let end = i;
    while (end < lines.length && lines[end]!.sign === ' ') end++;
    const head = i === 0 ? 0 : i + CONTEXT;
    const tail = end === lines.length ? end : end - CONTEXT;
    // A gap of one line is no shorter than the line.
    if (tail - head > 1) {
      put('shown', shown, head);
      put('gap', head, tail);
      shown = tail;
    }
    i = end;
    while (i < lines.length && lines[i]!.sign !== ' ') i++;
  }
  put('shown', shown, lines.length);
  return parts;
}

export interface MarkedWord {
  /** Whether the word changed, and the word. */
  changed: boolean;
  text: string;
}

/** Lines in a row that went and came are pairs; these are their words. */
const MAX_PAIRS = 60;

/** By index of the line. `deadline`: milliseconds; later pairs have no marks. */
export function wordMarks(
  lines: readonly NumberedLine[],
  now: () => number,
  deadline: number,
): Map<number, MarkedWord[]> {
  const marks = new Map<number, MarkedWord[]>();
  for (let i = 0; i < lines.length && now() < deadline; i++) {
    if (lines[i]!.sign !== '-') continue;
    let middle = i;
    while (lines[middle]?.sign === '-') middle++;
    let end = middle;
    while (lines[end]?.sign === '+') end++;
    const pairs = Math.min(middle - i, end - middle, MAX_PAIRS);
    for (let n = 0; n < pairs && now() < deadline; n++) mark(lines, i + n, middle + n, marks);
    i = Math.max(i, end - 1);
  }
  return marks;
}

function mark(lines: readonly NumberedLine[], a: number, b: number, marks: Map<number, MarkedWord[]>): void {
  const parts = wordDiff(lines[a]!.text, lines[b]!.text);
  if (!parts) return;
  const side = (without: '-' | '+') =>
    parts.filter(({ sign }) => sign !== without).map(({ sign, text }) => ({ changed: sign !== ' ', text }));
  marks.set(a, side('+'));
  marks.set(b, side('-'));
}

/** Lines side by side: an index or -1 for each side. */
export function sidesOf(lines: readonly NumberedLine[], from: number, to: number): [number, number][] {
  const rows: [number, number][] = [];
  for (let i = from; i < to; ) {
    if (lines[i]!.sign === ' ' || lines[i]!.sign === '~') {
      rows.push([i, i]);
      i++;
      continue;
    }
    const gone: number[] = [];
    const come: number[] = [];
    for (; i < to && lines[i]!.sign !== ' ' && lines[i]!.sign !== '~'; i++)
      (lines[i]!.sign === '-' ? gone : come).push(i);
    for (let n = 0; n < Math.max(gone.length, come.length); n++) rows.push([gone[n] ?? -1, come[n] ?? -1]);
  }
  return rows;
}

/** A patch as `diff -u` writes it. */
export function patchText(path: string, lines: readonly NumberedLine[]): string {
  const out = [`--- a/${path}`, `+++ b/${path}`];
  let hunk: NumberedLine[] = [];
  const flush = () => {
    const first = (side: 'a' | 'b') => hunk.find((line) => line[side] !== null)?.[side] ?? 0;
    const count = (side: 'a' | 'b') => hunk.filter((line) => line[side] !== null).length;
    if (hunk.some(({ sign }) => sign === '+' || sign === '-'))
      out.push(
        `@@ -${first('a')},${count('a')} +${first('b')},${count('b')} @@`,
        ...hunk.map(({ sign, text }) => (sign === '~' ? `\\${text}` : `${sign}${text}`)),
      );
    hunk = [];
  };
  for (const { is, from, to } of partsOf(lines)) {
    if (is === 'gap') flush();
    else for (let i = from; i < to; i++) hunk.push(lines[i]!);
  }
  flush();
  return `${out.join('\n')}\n`;
}
