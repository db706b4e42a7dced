/** A line diff of two texts with some context. */
import { structuredPatch } from 'diff';

export interface DiffLine {
  sign: '+' | '-' | ' ' | '@';
  text: string;
}

const CONTEXT = 2;
/** After this time, the diff is simply all old lines and all new lines. */
const PATIENCE_MS = 500;

/** `starts`: the line numbers at which the two texts start in their file. */
export function diffLines(before: string, after: string, starts: [number, number] = [1, 1]): DiffLine[] {
  const patch = structuredPatch('', '', before, after, '', '', { context: CONTEXT, timeout: PATIENCE_MS });
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
