/** The detail pane: what is selected, readable and raw, with its times and what belongs to it. */
import { humanBytes, visible } from '../../../model/text/text.ts';
import { ROW_KINDS, ROW_STATES } from '../../page/page.ts';
import type { App, MakeView, View } from '../app.ts';
import { patchView } from '../blocks/diff-view.ts';
import { moment, offset } from '../format.ts';
import { fill, h } from '../h.ts';
import { KIND_WORDS } from '../kinds.ts';
import { frameButton } from '../parts/marks.ts';
import type { SourceLine } from '../source.ts';
import { comparableText, indentedText, markdownQuote, sentText, showCommand } from './copies.ts';
import { type DetailFacts, factsOf, number, text } from './facts.ts';
import { menuButton } from './menu.ts';
import { Raw } from './raw.ts';
import { related } from './related.ts';
import { timing } from './timing.ts';
import { viewTab } from './view-tab.ts';
import { DETAIL_WORDS, type DetailWords } from './words.ts';

const TABS = ['view', 'raw', 'timing', 'related'] as const;
type Tab = (typeof TABS)[number];

export const makeDetail: MakeView = (app) => new Detail(app);

interface Selected {
  f: number;
  row: number;
  line: SourceLine;
  facts: DetailFacts;
}

class Detail implements View {
  readonly root: HTMLElement;
  readonly #app: App;
  readonly #words: DetailWords;
  readonly #head = h('header', { class: 'detail-head' });
  readonly #tabs = new Map<Tab, HTMLElement>();
  readonly #tabList: HTMLElement;
  readonly #body = h('div', { class: 'detail-body', role: 'tabpanel', id: 'detail-panel', tabindex: 0 });
  readonly #empty: HTMLElement;
  readonly #raw: Raw;
  #tab: Tab = 'view';
  #selected: Selected | null = null;
  /** The frame that the selected one is compared with. */
  #against: number | null = null;
  #isShown = false;
  #isDue = false;
  /** What is being loaded; what comes later than something newer is dropped. */
  #turn = 0;

