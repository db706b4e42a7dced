/** The query: the language of the commands, with its errors where they are, completions, and what was found. */
import { QueryError } from '../../../analysis/query/error.ts';
import type { Hits } from '../app.ts';
import { count } from '../format.ts';
import { h } from '../h.ts';
import { button } from './button.ts';
import { commandOf } from './commands.ts';
import { type Completion, completionsOf } from './completions.ts';
import { PRESETS } from './presets.ts';
import { showError } from './query-error.ts';
import { QUERY_WORDS } from './query-words.ts';
import type { Shell } from './shell.ts';
import { Suggestions } from './suggestions.ts';

/** While the user types. */
const PAUSE_MS = 120;

export class QueryBox {
  readonly root: HTMLElement;
  readonly #app: Shell;
  readonly #input: HTMLInputElement;
  readonly #error = h('div', { class: 'query-error', role: 'alert', hidden: true });
  readonly #count = h('span', { class: 'query-count', role: 'status' });
  readonly #cancel: HTMLButtonElement;
  readonly #suggestions: Suggestions;
  /** Queries of this session of reading, the last one first. */
  readonly #history: string[] = [];
  #timer = 0;
  #running: AbortController | null = null;
  #asked: string | null = null;

  constructor(app: Shell) {
    this.#app = app;
    const words = app.words(QUERY_WORDS);
    this.#input = h('input', {
      class: 'query-input',
      type: 'text',
      id: 'query',
      role: 'combobox',
      autocomplete: 'off',
      spellcheck: 'false',
      dir: 'auto',
      placeholder: words.placeholder,
      'aria-label': words.label,
      'aria-expanded': 'false',
      'aria-autocomplete': 'list',
      'aria-controls': 'query-list',
    });
    this.#suggestions = new Suggestions(this.#input, 'query-list', words.suggestions, (one) => this.#take(one));
    this.#cancel = button(words.cancel, words.cancelTitle, () => this.#stop());
    this.#cancel.hidden = true;
    const dim = button(words.dim, words.dimTitle, () => app.prefer({ dim: !app.state.value.dim }));
    const markDim = () => dim.setAttribute('aria-pressed', String(app.state.value.dim));
    app.state.watch(['dim'], markDim);
    markDim();
    const presets = button('▾', words.presetsTitle, () => this.#offerPresets());
    presets.prepend(h('span', { class: 'query-word' }, words.presets));
    presets.removeAttribute('aria-label');
    this.root = h(
      'search',
      { class: 'query' },
      h(
        'div',
        { class: 'query-field' },
        h('span', { class: 'query-icon', 'aria-hidden': 'true' }, '⌕'),
        this.#input,
        this.#count,
        this.#cancel,
        button('‹', words.previous, () => commandOf('N')?.(app), 'query-step'),
        button('›', words.next, () => commandOf('n')?.(app), 'query-step'),
        button('✕', words.clear, () => this.#clear(), 'query-clear'),
        this.#suggestions.root,
        this.#error,
      ),
      dim,
      presets,
    );
    this.#listen();
    // A view may ask too.
    app.state.watch(['query'], ({ query }) => {
      if (query !== this.#asked) this.ask(query);
    });
    this.#show(null);
  }

  focus(): void {
    this.#input.focus();
    this.#input.select();
  }

  /** Asks at once, as if it had been typed. */
  ask(query: string): void {
    if (this.#input.value !== query) this.#input.value = query;
    this.root.classList.toggle('query-filled', query !== '');
    if (query !== this.#asked) void this.#run(query);
  }

  #listen(): void {
    this.#input.addEventListener('input', () => {
      this.root.classList.toggle('query-filled', this.#input.value !== '');
      clearTimeout(this.#timer);
      this.#timer = window.setTimeout(() => this.#run(this.#input.value), PAUSE_MS);
      this.#suggest();
    });
    this.#input.addEventListener('keydown', (event) => this.#key(event));
    this.#input.addEventListener('focus', () => this.#showError(this.#input.hasAttribute('aria-invalid')));
    this.#input.addEventListener('blur', ({ relatedTarget }) => {
      if (relatedTarget !== null && !this.#has(relatedTarget)) this.#showError(false);
      this.#suggestions.close();
      this.#remember();
    });
  }

  #key(event: KeyboardEvent): void {
    if (this.#suggestions.key(event)) return event.preventDefault();
    if (event.key === 'ArrowDown' && !event.altKey) {
      event.preventDefault();
      if (this.#input.value === '' && this.#history.length > 0) this.#offerHistory();
      else this.#suggest(true);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      this.#suggestions.close();
      this.#enter();
    } else if (event.key === 'Escape') {
      event.preventDefault();
      if (this.#input.value === '') this.#app.controls.focus('view');
      else this.#clear();
    }
  }

  /** Asks; when that was done already, goes to the next match. */
  #enter(): void {
    this.#remember();
    if (this.#input.value !== this.#asked) this.ask(this.#input.value);
    else if (this.#app.state.value.hits?.count) commandOf('n')?.(this.#app);
    else this.#app.controls.focus('view');
  }

  #clear(): void {
    this.#remember();
    this.ask('');
    this.#input.focus();
  }

  async #run(query: string): Promise<void> {
    clearTimeout(this.#timer);
    this.#running?.abort();
    this.#asked = query;
    this.root.setAttribute('aria-busy', 'false');
    if (query.trim() === '') return this.#found('', null);
    const running = new AbortController();
    this.#running = running;
    this.root.setAttribute('aria-busy', 'true');
    const isNow = () => this.#running === running && !running.signal.aborted;
    const onHits = (hits: Hits) => isNow() && this.#found(query, hits);
    const answer = await this.#app.search.run(query, onHits, running.signal).catch((error: unknown) => {
      if (isNow()) this.#app.notify(String(error));
      return null;
    });
    if (!isNow() || answer === null) return;
    this.#running = null;
    this.root.setAttribute('aria-busy', 'false');
    if (answer instanceof QueryError) this.#fail(query, answer);
    else this.#found(query, answer);
  }

  /** What was found so far stays. */
  #stop(): void {
    this.#running?.abort();
    this.#running = null;
    this.root.setAttribute('aria-busy', 'false');
    const { hits } = this.#app.state.value;
    this.#show(hits && { ...hits, partial: true });
    this.root.classList.remove('query-searching');
    this.#cancel.hidden = true;
  }

  #found(query: string, hits: Hits | null): void {
    this.#showError(false);
    this.#input.removeAttribute('aria-invalid');
    this.#app.state.set({ query, hits });
    this.#show(hits);
  }

  /** The last good result stays. */
  #fail(query: string, error: QueryError): void {
    this.#cancel.hidden = true;
    this.#input.setAttribute('aria-invalid', 'true');
    showError(this.#error, query, error, this.#app.state.value.language, this.#app.words(QUERY_WORDS));
    this.#showError(true);
  }

  /** The error stands over the page, so it goes when the reader does something else. The field stays marked. */
  #showError(isShown: boolean): void {
    this.#error.hidden = !isShown;
    for (const type of ['pointerdown', 'keydown'])
      if (isShown) document.addEventListener(type, this.#leave);
      else document.removeEventListener(type, this.#leave);
  }

  readonly #leave = (event: Event): void => {
    const isKey = event instanceof KeyboardEvent;
    // A part of it may be copied.
    if (isKey && (event.ctrlKey || event.metaKey)) return;
    if (!this.#has(event.target) || (isKey && event.key === 'Escape')) this.#showError(false);
  };

  #has(target: EventTarget | null): boolean {
    return target instanceof Node && this.root.contains(target);
  }

  #show(hits: Hits | null): void {
    const words = this.#app.words(QUERY_WORDS);
    const { language } = this.#app.state.value;
    const all = this.#app.source.frames.count;
    const number = (n: number) => count(n, language);
    this.#cancel.hidden = !hits?.partial;
    this.root.classList.toggle('query-searching', hits?.partial ?? false);
    if (hits === null) this.#count.textContent = words.all(number(all));
    else this.#count.textContent = `${words.of(number(hits.count), number(all))}${progressOf(hits)}`;
  }

  async #suggest(isAsked = false): Promise<void> {
    const caret = this.#input.selectionStart ?? this.#input.value.length;
    const typed = this.#input.value.slice(0, caret);
    const found = await completionsOf(typed, this.#app.source, this.#app.state.value.language);
    if (this.#input.value.slice(0, caret) !== typed || document.activeElement !== this.#input) return;
    if (isAsked || typed !== '') this.#suggestions.open(found);
  }

  #take({ text, whole, isOpen }: Completion): void {
    const caret = this.#input.selectionStart ?? this.#input.value.length;
    const rest = whole ? '' : this.#input.value.slice(caret);
    const added = isOpen ? text : `${text}${rest === '' && !whole ? ' ' : ''}`;
    this.#input.value = added + rest;
    this.#input.setSelectionRange(added.length, added.length);
    this.#input.focus();
    this.ask(this.#input.value.trimEnd());
    this.#input.value = added + rest;
    if (isOpen) void this.#suggest();
  }

  #offerPresets(): void {
    const words = this.#app.words(QUERY_WORDS);
    this.#input.focus();
    this.#suggestions.open(
      PRESETS.map(({ query, name }) => ({ text: query, note: words.preset[name], whole: true, isOpen: false })),
    );
  }

  #offerHistory(): void {
    this.#suggestions.open(this.#history.map((text) => ({ text, note: '', whole: true, isOpen: false })));
  }

  #remember(): void {
    const query = this.#input.value.trim();
    if (query === '' || this.#input.hasAttribute('aria-invalid')) return;
    const at = this.#history.indexOf(query);
    if (at >= 0) this.#history.splice(at, 1);
    this.#history.unshift(query);
    this.#history.length = Math.min(this.#history.length, 50);
  }
}

/** A search that was stopped says how far it came. */
function progressOf({ partial, share = 0 }: Hits): string {
  return partial ? `… ${Math.floor(100 * share)}%` : '';
}
