/**
 * The conversation, as a chat: prompts, answers, tool calls as lines that open, who allowed what, and how it ended. Turns are
 * made when they come near the part in sight; of a long session only some are in the page at a time.
 */
import { humanSeconds, visible } from '../../../model/text/text.ts';
import type { App, MakeView, View } from '../app.ts';
import { bodyOf } from '../blocks/body.ts';
import type { Pen } from '../blocks/pen.ts';
import {
  conversationRows,
  indexShowing,
  nearestRow,
  type Section,
  sectionAt,
  sectionsOf,
} from '../conversation/conversation-rows.ts';
import { endingElement } from '../conversation/ending.ts';
import { entryElement } from '../conversation/entry.ts';
import { type AuditByFrame, auditByFrame, loadEntry } from '../conversation/load-entry.ts';
import { TALK_WORDS } from '../conversation/words.ts';
import { count, offset } from '../format.ts';
import { fill, h } from '../h.ts';
import { FOUND, foundRows } from '../timeline/tree.ts';

export const makeConversation: MakeView = (app) => new Conversation(app);

/** Sections in the page at first, how many come at a time, and when those far away go. */
const FIRST_SECTIONS = 30;
const SECTIONS_AT_ONCE = 20;
const MAX_SECTIONS = 160;
/** Pixels of a row that is not there yet. */
const ESTIMATED_ROW_HEIGHT = 44;
const LOAD_MARGIN = '1200px 0px';

class Conversation implements View {
  readonly root: HTMLElement;
  readonly #app: App;
  readonly #pen: Pen;
  readonly #column = h('div', { class: 'talk-column' });
  readonly #near: IntersectionObserver;
  #audit: Promise<AuditByFrame> | null = null;
  #rows: Uint32Array = new Uint32Array(0);
  #found: Uint8Array | null = null;
  #sections: Section[] = [];
  /** Which sections are in the page. */
  #from = 0;
  #to = 0;
  readonly #made = new Map<number, HTMLElement>();
  readonly #filled = new WeakMap<HTMLElement, Promise<void>>();
  #isShown = false;
  #isStale = true;

