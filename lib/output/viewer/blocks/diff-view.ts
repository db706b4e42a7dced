/** A change of a file: what went and what came, with line numbers, the words that changed, and gaps that open. */

import { type NumberedLine, numberedLines } from '../../../analysis/diff/line-diff.ts';
import type { Block } from '../../../model/event.ts';
import { humanBytes, visible } from '../../../model/text/text.ts';
import type { Language } from '../app.ts';
import { menuButton } from '../detail/menu.ts';
import { count } from '../format.ts';
import { fill, h } from '../h.ts';
import { type DiffRange, type MarkedWord, partsOf, patchText, sidesOf, wordMarks } from './diff-parts.ts';
import { foldedText, type Pen, press, recorded } from './pen.ts';

const WORDS: Record<Language, PatchWords> = {
  en: {
    gap: (n) => `${n} unchanged lines`,
    rest: (lines, size) => `Render the rest (${lines} lines, ${size})`,
    cut: (lines, size) => `… ${lines} more lines (${size}) are in the recording`,
    split: 'Side by side',
    unified: 'Unified',
    space: 'Ignore white space',
    patch: 'Patch',
    after: 'New text',
    before: 'Old text',
    copy: 'Copy',
    slow: 'These texts take too long to compare: old and new are shown as they are',
    anyway: 'Compare anyway',
    old: 'Old',
    new: 'New',
    same: 'No difference',
    diff: 'Change',
    counts: (added, removed) => `${added} lines added, ${removed} removed`,
    summary: 'The texts only describe the change',
  },
  zh: {
    gap: (n) => `${n} 行未变`,
    rest: (lines, size) => `显示其余部分（${lines} 行，${size}）`,
    cut: (lines, size) => `……录制文件中还有 ${lines} 行（${size}）`,
    split: '并排',
    unified: '合并',
    space: '忽略空白',
    patch: '补丁',
    after: '新文本',
    before: '旧文本',
    copy: '复制',
    slow: '比较耗时过长：直接显示新旧文本',
    anyway: '仍要比较',
    old: '旧',
    new: '新',
    same: '没有差异',
    diff: '改动',
    counts: (added, removed) => `新增 ${added} 行，删除 ${removed} 行`,
    summary: '文本仅为改动的描述',
  },
};

interface PatchWords {
  gap(n: string): string;
  rest(lines: string, size: string): string;
  cut(lines: string, size: string): string;
  split: string;
  unified: string;
  space: string;
  patch: string;
  after: string;
  before: string;
  copy: string;
  slow: string;
  anyway: string;
  old: string;
  new: string;
  same: string;
  diff: string;
  counts(added: number, removed: number): string;
  summary: string;
}

const COMPARE_MS = 50;
const MAX_COMPARE_MS = 10_000;
const MAX_LINES = 400;
const MAX_CHARS = 20_000;
/** Pixels from which there is room for two texts. */
const WIDE = 1100;

export function patchView(pen: Pen, block: Block & { type: 'diff' }): HTMLElement {
  return new PatchView(pen, block).root;
}

class PatchView {
  readonly root: HTMLElement;
  readonly #pen: Pen;
  readonly #block: Block & { type: 'diff' };
  readonly #words: PatchWords;
  readonly #body = h('div', { class: 'patch-body' });
  readonly #counts = h('span', { class: 'patch-counts' });
  readonly #splitButton: HTMLButtonElement | null;
  #lines: NumberedLine[] | null = null;
  #marks = new Map<number, MarkedWord[]>();
  /** Gaps that were opened, by their first line. */
  readonly #opened = new Set<number>();
  #ignoreSpace = false;
  #isSplit = false;
  /** The reader has chosen. */
  #isChosen = false;
  #isAll = false;
  #patience = COMPARE_MS;

