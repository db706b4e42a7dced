/** Two sessions beside each other: what differs, section by section, with the conversation aligned by meaning. */

import type { DiffEntry, SessionDiff } from '../../../analysis/diff/result.ts';
import { formatTolerance } from '../../../analysis/diff/tolerance.ts';
import { visible } from '../../../model/text/text.ts';
import type { App, View } from '../app.ts';
import { entryOf } from '../diff/entry.ts';
import { headOf, sumOf, turnTable } from '../diff/head.ts';
import {
  type ConversationLine,
  conversationLines,
  depthOf,
  type SectionSum,
  type Showing,
  sectionSums,
  stopsOf,
} from '../diff/model.ts';
import { timesOf } from '../diff/times.ts';
import { DIFF_WORDS, type DiffWords } from '../diff/words.ts';
import { append, fill, h } from '../h.ts';
import { button } from '../parts/marks.ts';

/** Lines that are made at once; the rest when it comes into sight. */
const BATCH = 200;

/** What the reader looked at, because the page is made again when another session is selected. */
interface ReadingPosition {
  showing: Showing;
  scroll: number;
  /** Index of the difference that was looked at last. */
  at: number;
}

const places = new WeakMap<App, ReadingPosition>();

class DiffView implements View {
  readonly root = h('div', { class: 'compare', tabindex: -1 });
  readonly #app: App;
  readonly #words: DiffWords;
  readonly #place: ReadingPosition;
  readonly #count = h('span', { class: 'is-quiet', role: 'status' });
  readonly #body = h('div', { class: 'compare-body' });
  #diff: SessionDiff | null = null;
  #stops: DiffEntry[] = [];
  /** The elements of entries that have been made. */
  #made = new Map<DiffEntry, HTMLElement>();
  /** Makes the next lines of the conversation; false if there are none. */
  #grow: () => boolean = () => false;
  #isLoaded = false;

