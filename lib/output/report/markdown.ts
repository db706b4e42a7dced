/**
 * Markdown that recorded text cannot break out of: all recorded text is in fences longer than any inside, or in
 * code spans on one line. There, mentions, references, HTML and images are plain text.
 */
import { clip, visible } from '../../model/text/text.ts';

const MIN_TICKS = 4;

/** A block of recorded text, as it was but for line ends and control characters. */
export function fence(text: string, language = 'text'): string {
  const lines = visible(text.replaceAll('\r\n', '\n'), true);
  const ticks = '`'.repeat(Math.max(MIN_TICKS, longestRun(lines) + 1));
  return `${ticks}${language}\n${lines}${lines.endsWith('\n') ? '' : '\n'}${ticks}\n`;
}

/** A few recorded words inside a line or a cell of a table. */
export function code(text: string, width = 80): string {
  const line = clip(visible(text).replace(/\s+/g, ' ').trim(), width).replaceAll('|', '\\|');
  if (line === '') return '';
  const ticks = '`'.repeat(longestRun(line) + 1);
  const pad = /^`|`$/.test(line) ? ' ' : '';
  return `${ticks}${pad}${line}${pad}${ticks}`;
}

/** A part that opens when it is clicked. `summary` is ours, never recorded. */
export function details(summary: string, body: string): string {
  return `<details><summary>${summary}</summary>\n\n${body}\n</details>\n`;
}

/** Cells are Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  return `${line(head)}${line(head.map(() => '---'))}${rows.map(line).join('')}`;
}

function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}
