/** The raw pane: what crossed the pipe, to the byte. Only the lines in sight are elements. */
import { sizeOf } from '../../../model/frame.ts';
import { textOf } from '../../../model/message.ts';
import { humanBytes, visible } from '../../../model/text/text.ts';
import type { App } from '../app.ts';
import { fill, h } from '../h.ts';
import type { SourceLine } from '../source.ts';
import { VirtualList } from '../virtual.ts';
import { JSON_WORDS } from './json-element.ts';
import { jsonLines } from './json-lines.ts';
import { hexRaw, jsonRaw, type RawLines, textRaw } from './raw-lines.ts';
import { firstInvalid } from './utf8.ts';
import { DETAIL_WORDS } from './words.ts';

export const MODES = ['pretty', 'sent', 'hex', 'tape'] as const;
type Mode = (typeof MODES)[number];

/** Longer lines begin with a part; the rest is shown if asked for. */
const MAX_WHOLE_LINE_BYTES = 256 * 1024;
const FIRST_PART_BYTES = 64 * 1024;
const ROW = 20;

export class Raw {
  readonly root: HTMLElement;
  readonly #app: App;
  readonly #bar = h('div', { class: 'raw-bar' });
  readonly #notes = h('div', { class: 'raw-notes' });
  readonly #list: VirtualList;
  #line: SourceLine | null = null;
  #lines: RawLines | null = null;
  #mode: Mode = 'pretty';
  /** What the reader chose stays until a frame cannot be shown that way. */
  #wanted: Mode = 'pretty';
  #isAll = false;
  #at = 0;
  #columns = 80;

