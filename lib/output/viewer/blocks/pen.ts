/** What everything recorded is drawn with: as text, folded where it is long, and never cut without saying so. */
import { humanBytes, visible } from '../../../model/text/text.ts';
import type { App, Language } from '../app.ts';
import { count } from '../format.ts';
import { type Attributes, append, h } from '../h.ts';
import type { Run } from './ansi.ts';
import { cutRuns } from './cut-runs.ts';

export interface Pen {
  readonly app: App;
  /** On paper: nothing can be pressed, and what is too long ends with a note. */
  readonly isFlat: boolean;
}

const WORDS: Record<Language, FoldWords> = {
  en: {
    more: (lines, size) => `Show ${lines} more lines (${size})`,
    rest: (size) => `Show the rest (${size})`,
    cut: (lines, size) => `… ${lines} more lines (${size}) are in the recording`,
    copy: 'Copy',
  },
  zh: {
    more: (lines, size) => `再显示 ${lines} 行（${size}）`,
    rest: (size) => `显示其余部分（${size}）`,
    cut: (lines, size) => `……录制文件中还有 ${lines} 行（${size}）`,
    copy: '复制',
  },
};

interface FoldWords {
  more(lines: string, size: string): string;
  rest(size: string): string;
  cut(lines: string, size: string): string;
  copy: string;
}

/** Recorded text with its line breaks, in its own direction. */
export function recorded(text: string, more: Attributes = {}): HTMLElement {
  return h('span', { ...more, dir: 'auto' }, visible(text, true));
}

/** A button in recorded content; null on paper. */
export function press(pen: Pen, label: string, action: () => void, more: Attributes = {}): HTMLButtonElement | null {
  if (pen.isFlat) return null;
  const button = h('button', { type: 'button', class: 'block-button', ...more }, label);
  button.addEventListener('click', (event) => {
    event.stopPropagation();
    action();
  });
  return button;
}

export function copyButton(pen: Pen, text: () => string, what: string): HTMLButtonElement | null {
  const { copy } = pen.app.words(WORDS);
  return press(pen, copy, () => pen.app.copy(text(), what), { 'aria-label': `${copy}: ${what}` });
}

/** Once opened, so much is added at a time. */
const STEP_LINES = 2000;

/**
 * Text of which at first `most` lines are shown. A button says how much is left and shows more of it.
 */
export function foldedRuns(pen: Pen, runs: readonly Run[], most: number, more: Attributes = {}): HTMLElement {
  const box = h('div', { class: 'block-text', dir: 'auto', ...more });
  show(pen, box, runs, most);
  return box;
}

export function foldedText(pen: Pen, text: string, most: number, more: Attributes = {}): HTMLElement {
  return foldedRuns(pen, [{ text, style: '' }], most, more);
}

function show(pen: Pen, box: HTMLElement, runs: readonly Run[], most: number): void {
  const words = pen.app.words(WORDS);
  const [head, rest] = cutRuns(runs, most);
  append(
    box,
    head.map(({ text, style }) =>
      style === '' ? visible(text, true) : h('span', { class: style }, visible(text, true)),
    ),
  );
  if (rest.length === 0) return;
  const left = rest.reduce((sum, { text }) => sum + text.length, 0);
  let lines = 1;
  for (const { text } of rest) for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  const number = count(lines, pen.app.state.value.language);
  if (pen.isFlat) {
    box.append(h('p', { class: 'block-cut' }, words.cut(number, humanBytes(left))));
    return;
  }
  const label = lines > 1 ? words.more(number, humanBytes(left)) : words.rest(humanBytes(left));
  const button = press(pen, label, () => {
    button.remove();
    show(pen, box, rest, STEP_LINES);
  })!;
  button.classList.add('block-more');
  box.append(button);
}
