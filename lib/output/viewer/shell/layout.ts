/** The page: header, query, tabs, the view in sight and the detail pane beside it. On narrow screens, one at a time. */
import type { View, ViewName } from '../app.ts';
import { fill, h } from '../h.ts';
import { PARTS } from '../page-parts.ts';
import { MAKE_VIEW } from '../views/index.ts';
import { Banners } from './banners.ts';
import { viewsOf } from './commands.ts';
import { saveTape } from './download.ts';
import { makeHeader } from './header.ts';
import { Help } from './help.ts';
import { CommandPalette } from './palette.ts';
import { type Pane, PaneSwitch } from './pane-switch.ts';
import { QueryBox } from './query-box.ts';
import type { Shell, ShellControls } from './shell.ts';
import { Splitter } from './splitter.ts';
import { Tabs } from './tabs.ts';
import { Toasts } from './toast.ts';
import { SHELL_WORDS } from './words.ts';

/** The views with a detail pane beside them; the others show all there is. */
const WITH_DETAIL: readonly ViewName[] = ['timeline', 'frames', 'approvals', 'diff'];

export class Layout implements ShellControls {
  readonly root: HTMLElement;
  readonly #app: Shell;
  readonly #views = new Map<ViewName, View>();
  readonly #host: HTMLElement;
  readonly #detail: View;
  readonly #detailHost: HTMLElement;
  readonly #main: HTMLElement;
  readonly #panes: PaneSwitch;
  readonly #tabs: Tabs;
  readonly #query: QueryBox;
  readonly #toasts = new Toasts();
  readonly #palette: CommandPalette;
  readonly #help: Help;
  /** While the focus is on a view as a whole: tells what comes into it. */
  readonly #awaited = new MutationObserver(() => this.#refocus());
  #isDetailShown: boolean;
  #shown: ViewName | null = null;

