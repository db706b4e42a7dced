/** A suite of expected sessions for people: a line for each, and a sum. */

import type { PairResult } from '../../analysis/diff/junit.ts';
import { formatTolerance } from '../../analysis/diff/tolerance.ts';
import { cells, pad, visible } from '../../model/text/text.ts';
import type { DiffStyle } from './diff-entry.ts';
import { diffTotals } from './diff-view.ts';

export function goldenLine(
  { name, diff, trouble }: PairResult,
  accepted: boolean,
  all: readonly { name: string }[],
  { theme }: DiffStyle,
): string {
  const width = all.reduce((most, one) => Math.max(most, Math.min(40, cells(visible(one.name)))), 0);
  const word = diff
    ? diff.same
      ? theme.good('same')
      : theme.bad(diffTotals(diff))
    : theme.warn(visible(trouble ?? ''));
  return `${pad(visible(name), width)}  ${word}${accepted ? '  accepted' : ''}\n`;
}

/** `3 of 4 are the same`, and how times were compared. */
export function goldenSum(results: readonly PairResult[]): string {
  const same = results.filter(({ diff }) => diff?.same).length;
  const tolerance = results.find(({ diff }) => diff?.tolerance)?.diff?.tolerance;
  const times = tolerance ? `; times within ${formatTolerance(tolerance)} count as the same` : '';
  return `${same} of ${results.length} ${results.length === 1 ? 'is' : 'are'} the same${times}\n`;
}
