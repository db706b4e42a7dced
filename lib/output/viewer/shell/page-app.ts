/** The page as a whole: its state, its address, and what it looks like in the language of its reader. */
import type { SessionDiff } from '../../../analysis/diff/result.ts';
import type { PageHead } from '../../page/page.ts';
import type { App, Language, State, ViewName } from '../app.ts';
import { PARTS, type Searcher } from '../page-parts.ts';
import { type Signal, signal } from '../signal.ts';
import type { FrameSource } from '../source.ts';
import { Address } from './address.ts';
import { type AddressState, readHash } from './hash.ts';
import { listenForKeys } from './keys.ts';
import { Layout } from './layout.ts';
import { type Scope, scopeOf } from './scope.ts';
import { firstLanguage, loadSettings, type Settings, saveSettings } from './settings.ts';
import type { OpenPage, Shell, ShellControls } from './shell.ts';

const WORDS = {
  en: {
    noFrame: (f: number) => `There is no frame f${f} in this page`,
    copied: (what: string) => `Copied: ${what}`,
    notCopied: 'The browser did not allow copying',
  },
  zh: {
    noFrame: (f: number) => `此页面中没有帧 f${f}`,
    copied: (what: string) => `已复制：${what}`,
    notCopied: '浏览器不允许复制',
  },
};

export class PageApp implements Shell {
  readonly head: PageHead;
  readonly sources: readonly FrameSource[];
  readonly diff: () => Promise<SessionDiff | null>;
  readonly state: Scope<State>;
  readonly #inner: Signal<State>;
  readonly #address: Address;
  readonly #searchers = new Map<FrameSource, Searcher>();
  #settings: Settings = loadSettings();
  #layout: Layout | null = null;

  constructor({ head, sources, diff }: OpenPage) {
    this.head = head;
    this.sources = sources;
    this.diff = diff;
    this.#inner = signal(this.#first());
    this.state = scopeOf(this.#inner);
    this.#address = new Address(this.#inner, (place) => this.#go(place));
    this.#inner.watch(['theme', 'language'], () => this.#dress());
    this.#inner.watch(['language', 'session'], () => this.#mount());
  }

  start(): void {
    this.#dress();
    this.#mount();
    listenForKeys(this, () => this.#layout!);
    PARTS.print(lasting(this, this.#inner));
    const place = readHash(location.hash);
    const isNamed = location.hash.length > 1;
    this.#go(!isNamed && this.head.focus !== undefined ? { ...place, f: this.head.focus } : place);
    if (isNamed) this.#address.write();
  }

  get source(): FrameSource {
    return this.sources[this.#inner.value.session]!;
  }

  get settings(): Settings {
    return this.#settings;
  }

  get controls(): ShellControls {
    return this.#layout!;
  }

  get search(): Searcher {
    const { source } = this;
    const known = this.#searchers.get(source) ?? PARTS.search(source);
    this.#searchers.set(source, known);
    return known;
  }

  prefer(patch: Partial<Settings>): void {
    this.#settings = { ...this.#settings, ...patch };
    saveSettings(this.#settings);
    const { theme, language, dim } = patch;
    this.#inner.set({ ...(theme && { theme }), ...(language && { language }), ...(dim !== undefined && { dim }) });
  }

  select(
    to: { f: number } | { row: number },
    { focus = false, jump = false, view }: { focus?: boolean; jump?: boolean; view?: ViewName } = {},
  ): void {
    const { frames, rows } = this.source;
    const f = 'f' in to ? to.f : rows.f[to.row]!;
    const row = 'row' in to ? to.row : frames.rowOf(f);
    if (frames.indexOf(f) < 0) return this.notify(this.words(WORDS).noFrame(f));
    if (jump) this.#address.leave();
    this.#inner.set({ f, row, to: null, ...(view && { view }) });
    if (focus) this.controls.focus('view');
  }

  words<T>(table: Record<Language, T>): T {
    return table[this.#inner.value.language];
  }

  notify(message: string): void {
    this.#layout?.notify(message);
  }

  copy(text: string, what: string): void {
    const words = this.words(WORDS);
    const done = () => this.notify(words.copied(what));
    const failed = () => this.notify(copiedByHand(text) ? words.copied(what) : words.notCopied);
    // Pages that were not sent by a server have no clipboard in some browsers.
    if (navigator.clipboard) navigator.clipboard.writeText(text).then(done, failed);
    else failed();
  }

  link(): string {
    return `${location.href.replace(/#.*$/s, '')}${this.#address.hash}`;
  }

  #first(): State {
    const { theme, dim } = this.#settings;
    const place = readHash(location.hash);
    return {
      view: place.view ?? 'timeline',
      session: Math.min(place.session, this.sources.length - 1),
      f: null,
      row: -1,
      to: null,
      query: place.query,
      hits: null,
      dim,
      zoom: place.zoom,
      bookmarks: place.bookmarks,
      marked: null,
      language: firstLanguage(),
      theme,
    };
  }

  /** Shows what an address names. */
  #go(place: AddressState): void {
    const { query, zoom, bookmarks, f, to } = place;
    const session = Math.min(place.session, this.sources.length - 1);
    const view = place.view ?? this.#inner.value.view;
    const isThere = f !== null && this.sources[session]!.frames.indexOf(f) >= 0;
    this.#inner.set({ view, session, query, zoom, bookmarks });
    if (isThere) this.#inner.set({ f, row: this.source.frames.rowOf(f), to });
    else this.#inner.set({ f: null, row: -1, to: null });
    this.controls.ask(query);
    if (isThere) this.controls.focus('view');
    else if (f !== null) this.notify(this.words(WORDS).noFrame(f));
  }

  #dress(): void {
    const { theme, language } = this.#inner.value;
    const { documentElement } = document;
    documentElement.lang = language === 'zh' ? 'zh-CN' : 'en';
    if (theme === 'system') documentElement.removeAttribute('data-theme');
    else documentElement.setAttribute('data-theme', theme);
  }

  #mount(): void {
    const isAgain = this.#layout !== null;
    this.state.end();
    this.#layout?.root.remove();
    this.#inner.set({ hits: null });
    this.#layout = new Layout(this);
    document.body.prepend(this.#layout.root);
    this.#layout.start();
    if (!isAgain) return;
    this.controls.ask(this.#inner.value.query);
    this.controls.focus('view');
  }
}

/** The same app for parts that outlive a change of the language: they keep watching. */
function lasting(app: PageApp, state: Signal<State>): App {
  return {
    state,
    sources: app.sources,
    get source() {
      return app.source;
    },
    diff: app.diff,
    select: (to, how) => app.select(to, how),
    words: (table) => app.words(table),
    notify: (message) => app.notify(message),
    copy: (text, what) => app.copy(text, what),
  };
}

/** The old way, which works where the other one is refused. */
function copiedByHand(text: string): boolean {
  const area = document.createElement('textarea');
  const { activeElement } = document;
  area.value = text;
  area.className = 'shell-offscreen';
  document.body.append(area);
  area.select();
  try {
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    area.remove();
    (activeElement as HTMLElement | null)?.focus({ preventScroll: true });
  }
}