  constructor(app: App) {
    this.#app = app;
    this.#list = new VirtualList({
      attributes: { class: 'raw-list', dir: 'ltr' },
      rowHeight: ROW,
      make: () => h('div', { class: 'raw-row', tabindex: -1 }),
      paint: (element, index) => this.#paint(element, index),
      focused: () => this.#at,
    });
    this.#list.root.addEventListener('click', (event) => this.#click(event));
    this.#list.root.addEventListener('keydown', (event) => {
      if (!this.#key(event)) return;
      event.preventDefault();
      event.stopPropagation();
    });
    new ResizeObserver(() => this.#fit()).observe(this.#list.root);
    this.root = h('div', { class: 'raw' }, this.#bar, this.#notes, this.#list.root);
  }

  show(line: SourceLine): void {
    if (line.frame.f !== this.#line?.frame.f) this.#isAll = false;
    this.#line = line;
    this.#at = 0;
    this.#mode = this.#possible(this.#wanted) ? this.#wanted : this.#default();
    this.#make();
  }

  focus(): void {
    if (this.#lines) this.#list.focus(this.#at);
  }

  /** Of the selected line of JSON; null if there is none. */
  get path(): string | null {
    return this.#lines?.json?.path(this.#at) ?? null;
  }

  get value(): string | null {
    return this.#lines?.json?.value(this.#at) ?? null;
  }

  #possible(mode: Mode): boolean {
    const { frame } = this.#line!;
    if (mode === 'tape') return true;
    if (frame.form === 'event') return false;
    return mode === 'hex' || textOf(this.#bytes('sent')) !== null || this.#isPart;
  }

  #default(): Mode {
    return this.#line!.frame.form === 'event' ? 'tape' : 'hex';
  }

  /** Only the first part is shown. */
  get #isPart(): boolean {
    return !this.#isAll && this.#size > MAX_WHOLE_LINE_BYTES;
  }

  get #size(): number {
    return this.#mode === 'tape' ? this.#line!.bytes.length : this.#line!.frame.raw.length;
  }

  #bytes(mode: Mode): Uint8Array {
    const all = mode === 'tape' ? this.#line!.bytes : this.#line!.frame.raw;
    return !this.#isAll && all.length > MAX_WHOLE_LINE_BYTES ? all.subarray(0, FIRST_PART_BYTES) : all;
  }

  #make(): void {
    const bytes = this.#bytes(this.#mode);
    // The last character of a part may be half.
    const text = this.#mode === 'hex' ? null : new TextDecoder().decode(bytes, { stream: this.#isPart });
    this.#columns = this.#measured();
    const json = text !== null && this.#mode !== 'sent' ? jsonLines(text, this.#isPart) : null;
    const words = this.#app.words(JSON_WORDS);
    this.#lines =
      text === null
        ? hexRaw(bytes, this.#columns)
        : json
          ? jsonRaw(json, this.#columns, words)
          : textRaw(text, this.#columns);
    this.#list.root.setAttribute('role', this.#lines.json ? 'tree' : 'list');
    this.#list.root.setAttribute('aria-label', this.#app.words(DETAIL_WORDS).modes[this.#mode]);
    this.#list.root.scrollTop = 0;
    this.#drawBar();
    this.#drawNotes();
    this.#list.refresh(this.#lines.count);
  }

  #drawBar(): void {
    const words = this.#app.words(DETAIL_WORDS);
    const modes = MODES.map((mode) => {
      const isOn = mode === this.#mode;
      const button = h(
        'button',
        { type: 'button', class: 'detail-button', 'aria-pressed': String(isOn), disabled: !this.#possible(mode) },
        words.modes[mode],
      );
      button.addEventListener('click', () => this.#choose(mode));
      return button;
    });
    const fold = (label: string, depth: number | null) => {
      const button = h('button', { type: 'button', class: 'detail-button' }, label);
      button.addEventListener('click', () => this.#foldAll(depth));
      return button;
    };
    const copy = h('button', { type: 'button', class: 'detail-button' }, words.copy);
    copy.addEventListener('click', () => this.#copy());
    fill(
      this.#bar,
      h('div', { class: 'detail-group', role: 'group', 'aria-label': words.modeLabel }, ...modes),
      this.#lines?.json
        ? h('div', { class: 'detail-group' }, fold(words.foldAll, 1), fold(words.unfoldAll, null))
        : null,
      copy,
    );
  }

  #copy(): void {
    const { copied } = this.#app.words(DETAIL_WORDS);
    const what = { pretty: copied.pretty, sent: copied.json, hex: copied.hex, tape: copied.pretty }[this.#mode];
    this.#app.copy(this.#lines!.text(), what);
  }

  #choose(mode: Mode): void {
    this.#wanted = mode;
    this.#mode = mode;
    this.#at = 0;
    this.#make();
    // The button that was pressed is a new one.
    this.#bar.querySelector<HTMLElement>('[aria-pressed=true]')?.focus();
  }

  #drawNotes(): void {
    const words = this.#app.words(DETAIL_WORDS);
    const { frame } = this.#line!;
    const notes: (string | HTMLElement)[] = [];
    const note = (text: string) => notes.push(h('p', {}, text));
    if (frame.form === 'event') note(words.noLine);
    if (frame.head) notes.push(h('p', {}, `${words.head}: `, h('code', {}, visible(frame.head))));
    const invalid = frame.form === 'bytes' ? firstInvalid(frame.raw.subarray(0, MAX_WHOLE_LINE_BYTES)) : -1;
    if (invalid >= 0) note(words.notUtf8(invalid));
    if (frame.form !== 'event' && frame.eol === '' && !frame.head) note(words.noEol);
    if (frame.cut) note(words.cutLine(humanBytes(sizeOf(frame) - frame.raw.length)));
    if (this.#isPart) {
      const all = h('button', { type: 'button', class: 'detail-button' }, words.showAll(humanBytes(this.#size)));
      all.addEventListener('click', () => {
        this.#isAll = true;
        this.#make();
        this.focus();
      });
      notes.push(h('p', {}, words.onlyFirst(humanBytes(FIRST_PART_BYTES)), ' ', all));
    }
    fill(this.#notes, ...notes);
  }

  #foldAll(depth: number | null): void {
    this.#lines?.json?.foldAll(depth);
    this.#at = 0;
    this.#list.refresh(this.#lines?.count ?? 0);
  }

  #paint(element: HTMLElement, index: number): void {
    this.#lines?.paint(element, index);
    element.dataset.i = String(index);
    element.tabIndex = index === this.#at ? 0 : -1;
    element.classList.toggle('is-at', index === this.#at);
  }

  #click({ target }: MouseEvent): void {
    const row = target instanceof Element ? target.closest<HTMLElement>('.raw-row') : null;
    if (!row) return;
    this.#move(Number(row.dataset.i));
    const what = (target as Element).closest<HTMLElement>('[data-do]')?.dataset.do;
    if (what) this.#toggle(what as 'fold' | 'string' | 'inner');
  }

  #toggle(what: 'fold' | 'string' | 'inner'): void {
    this.#lines?.json?.toggle(this.#at, what);
    this.#list.refresh(this.#lines?.count ?? 0);
    this.#list.focus(Math.min(this.#at, (this.#lines?.count ?? 1) - 1));
  }

  #move(to: number): void {
    this.#at = Math.max(0, Math.min(to, (this.#lines?.count ?? 1) - 1));
    this.#list.repaint();
    this.#list.focus(this.#at);
  }

  #key({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
    if (ctrlKey || metaKey || altKey || !this.#lines) return false;
    const page = Math.max(1, this.#list.range[1] - this.#list.range[0] - 2);
    const last = this.#lines.count - 1;
    const steps: Record<string, number> = {
      ...{ ArrowDown: this.#at + 1, j: this.#at + 1, ArrowUp: this.#at - 1, k: this.#at - 1 },
      ...{ PageDown: this.#at + page, PageUp: this.#at - page, Home: 0, End: last },
    };
    const to = steps[key];
    if (to !== undefined) this.#move(to);
    else if (['ArrowRight', 'ArrowLeft', 'Enter', ' ', 'l', 'h'].includes(key)) this.#open(key);
    else return false;
    return true;
  }

  #open(key: string): void {
    const row = this.#lines?.json?.row(this.#at);
    if (!row) return;
    const wants = key === 'ArrowRight' || key === 'l' ? true : key === 'ArrowLeft' || key === 'h' ? false : null;
    if (row.open !== null && (wants === null || wants !== row.open)) this.#toggle('fold');
    else if (row.unwrapped !== null && (wants === null || wants !== row.unwrapped)) this.#toggle('inner');
    else if (row.more > 0 && wants !== false) this.#toggle('string');
    else if (row.isOpenString && wants !== true) this.#toggle('string');
  }

  #fit(): void {
    const columns = this.#measured();
    if (columns === this.#columns || !this.#lines) return;
    this.#columns = columns;
    this.#lines.fit(columns);
    this.#list.refresh(this.#lines.count);
  }

  /** How many characters fit in a line. */
  #measured(): number {
    const { clientWidth } = this.#list.root;
    if (clientWidth === 0) return this.#columns;
    const probe = h('span', { class: 'raw-probe' }, 'M'.repeat(50));
    this.#list.root.append(probe);
    const width = probe.getBoundingClientRect().width / 50;
    probe.remove();
    return width > 0 ? Math.max(20, Math.floor((clientWidth - 24) / width)) : this.#columns;
  }
}
