/** A line diff of two texts with some context. */
import { structuredPatch } from 'diff';

export interface DiffLine {
  sign: '+' | '-' | ' ' | '@';
  text: string;
}

const CONTEXT_LINES = 2;
/** After this time, the diff is simply all old lines and all new lines. */
const DIFF_TIMEOUT_MS = 500;

/** `starts`: the line numbers at which the two texts start in their file. */
export function diffLines(before: string, after: string, starts: [number, number] = [1, 1]): DiffLine[] {
  const patch = structuredPatch('', '', before, after, '', '', { context: CONTEXT_LINES, timeout: DIFF_TIMEOUT_MS });
  if (!patch) return [...linesOf('-', before), ...linesOf('+', after)];
  return patch.hunks.flatMap(({ oldStart, newStart, lines }) => {
    const at = newStart > 0 ? newStart + starts[1] - 1 : oldStart + starts[0] - 1;
    return [
      ...(patch.hunks.length > 1 || at > 1 ? [{ sign: '@' as const, text: `line ${at}` }] : []),
      ...lines
        .filter((line) => !line.startsWith('\\'))
        .map((line) => ({ sign: line[0] as DiffLine['sign'], text: line.slice(1).replace(/\r$/, '') })),
    ];
  });
}

function linesOf(sign: '+' | '-', text: string): DiffLine[] {
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => ({ sign, text: line }));
}

/** A line with its numbers in the two files. `~`: a remark that the last line has no line feed. */
export interface NumberedLine {
  sign: '+' | '-' | ' ' | '~';
  a: number | null;
  b: number | null;
  text: string;
}

/** All lines of both texts, changed or not; null if that takes longer than `patience` milliseconds. */
export function numberedLines(
  before: string,
  after: string,
  starts: [number, number],
  { patience, ignoreSpace }: { patience: number; ignoreSpace: boolean },
): NumberedLine[] | null {
  const options = { context: Number.MAX_SAFE_INTEGER, timeout: patience, ignoreWhitespace: ignoreSpace };
  const patch = structuredPatch('', '', before, after, '', '', options);
  if (!patch) return null;
  if (patch.hunks.length === 0) return [...unchangedLines(after, starts)];
  let [a, b] = starts;
  return patch.hunks.flatMap(({ lines }) =>
    lines.map((line): NumberedLine => {
      const text = line.slice(1).replace(/\r$/, '');
      if (line[0] === '-') return { sign: '-', a: a++, b: null, text };
      if (line[0] === '+') return { sign: '+', a: null, b: b++, text };
      return line[0] === ' ' ? { sign: ' ', a: a++, b: b++, text } : { sign: '~', a: null, b: null, text };
    }),
  );
}

function* unchangedLines(text: string, [a, b]: [number, number]): Generator<NumberedLine> {
  let n = 0;
  for (const { text: line } of linesOf('+', text)) {
    yield { sign: ' ', a: a + n, b: b + n, text: line };
    n++;
  }
}