  constructor(app: App) {
    this.#app = app;
    this.#words = app.words(DETAIL_WORDS);
    this.#raw = new Raw(app);
    this.#empty = h('p', { class: 'detail-empty' }, this.#words.nothing);
    this.#tabList = h(
      'div',
      { class: 'detail-tabs', role: 'tablist', 'aria-label': this.#words.label },
      ...TABS.map((tab) => this.#makeTab(tab)),
    );
    this.root = h('div', { class: 'detail' }, this.#empty, this.#head, this.#tabList, this.#body);
    this.#tabList.addEventListener('keydown', (event) => this.#tabKey(event));
    // Keys that scroll the text belong to it.
    this.#body.addEventListener('keydown', (event) => {
      if (SCROLLS.has(event.key) && !event.ctrlKey && !event.metaKey) event.stopPropagation();
    });
    app.state.watch(['f', 'row', 'marked'], () => this.#later());
    this.#arrange();
  }

  show(): void {
    if (this.#isShown) return;
    this.#isShown = true;
    this.#later();
  }

  hide(): void {
    this.#isShown = false;
  }

  focus(): void {
    if (this.#selected && this.#tab === 'raw' && this.#against === null) this.#raw.focus();
    else this.#body.focus();
  }

  key(event: KeyboardEvent, sequence: string = event.key): boolean {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    if (sequence === 'r') this.#choose(this.#tab === 'raw' ? 'view' : 'raw');
    else if (sequence === 'd') this.#compare();
    else if (sequence === 'y p') this.#copyPath();
    else if (sequence === 'y m') this.#copyMarkdown();
    else if (sequence === 'Escape' && this.#against !== null) this.#endCompare();
    else return false;
    return true;
  }

  #makeTab(tab: Tab): HTMLElement {
    const button = h(
      'button',
      { type: 'button', role: 'tab', class: 'detail-tab', 'aria-controls': 'detail-panel', id: `detail-${tab}` },
      this.#words.tabs[tab],
    );
    button.addEventListener('click', () => this.#choose(tab));
    this.#tabs.set(tab, button);
    return button;
  }

  #tabKey(event: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = TABS[(TABS.indexOf(this.#tab) + step + TABS.length) % TABS.length]!;
    this.#choose(next);
    this.#tabs.get(next)?.focus();
  }

  #choose(tab: Tab): void {
    this.#tab = tab;
    this.#against = null;
    this.#arrange();
    void this.#draw();
  }

  #arrange(): void {
    const isEmpty = this.#selected === null;
    this.#empty.hidden = !isEmpty;
    for (const part of [this.#head, this.#tabList, this.#body]) part.hidden = isEmpty;
    for (const [tab, button] of this.#tabs) {
      const isOn = tab === this.#tab;
      button.setAttribute('aria-selected', String(isOn));
      button.tabIndex = isOn ? 0 : -1;
    }
    this.#body.setAttribute('aria-labelledby', `detail-${this.#tab}`);
    this.#body.classList.toggle('is-raw', this.#tab === 'raw' && this.#against === null);
  }

  /** Once a frame of the screen, however fast the selection moves. */
  #later(): void {
    if (this.#isDue || !this.#isShown) return;
    this.#isDue = true;
    requestAnimationFrame(() => {
      this.#isDue = false;
      void this.#load();
    });
  }

  async #load(): Promise<void> {
    const { f, row } = this.#app.state.value;
    const turn = ++this.#turn;
    if (f === null) {
      this.#selected = null;
      this.#arrange();
      return;
    }
    const { source } = this.#app;
    const isSame = this.#selected?.f === f && this.#selected.row === row;
    if (!isSame) {
      if (row >= 0) await source.loadLabels(Math.max(0, row), row + 1);
      const [line, facts] = await Promise.all([source.line(f), factsOf(source, f)]);
      if (turn !== this.#turn || !facts) return;
      this.#selected = { f, row, line, facts };
      this.#against = null;
      this.#body.scrollTop = 0;
    }
    this.#arrange();
    this.#drawHead();
    if (!isSame) await this.#draw();
  }

  async #draw(): Promise<void> {
    const selected = this.#selected;
    if (!selected) return;
    const turn = ++this.#turn;
    const { row, line, facts } = selected;
    if (this.#tab === 'raw') {
      fill(this.#body, this.#raw.root);
      this.#raw.show(line);
      return;
    }
    let content: HTMLElement;
    try {
      if (this.#tab === 'view') content = await viewTab(this.#app, row, line);
      else if (this.#tab === 'timing') content = timing(this.#app, row, facts, line);
      else content = await this.#related(selected);
    } catch (error) {
      content = h(
        'p',
        { class: 'block-note', role: 'alert' },
        `${this.#words.failed}: ${error instanceof Error ? error.message : error}`,
      );
    }
    if (turn === this.#turn) fill(this.#body, content);
  }

  async #related({ row, facts }: Selected): Promise<HTMLElement> {
    const { rows, frames } = this.#app.source;
    const wanted = new Set<number>();
    for (let up = row; up >= 0; up = rows.parent[up]!) wanted.add(up);
    const pair = number(facts.pair_f);
    if (pair !== null && frames.rowOf(pair) >= 0) wanted.add(frames.rowOf(pair));
    for (const one of wanted) await this.#app.source.loadLabels(one, one + 1);
    return related(this.#app, row, facts);
  }

  #drawHead(): void {
    const { f, row, line, facts } = this.#selected!;
    const words = this.#words;
    const { language, marked } = this.#app.state.value;
    const { rows, head } = this.#app.source;
    const kind =
      row >= 0 && rows.f[row] === f
        ? ROW_KINDS[rows.kind[row]!]!
        : (text(facts.kind) as keyof (typeof KIND_WORDS)['en'] | null);
    const state = row >= 0 ? ROW_STATES[rows.state[row]!]! : 'done';
    const name = text(facts.method) ?? text(facts.type) ?? line.frame.event;
    const [turn, step] = [number(facts.turn), number(facts.step)];
    const about = [
      h('time', { title: moment(head.started + line.frame.t * 1e6, language) }, `+${offset(line.frame.t)}`),
      h('span', {}, moment(head.started + line.frame.t * 1e6, language)),
      line.frame.form === 'event' ? null : h('span', {}, humanBytes(number(facts.size) ?? line.frame.raw.length)),
      facts.id === null ? null : h('span', { dir: 'auto' }, `${words.id} ${visible(String(facts.id))}`),
      facts.tool_call_id === null
        ? null
        : h('span', { dir: 'auto' }, `${words.call} ${visible(String(facts.tool_call_id))}`),
      turn === null ? null : h('span', {}, words.turn(turn)),
      step === null ? null : h('span', {}, words.step(step)),
      facts.subagent === null ? null : h('span', { dir: 'auto' }, words.subagent(visible(String(facts.subagent)))),
    ];
    fill(
      this.#head,
      h(
        'h2',
        { class: 'detail-title', 'data-f': f },
        h('strong', { class: 'detail-f' }, `f${f}`),
        h('span', { class: `detail-from is-${line.frame.from}` }, words.directions[line.frame.from] ?? line.frame.from),
        kind === null
          ? null
          : h('span', { class: `detail-kind is-${state}` }, this.#app.words(KIND_WORDS)[kind] ?? kind),
        name === null ? null : h('code', { class: 'detail-name', dir: 'auto' }, visible(name)),
      ),
      h('div', { class: 'detail-about' }, ...about),
      h('div', { class: 'detail-tools' }, this.#copyMenu(), this.#markButton(marked), this.#pairButton(facts)),
    );
  }

  #pairButton(facts: DetailFacts): HTMLElement | null {
    const pair = number(facts.pair_f);
    if (pair === null || this.#app.source.frames.indexOf(pair) < 0) return null;
    const button = frameButton(this.#app, pair);
    button.removeAttribute('aria-label');
    button.textContent = pair > facts.f ? `→ f${pair}` : `← f${pair}`;
    return button;
  }

  #markButton(marked: number | null): HTMLElement {
    const { f } = this.#selected!;
    const canCompare = marked !== null && marked !== f;
    const label = canCompare ? this.#words.compareWith(marked) : marked === f ? this.#words.unmark : this.#words.mark;
    const button = h('button', { type: 'button', class: 'detail-button' }, label, h('kbd', {}, canCompare ? 'd' : 'm'));
    button.addEventListener('click', () => {
      if (canCompare) this.#compare();
      else this.#app.state.set({ marked: marked === f ? null : f });
    });
    return button;
  }

  #copyMenu(): HTMLElement {
    const { copyItems, copied } = this.#words;
    return menuButton(this.#words.copy, () => {
      const { f, line } = this.#selected!;
      const app = this.#app;
      const sent = line.frame.form === 'event' ? new TextDecoder().decode(line.bytes) : sentText(line.frame);
      const isRaw = this.#tab === 'raw' && this.#raw.path !== null;
      return [
        { label: copyItems.json, keys: 'y j', run: () => app.copy(sent, copied.json) },
        { label: copyItems.pretty, run: () => app.copy(indentedText(sent), copied.pretty) },
        ...(isRaw
          ? [
              { label: copyItems.value, run: () => app.copy(this.#raw.value ?? '', copied.value) },
              { label: copyItems.path, keys: 'y p', run: () => this.#copyPath() },
            ]
          : []),
        {
          label: copyItems.link,
          keys: 'y l',
          run: () => app.copy(`${location.href.replace(/#.*$/s, '')}#f${f}`, copied.link),
        },
        { label: copyItems.markdown, keys: 'y m', run: () => this.#copyMarkdown() },
        { label: copyItems.command, run: () => app.copy(showCommand(app.source.head.session, f), copied.command) },
      ];
    });
  }

  #copyPath(): void {
    this.#app.copy(this.#raw.path ?? '$', this.#words.copied.path);
  }

  #copyMarkdown(): void {
    const selected = this.#selected;
    if (!selected) return;
    const { f, line, facts } = selected;
    const kind = text(facts.kind);
    const title = [`f${f}`, this.#words.directions[line.frame.from], kind, `+${offset(line.frame.t)}`]
      .filter((one) => one)
      .join(' · ');
    this.#app.copy(markdownQuote(title, comparableText(line.frame, line.bytes)), this.#words.copied.markdown);
  }

  #compare(): void {
    const { marked } = this.#app.state.value;
    const selected = this.#selected;
    if (!selected || marked === null || marked === selected.f) return this.#app.notify(this.#words.markFirst);
    this.#against = marked;
    void this.#drawCompare(marked, selected);
  }

  async #drawCompare(marked: number, { f, line }: Selected): Promise<void> {
    const turn = ++this.#turn;
    const other = await this.#app.source.line(marked);
    if (turn !== this.#turn) return;
    const close = h('button', { type: 'button', class: 'detail-button' }, this.#words.endCompare);
    close.addEventListener('click', () => this.#endCompare());
    const [before, after] = [comparableText(other.frame, other.bytes), comparableText(line.frame, line.bytes)];
    this.#arrange();
    fill(
      this.#body,
      h(
        'div',
        { class: 'detail-compare' },
        h('p', {}, h('strong', {}, this.#words.comparing(marked, f)), ' ', close),
        before === after ? h('p', { class: 'block-note' }, this.#words.same) : null,
      ),
      patchView(
        { app: this.#app, isFlat: false },
        { type: 'diff', path: `f${marked} → f${f}`, before: `${before}\n`, after: `${after}\n` },
      ),
    );
    this.#body.focus();
  }

  #endCompare(): void {
    this.#against = null;
    this.#arrange();
    void this.#draw();
  }
}

const SCROLLS = new Set(['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End', ' ']);
