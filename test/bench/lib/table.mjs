// A table for people: first and last column left, numbers right.
import { cells } from './rows.mjs';

const HEAD = ['what', 'ours', 'baseline', 'ratio', 'target', 'verdict'];
const LEFT = new Set(['what', 'verdict']);

export function table(rows) {
  const lines = [HEAD, ...rows.map(cells)];
  const widths = HEAD.map((_, i) => Math.max(...lines.map((line) => line[i].length)));
  const text = lines.map((line) =>
    line
      .map((cell, i) => (LEFT.has(HEAD[i]) ? cell.padEnd(widths[i]) : cell.padStart(widths[i])))
      .join('  ')
      .trimEnd(),
  );
  text.splice(1, 0, widths.map((width) => '-'.repeat(width)).join('  '));
  return `${text.join('\n')}\n`;
}
