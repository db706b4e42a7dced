/**
 * Lines of a table for spreadsheets, by RFC 4180. Recorded text is hostile here too: a cell that a spreadsheet would take
 * for a formula gets an apostrophe in front, and control characters are made visible.
 */
import { visible } from './text.ts';

export type CsvCell = string | number | null;

export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const safe = harmless(visible(cell, true));
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Blanks before the sign do not save anybody; neither do the wide forms of Chinese and Japanese keyboards. */
function harmless(text: string): string {
  return /^\s*[=+\-@＝＋－＠]|^[\t\n]/.test(text) ? `'${text}` : text;
}