  constructor(app: Shell) {
    this.#app = app;
    const words = app.words(SHELL_WORDS);
    this.#isDetailShown = app.settings.isDetailShown;
    this.#detail = PARTS.detail(app);
    this.#tabs = new Tabs(app, viewsOf(app));
    this.#query = new QueryBox(app);
    this.#panes = new PaneSwitch(app);
    this.#palette = new CommandPalette(app);
    this.#help = new Help(app);
    this.#host = h('div', { class: 'shell-view', id: 'view', role: 'tabpanel', tabindex: -1 });
    this.#detailHost = h(
      'aside',
      { class: 'shell-detail', id: 'detail', 'aria-label': words.detail },
      this.#detail.root,
    );
    const splitter = new Splitter(app, this.#detailHost, words.resize);
    const main = h('main', { class: 'shell-middle' }, this.#host, splitter.root);
    this.#main = h('div', { class: 'shell-main' }, main, this.#detailHost);
    this.#main.addEventListener('focusin', ({ target }) => bringIntoSight(target as HTMLElement));
    this.root = h(
      'div',
      { class: 'shell' },
      this.#skipLinks(),
      h(
        'header',
        { class: 'shell-top' },
        makeHeader(app),
        h('div', { class: 'shell-bar' }, this.#tabs.root, this.#query.root),
        new Banners(app).root,
      ),
      this.#main,
      this.#panes.root,
      this.#toasts.root,
      this.#palette.root,
      this.#help.root,
    );
  }

  /** Shows the view; the page must have the root by now. */
  start(): void {
    this.#app.state.watch(['view'], () => this.#show());
    this.#app.state.watch(['f'], () => this.#arrange());
    this.#show();
    this.#tabs.reveal();
  }

  get view(): View | null {
    return (this.#shown && this.#views.get(this.#shown)) ?? null;
  }

  get detail(): View | null {
    return this.#hasDetail ? this.#detail : null;
  }

  get isDetailShown(): boolean {
    return this.#isDetailShown;
  }

  notify(message: string): void {
    this.#toasts.show(message);
  }

  ask(query: string): void {
    this.#query.ask(query);
  }

  palette(first: string): void {
    this.#palette.open(first);
  }

  help(): void {
    this.#help.open();
  }

  download(): void {
    saveTape(this.#app);
  }

  focus(pane: 'view' | 'detail' | 'query'): void {
    if (pane === 'query') return this.#query.focus();
    if (pane === 'detail') {
      this.showDetail(true);
      this.#turn('detail');
      if (this.detail?.focus) this.detail.focus();
      else this.#detailHost.focus();
      return;
    }
    this.#turn('view');
    this.#focusView();
  }

  cycle(step: 1 | -1): void {
    const panes = [this.#query.root, this.#host, ...(this.#hasDetail && this.#isDetailShown ? [this.#detailHost] : [])];
    const at = panes.findIndex((pane) => pane.contains(document.activeElement));
    const next = panes[(at + step + panes.length) % panes.length]!;
    this.focus(next === this.#host ? 'view' : next === this.#detailHost ? 'detail' : 'query');
  }

  showDetail(isShown: boolean): void {
    this.#isDetailShown = isShown;
    this.#app.prefer({ isDetailShown: isShown });
    if (!isShown) this.#turn('view');
    this.#arrange();
  }

  get #hasDetail(): boolean {
    const { view, f } = this.#app.state.value;
    // Until something is selected, the view has all the room.
    return WITH_DETAIL.includes(view) && f !== null;
  }

  /** A view that has nothing to focus yet gets the focus as a whole, and its rows get it when they are there. */
  #focusView(): void {
    this.#awaited.disconnect();
    this.view?.focus?.();
    const { activeElement } = document;
    if (!this.#host.contains(activeElement)) this.#host.focus({ preventScroll: true });
    else if (activeElement !== this.#host && activeElement !== this.view?.root) return;
    this.#awaited.observe(this.#host, { childList: true, subtree: true });
  }

  #refocus(): void {
    const { activeElement } = document;
    // Whoever has gone elsewhere in the meantime stays there.
    if (activeElement === this.#host || activeElement === this.view?.root) this.#focusView();
    else this.#awaited.disconnect();
  }

  #show(): void {
    const { view: name } = this.#app.state.value;
    if (name === this.#shown) return;
    this.view?.hide?.();
    this.#shown = name;
    let view = this.#views.get(name);
    if (!view) {
      view = MAKE_VIEW[name](this.#app);
      this.#views.set(name, view);
    }
    fill(this.#host, view.root);
    this.#host.setAttribute('aria-labelledby', `tab-${name}`);
    this.#turn('view');
    this.#arrange();
    view.show();
  }

  /** Which pane is in sight where only one is. */
  #turn(pane: Pane): void {
    this.#main.dataset.pane = pane;
    this.#panes.show(pane);
  }

  #arrange(): void {
    const isBeside = this.#hasDetail && this.#isDetailShown;
    this.#main.classList.toggle('shell-with-detail', isBeside);
    this.#panes.root.hidden = !this.#hasDetail;
    if (isBeside) this.#detail.show();
    else this.#detail.hide?.();
  }

  #skipLinks(): HTMLElement {
    const words = this.#app.words(SHELL_WORDS);
    const link = (label: string, pane: 'view' | 'detail' | 'query') => {
      const button = h('button', { type: 'button', class: 'shell-skip' }, label);
      button.addEventListener('click', () => this.focus(pane));
      return button;
    };
    return h(
      'nav',
      { class: 'shell-skips', 'aria-label': words.skip },
      link(words.skipQuery, 'query'),
      link(words.skipView, 'view'),
      link(words.skipDetail, 'detail'),
    );
  }
}

/** Where the page itself scrolls, because it is low. What was pressed is in sight, and must not move under the finger. */
function bringIntoSight(target: HTMLElement): void {
  const isLow = document.documentElement.scrollHeight > window.innerHeight;
  if (isLow && target.matches(':focus-visible')) target.scrollIntoView({ block: 'nearest' });
}
