/**
 * CSV as RFC 4180 defines it. Recorded text is hostile: a cell that a spreadsheet would run as a formula gets a leading
 * apostrophe, and control characters are made visible.
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

/** Spreadsheets skip leading spaces and accept the full-width signs of Chinese and Japanese keyboards. */
function harmless(text: string): string {
  return /^\s*[=+\-@＝＋－＠]|^[\t\n]/.test(text) ? `'${text}` : text;
}