  constructor(app: App) {
    this.#app = app;
    this.#pen = { app, isFlat: false };
    const words = app.words(TALK_WORDS);
    this.root = h('div', { class: 'talk', tabindex: -1, role: 'region', 'aria-label': words.label }, this.#column);
    this.#near = new IntersectionObserver((entries) => this.#come(entries), {
      root: this.root,
      rootMargin: LOAD_MARGIN,
    });
    this.root.addEventListener('click', (event) => this.#click(event));
    app.state.watch(['hits', 'dim'], () => {
      this.#isStale = true;
      if (this.#isShown) this.#rebuild();
    });
    app.state.watch(['row', 'f'], () => {
      if (this.#isShown) void this.#reveal(false);
    });
  }

  show(): void {
    this.#isShown = true;
    if (this.#isStale) this.#rebuild();
    else void this.#reveal(false);
  }

  hide(): void {
    this.#isShown = false;
  }

  focus(): void {
    const { row } = this.#app.state.value;
    if (row >= 0) void this.#reveal(true);
    else this.#focusEntry(this.#column.querySelector<HTMLElement>('.talk-entry'));
  }

  key(event: KeyboardEvent): boolean {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const at = this.#index();
    const last = this.#rows.length - 1;
    // What is selected may stand between two of the conversation.
    const isBetween = at >= 0 && this.#rows[at]! > this.#app.state.value.row;
    const to = { ArrowDown: isBetween ? at : at + 1, ArrowUp: Math.max(0, at - 1), Home: 0, End: last }[event.key];
    if (to !== undefined) this.#select(Math.min(to, last));
    else if (['Enter', 'ArrowRight', 'ArrowLeft'].includes(event.key)) return this.#open(event.key);
    else return false;
    return true;
  }

  /** Where the selected row is, or would be, among those of the conversation; -1: nothing is selected. */
  #index(): number {
    const { row } = this.#app.state.value;
    if (row < 0 || this.#rows.length === 0) return -1;
    const own = indexShowing(this.#app.source.rows, this.#rows, row);
    return own >= 0 ? own : nearestRow(this.#rows, row);
  }

  #select(index: number): void {
    if (index < 0 || index >= this.#rows.length) return;
    this.#app.select({ row: this.#rows[index]! }, { focus: true });
  }

  #open(key: string): boolean {
    const fold = this.#entry(this.#index())?.querySelector('details');
    if (!fold) return false;
    fold.open = key === 'ArrowRight' ? true : key === 'ArrowLeft' ? false : !fold.open;
    return true;
  }

  #click({ target }: MouseEvent): void {
    if (!(target instanceof Element) || document.getSelection()?.isCollapsed === false) return;
    const entry = target.closest<HTMLElement>('.talk-entry');
    if (!entry || target.closest('button')) return;
    this.#app.select({ row: Number(entry.dataset.row) });
  }

  #rebuild(): void {
    this.#isStale = false;
    const { source } = this.#app;
    const { hits, dim } = this.#app.state.value;
    const words = this.#app.words(TALK_WORDS);
    this.#found = hits ? foundRows(source.rows, source.frames, hits.bytes) : null;
    const isFound = (row: number) => ((this.#found?.[row] ?? 0) & FOUND.self) !== 0;
    this.#rows = conversationRows(source.rows, hits && !dim ? isFound : null);
    this.#sections = sectionsOf(source.rows, this.#rows);
    this.#clear();
    if (this.#sections.length === 0) {
      fill(this.#column, h('p', { class: 'talk-empty' }, hits ? words.noMatch : words.nothing));
      if (!hits) void this.#addEnding();
      return;
    }
    const index = this.#index();
    this.#jumpTo(index < 0 ? 0 : sectionAt(this.#sections, index));
    if (index >= 0) void this.#reveal(false);
  }

  #clear(): void {
    this.#near.disconnect();
    this.#made.clear();
    this.#column.textContent = '';
  }

  /** Shows the sections around one. */
  #jumpTo(section: number): void {
    this.#clear();
    this.#from = Math.max(0, section - Math.floor(FIRST_SECTIONS / 4));
    this.#to = Math.min(this.#sections.length, this.#from + FIRST_SECTIONS);
    this.#lay();
  }

  /** Puts the sections between two buttons that bring more. */
  #lay(): void {
    const words = this.#app.words(TALK_WORDS);
    const number = (n: number) => count(n, this.#app.state.value.language);
    const after = this.#sections.length - this.#to;
    const children: HTMLElement[] = [];
    if (this.#from > 0) children.push(this.#moreButton(words.earlier(number(this.#from)), 'earlier'));
    for (let n = this.#from; n < this.#to; n++) children.push(this.#section(n));
    if (after > 0) children.push(this.#moreButton(words.later(number(after)), 'later'));
    // Elements that stay are not touched, so that scrolling and focus stay too.
    const keep = new Set<Element>(children);
    for (const child of [...this.#column.children]) if (!keep.has(child)) child.remove();
    for (const [i, child] of children.entries())
      if (this.#column.children[i] !== child) this.#column.insertBefore(child, this.#column.children[i] ?? null);
    if (after === 0 && this.#found === null) void this.#addEnding();
  }

  async #addEnding(): Promise<void> {
    const ending = await endingElement(this.#app);
    this.#column.querySelector('.talk-end')?.remove();
    this.#column.append(ending);
  }

  #moreButton(label: string, where: 'earlier' | 'later'): HTMLElement {
    const button = h('button', { type: 'button', class: 'talk-more', 'data-more': where }, label);
    button.addEventListener('click', () => this.#extend(where));
    this.#near.observe(button);
    return button;
  }

  #extend(where: 'earlier' | 'later'): void {
    const { scrollTop, scrollHeight } = this.root;
    if (where === 'earlier') {
      this.#from = Math.max(0, this.#from - SECTIONS_AT_ONCE);
      this.#to = Math.min(this.#to, this.#from + MAX_SECTIONS);
    } else {
      this.#to = Math.min(this.#sections.length, this.#to + SECTIONS_AT_ONCE);
      this.#from = Math.max(this.#from, this.#to - MAX_SECTIONS);
    }
    for (const [n, element] of this.#made)
      if (n < this.#from || n >= this.#to) {
        this.#near.unobserve(element);
        this.#made.delete(n);
      }
    this.#lay();
    // What is read stays where it is.
    if (where === 'earlier') this.root.scrollTop = scrollTop + this.root.scrollHeight - scrollHeight;
  }

  #section(n: number): HTMLElement {
    const known = this.#made.get(n);
    if (known) return known;
    const { from, to, turn } = this.#sections[n]!;
    const section = h('section', { class: 'talk-section', 'data-n': n });
    section.style.containIntrinsicSize = `auto ${(to - from) * ESTIMATED_ROW_HEIGHT + (turn < 0 ? 0 : 40)}px`;
    section.style.minHeight = `${(to - from) * ESTIMATED_ROW_HEIGHT}px`;
    this.#made.set(n, section);
    this.#near.observe(section);
    return section;
  }

  #come(entries: IntersectionObserverEntry[]): void {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting || !(target instanceof HTMLElement)) continue;
      const { more, n } = target.dataset;
      // What was taken out of the page may still be reported.
      if (!target.isConnected) continue;
      if (more) this.#extend(more as 'earlier' | 'later');
      else if (n !== undefined) void this.#fill(target, Number(n));
    }
  }

  /** Makes what is in a section, once. */
  #fill(section: HTMLElement, n: number): Promise<void> {
    const known = this.#filled.get(section);
    if (known) return known;
    const done = this.#make(section, this.#sections[n]!);
    this.#filled.set(section, done);
    return done;
  }

  async #make(section: HTMLElement, { from, to, turn }: Section): Promise<void> {
    const { source } = this.#app;
    const rows = this.#rows;
    this.#audit ??= auditByFrame(source);
    const audit = await this.#audit;
    const { dim } = this.#app.state.value;
    const children: HTMLElement[] = turn < 0 ? [] : [await this.#turnHead(turn)];
    for (let i = from; i < to; i++) {
      const one = await loadEntry(source, rows[i]!, audit);
      // The query has changed.
      if (rows !== this.#rows) return;
      const entry = entryElement(this.#pen, one);
      if (this.#found && dim && (this.#found[rows[i]!]! & FOUND.self) === 0) entry.classList.add('is-dim');
      children.push(entry);
    }
    fill(section, ...children);
    section.style.minHeight = '';
    this.#mark();
  }

  async #turnHead(row: number): Promise<HTMLElement> {
    const { rows } = this.#app.source;
    const body = bodyOf(await this.#app.source.body(row));
    const words = this.#app.words(TALK_WORDS);
    const facts = [
      `+${offset(rows.t[row]!)}`,
      humanSeconds(rows.t_end[row]! - rows.t[row]!),
      visible(body.status ?? ''),
    ];
    return h(
      'h2',
      { class: 'talk-turn', 'data-f': rows.f[row]! },
      h('span', {}, words.turn(rows.turn[row]!)),
      h('span', { class: 'talk-time' }, facts.filter((one) => one !== '').join(' · ')),
    );
  }

  #entry(index: number): HTMLElement | null {
    const row = this.#rows[index];
    return row === undefined ? null : this.#column.querySelector<HTMLElement>(`[data-row="${row}"]`);
  }

  /** The entry that shows what is selected, if the conversation does. */
  #shownEntry(): HTMLElement | null {
    const { row } = this.#app.state.value;
    return row < 0 ? null : this.#entry(indexShowing(this.#app.source.rows, this.#rows, row));
  }

  #mark(): HTMLElement | null {
    const entry = this.#shownEntry();
    for (const one of this.#column.querySelectorAll('.is-selected'))
      if (one !== entry) {
        one.classList.remove('is-selected');
        one.removeAttribute('aria-current');
      }
    entry?.classList.add('is-selected');
    entry?.setAttribute('aria-current', 'true');
    return entry;
  }

  /** Brings the selected row into sight. */
  async #reveal(isFocused: boolean): Promise<void> {
    const index = this.#index();
    if (index < 0) return;
    const section = sectionAt(this.#sections, index);
    if (section < this.#from || section >= this.#to) this.#jumpTo(section);
    const rows = this.#rows;
    await this.#fill(this.#section(section), section);
    if (rows !== this.#rows || index !== this.#index()) return;
    this.#mark();
    const entry = this.#entry(index);
    if (!entry) return;
    const box = this.root.getBoundingClientRect();
    const { top, bottom } = entry.getBoundingClientRect();
    if (top < box.top || bottom > box.bottom)
      entry.scrollIntoView({ block: bottom - top > box.height ? 'start' : 'center' });
    // What is beside it is not selected, and must not look so.
    if (isFocused) this.#focusEntry(this.#shownEntry());
  }

  #focusEntry(entry: HTMLElement | null): void {
    (entry ?? this.root).focus({ preventScroll: true });
  }
}
