/** Unified diffs, as agents write changes of files. */
import type { Block } from '../../model/event.ts';
import { diffOf } from './content.ts';

/** A block for each part of the diff of one file; one with the whole text if it is no unified diff. */
export function patchBlocks(path: unknown, text: string): Block[] {
  const hunks = hunksOf(text);
  if (hunks.length === 0) return [diffOf(path, '', text)];
  return hunks.map(({ before, after, lines }) => ({ ...diffOf(path, before, after), lines }));
}

/** The diff of each file in a patch as Git writes it. */
export function filesOfPatch(text: string): string[] {
  return text.split(/^(?=diff --git )/m).filter((part) => part.startsWith('diff --git '));
}

interface Hunk {
  before: string;
  after: string;
  lines: [number, number];
}

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/** The parts of a unified diff; none if it is not one. */
function hunksOf(diff: string): Hunk[] {
  const hunks: Hunk[] = [];
  for (const line of diff.split('\n')) {
    const head = HUNK.exec(line);
    if (head) hunks.push({ before: '', after: '', lines: [Number(head[1]), Number(head[2])] });
    const hunk = hunks.at(-1);
    if (head || !hunk) continue;
    const text = `${line.slice(1)}\n`;
    if (line.startsWith(' ') || line.startsWith('-')) hunk.before += text;
    if (line.startsWith(' ') || line.startsWith('+')) hunk.after += text;
  }
  return hunks;
}