  constructor(app: App) {
    this.#app = app;
    this.#words = app.words(DIFF_WORDS);
    this.#place = places.get(app) ?? { showing: { masked: false, same: false }, scroll: 0, at: -1 };
    places.set(app, this.#place);
    this.root.addEventListener(
      'scroll',
      () => {
        this.#place.scroll = this.root.scrollTop;
      },
      { passive: true },
    );
  }

  show(): void {
    if (this.#isLoaded) {
      this.root.scrollTop = this.#place.scroll;
      return;
    }
    this.#isLoaded = true;
    fill(this.root, h('p', { class: 'is-quiet', role: 'status' }, this.#words.loading));
    this.#load().catch((error: unknown) => fill(this.root, h('p', { role: 'alert' }, String(error))));
  }

  focus(): void {
    const stop = this.#stops[this.#place.at];
    ((stop && this.#made.get(stop)) ?? this.root).focus({ preventScroll: true });
  }

  key({ key }: KeyboardEvent): boolean {
    if (key !== 'n' && key !== 'N') return false;
    this.#step(key === 'n' ? 1 : -1);
    return true;
  }

  async #load(): Promise<void> {
    const diff = await this.#app.diff();
    this.#diff = diff;
    const words = this.#words;
    if (!diff) return fill(this.root, h('p', { class: 'is-quiet' }, words.one));
    const goTurn = (turn: number) => this.#goTurn(turn);
    fill(
      this.root,
      headOf(diff, words),
      sumOf(diff, words, (section) => this.#goSection(section)),
      h('section', { class: 'compare-overview' }, h('h2', {}, words.times), timesOf(this.#app, diff, words, goTurn)),
      h('section', { class: 'compare-overview' }, h('h2', {}, words.turns), turnTable(diff, words, goTurn)),
      this.#tools(diff),
      this.#body,
    );
    this.#paint();
    this.#restore(diff);
  }

  /** Where the reader was before another session was selected: at its frame, else as far down. */
  #restore(diff: SessionDiff): void {
    const { f, session } = this.#app.state.value;
    const { scroll } = this.#place;
    const side = session === 0 ? 'a' : 'b';
    const entry = f === null ? undefined : diff.entries.find((one) => one.op !== 'same' && one[side].f === f);
    if (entry && scroll > 0) return this.#go(entry, false);
    while (this.root.scrollHeight < scroll + this.root.clientHeight && this.#grow());
    this.root.scrollTop = scroll;
  }

  #tools(diff: SessionDiff): HTMLElement {
    const words = this.#words;
    const { showing } = this.#place;
    const toggle = (name: keyof Showing, label: string) => {
      const box = h('input', { type: 'checkbox' });
      box.checked = showing[name];
      box.addEventListener('change', () => {
        showing[name] = box.checked;
        this.#paint();
      });
      return h('label', { class: 'compare-toggle' }, box, ` ${label}`);
    };
    return h(
      'div',
      { class: 'compare-tools' },
      button('‹', () => this.#step(-1), { 'aria-label': words.previous, title: words.previous }),
      button('›', () => this.#step(1), { 'aria-label': words.next, title: words.next }),
      this.#count,
      h('span', { class: 'compare-gap' }),
      diff.masked > 0 ? toggle('masked', words.showMasked(diff.masked)) : null,
      toggle('same', words.showSame),
    );
  }

  #paint(): void {
    const diff = this.#diff!;
    const words = this.#words;
    this.#made = new Map();
    this.#stops = stopsOf(diff, this.#place.showing);
    this.#place.at = Math.min(this.#place.at, this.#stops.length - 1);
    this.announcePosition();
    fill(this.#body, ...sectionSums(diff).map((sum) => this.#section(sum, diff)));
    const left = Object.entries({ ...diff.left_out.a, ...diff.left_out.b });
    if (left.length > 0)
      append(this.#body, [
        h(
          'p',
          { class: 'is-quiet' },
          `${words.leftOut}: ${left.map(([kind, n]) => visible(n > 1 ? `${kind} ×${n}` : kind)).join(', ')}`,
        ),
      ]);
  }

  #section({ section, count, informal }: SectionSum, diff: SessionDiff): HTMLElement {
    const words = this.#words;
    const body = h('div', { class: 'compare-list' });
    if (section === 'conversation') this.#conversation(body, diff);
    else
      for (const entry of diff.entries)
        if (entry.section === section && entry.op !== 'same' && (!entry.masked || this.#place.showing.masked))
          body.append(this.#entry(entry));
    return h(
      'details',
      { class: 'compare-section', open: !informal && section !== 'shape', 'data-section': section },
      h(
        'summary',
        {},
        h('h2', {}, words.sections[section]),
        h('b', { class: 'compare-count' }, String(count)),
        informal ? h('span', { class: 'is-quiet' }, words.doesNotCount) : null,
        section === 'timing' && diff.tolerance
          ? h('span', { class: 'is-quiet' }, words.beyond(formatTolerance(diff.tolerance)))
          : null,
      ),
      body,
    );
  }

  #conversation(body: HTMLElement, diff: SessionDiff): void {
    const lines = conversationLines(diff.entries, this.#place.showing);
    const sentinel = h('div', { class: 'compare-sentinel' });
    let at = 0;
    this.#grow = () => {
      if (at >= lines.length) return false;
      const part = document.createDocumentFragment();
      for (const line of lines.slice(at, at + BATCH)) part.append(this.#line(line));
      at += BATCH;
      sentinel.before(part);
      if (at >= lines.length) sentinel.remove();
      return true;
    };
    body.append(sentinel);
    if (lines.every((line) => line.is === 'fold'))
      sentinel.before(h('p', { class: 'is-quiet' }, this.#words.nothingHere));
    this.#grow();
    new IntersectionObserver(
      (seen) => {
        if (seen.some(({ isIntersecting }) => isIntersecting)) this.#grow();
      },
      { root: this.root, rootMargin: '600px' },
    ).observe(sentinel);
  }

  #line(line: ConversationLine): HTMLElement {
    if (line.is === 'entry') return this.#entry(line.entry);
    const { entries } = line;
    const open = h('button', { type: 'button', class: 'compare-fold' }, `⋯ ${this.#words.fold(entries.length)}`);
    open.style.setProperty('--depth', String(depthOf(entries[0]!)));
    open.addEventListener('click', () => {
      const [first] = entries;
      open.replaceWith(...entries.map((entry) => this.#entry(entry)));
      this.#made.get(first!)?.focus();
    });
    return open;
  }

  #entry(entry: DiffEntry): HTMLElement {
    const made = entryOf(this.#app, entry, this.#words);
    this.#made.set(entry, made);
    return made;
  }

  #step(by: 1 | -1): void {
    const next = this.#place.at + by;
    if (next < 0 || next >= this.#stops.length) return;
    this.#place.at = next;
    this.#go(this.#stops[next]!);
    this.announcePosition();
  }

  announcePosition(): void {
    const { at } = this.#place;
    this.#count.textContent = at < 0 ? this.#words.hint : this.#words.place(at + 1, this.#stops.length);
  }

  #go(entry: DiffEntry, focus = true): void {
    while (!this.#made.has(entry) && this.#grow());
    const made = this.#made.get(entry);
    if (!made) return;
    const section = made.closest('details');
    if (section) section.open = true;
    made.scrollIntoView({ block: 'center' });
    if (focus) made.focus({ preventScroll: true });
  }

  #goSection(section: string): void {
    const found = this.#body.querySelector<HTMLDetailsElement>(`[data-section="${section}"]`);
    if (!found) return;
    found.open = true;
    found.scrollIntoView({ block: 'start' });
    found.querySelector('summary')?.focus({ preventScroll: true });
  }

  #goTurn(at: number): void {
    const { a_f, b_f } = this.#diff!.turns[at]!;
    const isIts = ({ kind, a, b, section }: DiffEntry) =>
      section === 'conversation' && kind === 'turn' && a.f === a_f && b.f === b_f;
    const entry = this.#diff!.entries.find(isIts);
    if (!entry) return;
    const stop = this.#stops.findIndex((one) => one.path === entry.path || one.path.startsWith(`${entry.path}/`));
    if (stop >= 0) this.#place.at = stop;
    this.#go(entry);
    this.announcePosition();
  }
}

export const makeDiff = (app: App): View => new DiffView(app);
