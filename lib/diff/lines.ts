/** Two texts as the lines that differ, with a little of what is around them. */
import { structuredPatch } from 'diff';

export interface DiffLine {
  sign: '+' | '-' | ' ' | '@';
  text: string;
}

const CONTEXT = 2;

export function diffLines(before: string, after: string): DiffLine[] {
  const { hunks } = structuredPatch('', '', before, after, '', '', { context: CONTEXT });
  return hunks.flatMap(({ oldStart, newStart, lines }) => [
    ...(hunks.length > 1 || oldStart > 1 ? [{ sign: '@' as const, text: `line ${newStart || oldStart}` }] : []),
    ...lines
      .filter((line) => !line.startsWith('\\'))
      .map((line) => ({ sign: line[0] as DiffLine['sign'], text: line.slice(1) })),
  ]);
}