  constructor(pen: Pen, block: Block & { type: 'diff' }) {
    this.#pen = pen;
    this.#block = block;
    this.#words = pen.app.words(WORDS);
    const { path, before, after } = block;
    this.#splitButton = press(pen, this.#words.split, () => this.#choose(), { 'aria-pressed': 'false' });
    const space = press(pen, this.#words.space, () => this.#toggleSpace(space!), { 'aria-pressed': 'false' });
    const tools = h('span', { class: 'patch-tools' }, this.#splitButton, space, pen.isFlat ? null : this.#copyMenu());
    const caption = h(
      'figcaption',
      {},
      recorded(path, { class: 'patch-path' }),
      this.#counts,
      block.summary || pen.isFlat ? null : tools,
    );
    this.root = h(
      'figure',
      { class: 'patch', 'aria-label': `${this.#words.diff}: ${visible(path)}` },
      caption,
      this.#body,
    );
    if (block.summary) {
      this.#asTheyAre(before, after, this.#words.summary);
      return;
    }
    this.#compare();
    if (!pen.isFlat) this.#watchWidth();
  }

  #copyMenu(): HTMLElement {
    const { path, before, after } = this.#block;
    const words = this.#words;
    const copy = (text: string, what: string) => ({ label: what, run: () => this.#pen.app.copy(text, what) });
    return menuButton(words.copy, () => [
      copy(patchText(path, this.#lines ?? []), words.patch),
      copy(after, words.after),
      copy(before, words.before),
    ]);
  }

  #compare(): void {
    const { before, after, lines = [1, 1] } = this.#block;
    this.#lines = numberedLines(before, after, lines, { patience: this.#patience, ignoreSpace: this.#ignoreSpace });
    if (!this.#lines) return this.#asTheyAre(before, after, this.#words.slow, this.#longer());
    this.#marks = wordMarks(this.#lines, () => performance.now(), performance.now() + COMPARE_MS);
    const added = this.#lines.filter(({ sign }) => sign === '+').length;
    const removed = this.#lines.filter(({ sign }) => sign === '-').length;
    this.#counts.setAttribute('aria-label', this.#words.counts(added, removed));
    fill(
      this.#counts,
      h('span', { class: 'patch-added' }, `+${added}`),
      ' ',
      h('span', { class: 'patch-removed' }, `−${removed}`),
    );
    this.#draw();
  }

  /** Two texts that are not compared. */
  #asTheyAre(before: string, after: string, why: string, more: HTMLElement | null = null): void {
    const side = (name: string, text: string, sign: string) =>
      text === ''
        ? null
        : h(
            'div',
            { class: `patch-side is-${sign}` },
            h('span', { class: 'patch-name' }, name),
            foldedText(this.#pen, text, 40, { class: 'block-text block-mono' }),
          );
    fill(
      this.#body,
      h('p', { class: 'patch-note' }, why, ' ', more),
      side(this.#words.old, before, 'removed'),
      side(this.#words.new, after, 'added'),
    );
  }

  /** Compares however long it takes, within reason. */
  #longer(): HTMLElement | null {
    if (this.#patience > COMPARE_MS) return null;
    return press(this.#pen, this.#words.anyway, () => {
      this.#patience = MAX_COMPARE_MS;
      this.#compare();
    });
  }

  #choose(): void {
    this.#isChosen = true;
    this.#setSplit(!this.#isSplit);
  }

  #setSplit(isSplit: boolean): void {
    if (isSplit === this.#isSplit) return;
    this.#isSplit = isSplit;
    this.#splitButton?.setAttribute('aria-pressed', String(isSplit));
    this.#draw();
  }

  #toggleSpace(button: HTMLElement): void {
    this.#ignoreSpace = !this.#ignoreSpace;
    button.setAttribute('aria-pressed', String(this.#ignoreSpace));
    this.#opened.clear();
    this.#compare();
  }

  #watchWidth(): void {
    new ResizeObserver(([entry]) => {
      if (!this.#isChosen && entry) this.#setSplit(entry.contentRect.width >= WIDE);
    }).observe(this.root);
  }

  #draw(): void {
    const lines = this.#lines;
    if (!lines) return;
    const rows: HTMLElement[] = [];
    const budget = { lines: 0, characters: 0 };
    const parts = partsOf(lines);
    let end: { part: DiffRange; at: number } | null = null;
    for (const part of parts) {
      if (part.is === 'gap' && !this.#opened.has(part.from)) {
        rows.push(this.#gap(part));
        continue;
      }
      const stop = this.#isAll ? part.to : within(lines, part, budget);
      rows.push(...(this.#isSplit ? this.#splitRows(part.from, stop) : this.#rows(part.from, stop)));
      if (stop < part.to) {
        end = { part, at: stop };
        break;
      }
    }
    if (lines.length === 0 || lines.every(({ sign }) => sign === ' '))
      rows.unshift(h('tr', {}, h('td', { class: 'patch-note', colspan: 4 }, this.#words.same)));
    if (end) rows.push(this.#rest(end.at));
    const table = h('table', { class: this.#isSplit ? 'patch-split' : 'patch-unified' }, h('tbody', {}, ...rows));
    fill(this.#body, table);
  }

  #gap(part: DiffRange): HTMLElement {
    const label = `⋯ ${this.#words.gap(this.#count(part.to - part.from))}`;
    const button = press(this.#pen, label, () => {
      this.#opened.add(part.from);
      this.#draw();
    });
    return h('tr', { class: 'patch-gap' }, h('td', { colspan: 4 }, button ?? label));
  }

  #rest(at: number): HTMLElement {
    const rest = this.#lines!.slice(at);
    const size = humanBytes(rest.reduce((sum, { text }) => sum + text.length + 1, 0));
    const lines = this.#count(rest.length);
    const button = press(this.#pen, this.#words.rest(lines, size), () => {
      this.#isAll = true;
      this.#draw();
    });
    return h('tr', { class: 'patch-gap' }, h('td', { colspan: 4 }, button ?? this.#words.cut(lines, size)));
  }

  #count(n: number): string {
    return count(n, this.#pen.app.state.value.language);
  }

  #rows(from: number, to: number): HTMLElement[] {
    const rows: HTMLElement[] = [];
    for (let i = from; i < to; i++) {
      const { sign, a, b } = this.#lines![i]!;
      rows.push(
        h('tr', { class: `patch-line ${CLASS[sign]}` }, numberCell(a), numberCell(b), signCell(sign), this.#text(i)),
      );
    }
    return rows;
  }

  #splitRows(from: number, to: number): HTMLElement[] {
    return sidesOf(this.#lines!, from, to).map(([left, right]) => {
      const side = (i: number, which: 'a' | 'b') => {
        const line = this.#lines![i];
        if (!line) return [h('td', { class: 'patch-n' }), h('td', { class: 'patch-none' })];
        const text = this.#text(i);
        text.classList.add(CLASS[line.sign]);
        return [numberCell(line[which]), text];
      };
      return h('tr', { class: 'patch-line' }, ...side(left, 'a'), ...side(right, 'b'));
    });
  }

  #text(i: number): HTMLElement {
    const { text } = this.#lines![i]!;
    const words = this.#marks.get(i);
    const cell = h('td', { class: 'patch-t', dir: 'auto' });
    if (!words) cell.textContent = visible(text, true);
    else
      for (const word of words)
        cell.append(word.changed ? h('mark', {}, visible(word.text, true)) : visible(word.text, true));
    return cell;
  }
}

const CLASS = { '+': 'is-added', '-': 'is-removed', ' ': 'is-same', '~': 'is-remark' };

const numberCell = (n: number | null): HTMLElement => h('td', { class: 'patch-n' }, n);
const signCell = (sign: NumberedLine['sign']): HTMLElement =>
  h('td', { class: 'patch-s' }, sign === '~' || sign === ' ' ? '' : sign === '-' ? '−' : '+');

/** Up to which line there is room. */
function within(
  lines: readonly NumberedLine[],
  { from, to }: DiffRange,
  budget: { lines: number; characters: number },
): number {
  for (let i = from; i < to; i++) {
    budget.lines++;
    budget.characters += lines[i]!.text.length;
    if (budget.lines > MAX_LINES || budget.characters > MAX_CHARS) return i;
  }
  return to;
}
