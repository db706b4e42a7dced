/** Two texts as the lines that differ, with a little of what is around them. */
import { structuredPatch } from 'diff';

export interface DiffLine {
  sign: '+' | '-' | ' ' | '@';
  text: string;
}

const CONTEXT = 2;
/** Seconds are a long time to wait for the best of all answers; a longer diff is one block out, one block in. */
const PATIENCE_MS = 500;

/** `starts`: at which lines of their file the two texts begin. */
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
