/** The recorded bytes as lines to show: indented by tokens, as they were sent, or as a dump. */
import { humanBytes, visible } from '../../../model/text/text.ts';
import { h } from '../h.ts';
import { hexRow, hexText } from './hex.ts';
import { type JSON_WORDS, paintJson } from './json-element.ts';
import { type JsonLines, prettyText } from './json-lines.ts';
import { JsonRows } from './json-rows.ts';
import { piecesOf } from './wrapped.ts';

export interface RawLines {
  readonly count: number;
  paint(element: HTMLElement, index: number): void;
  /** All of it, to copy. */
  text(): string;
  fit(columns: number): void;
  readonly json: JsonRows | null;
}

type JsonWords = (typeof JSON_WORDS)['en'];

export function jsonRaw(lines: JsonLines, columns: number, words: JsonWords): RawLines {
  const rows = new JsonRows(lines, columns);
  return {
    get count() {
      return rows.count;
    },
    json: rows,
    text: () => prettyText(lines),
    fit(next) {
      rows.columns = next;
    },
    paint(element, index) {
      const row = rows.row(index);
      element.setAttribute('role', 'treeitem');
      element.setAttribute('aria-level', String(row.depth + 1));
      if (row.open === null) element.removeAttribute('aria-expanded');
      else element.setAttribute('aria-expanded', String(row.open));
      paintJson(element, row, words, humanBytes, -1);
    },
  };
}

export function textRaw(text: string, columns: number): RawLines {
  let starts = piecesOf(text, 0, text.length, columns, false);
  return {
    get count() {
      return starts.length;
    },
    json: null,
    text: () => text,
    fit(next) {
      starts = piecesOf(text, 0, text.length, next, false);
    },
    paint(element, index) {
      plain(element);
      element.textContent = visible(text.slice(starts[index]!, starts[index + 1] ?? text.length));
    },
  };
}

export function hexRaw(bytes: Uint8Array, columns: number): RawLines {
  let width = hexWidth(columns);
  return {
    get count() {
      return Math.max(1, Math.ceil(bytes.length / width));
    },
    json: null,
    text: () => hexText(bytes),
    fit(next) {
      width = hexWidth(next);
    },
    paint(element, index) {
      plain(element);
      const { offset, hex, text } = hexRow(bytes, index * width, width);
      element.textContent = '';
      element.append(h('span', { class: 'raw-offset' }, offset), `  ${hex}  `, h('span', { class: 'raw-ascii' }, text));
    },
  };
}

/** Offset, digits and characters of so many bytes fit. */
const hexWidth = (columns: number): number => (columns >= 78 ? 16 : columns >= 45 ? 8 : 4);

function plain(element: HTMLElement): void {
  element.setAttribute('role', 'listitem');
  element.removeAttribute('aria-level');
  element.removeAttribute('aria-expanded');
  element.classList.remove('is-inner');
  element.style.paddingInlineStart = '';
}
