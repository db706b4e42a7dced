/**
 * Keeps the address of the page and the state the same. A jump adds an entry to the history; everything else does not.
 * An address that was typed or sent is rewritten at once, so that a place has one address.
 */
import type { State } from '../app.ts';
import type { Signal } from '../signal.ts';
import { type AddressState, readHash, writeHash } from './hash.ts';

/** Browsers refuse a page that writes its address more often. */
const PAUSE_MS = 250;

export class Address {
  readonly #state: Signal<State>;
  readonly #go: (place: AddressState) => void;
  #timer = 0;

  /** `go` shows a place that the reader came to by the address or by Back. */
  constructor(state: Signal<State>, go: (place: AddressState) => void) {
    this.#state = state;
    this.#go = go;
    state.watch(['view', 'session', 'f', 'to', 'query', 'zoom', 'bookmarks'], () => this.#later());
    window.addEventListener('popstate', () => this.#read());
    window.addEventListener('hashchange', () => this.#read());
  }

  /** The state as an address: `#f17&v=frames`. */
  get hash(): string {
    return writeHash(placeOf(this.#state.value));
  }

  /** Where the reader is now stays in the history; what comes next is a new entry. */
  leave(): void {
    this.write();
    try {
      history.pushState(null, '', this.hash);
    } catch {
      // Some browsers refuse pages from a disk, or too many entries: then Back goes further back.
    }
  }

  #later(): void {
    if (this.#timer !== 0) return;
    this.#timer = window.setTimeout(() => this.write(), PAUSE_MS);
  }

  /** Writes the state into the address now, not after the pause. */
  write(): void {
    clearTimeout(this.#timer);
    this.#timer = 0;
    if (this.hash === (location.hash || '#')) return;
    try {
      history.replaceState(null, '', this.hash);
    } catch {
      // As above: the page works without an address.
    }
  }

  #read(): void {
    if ((location.hash || '#') === this.hash) return;
    this.#go(readHash(location.hash));
    this.write();
  }
}

function placeOf({ f, to, query, view, zoom, bookmarks, session }: State): AddressState {
  return { f, to, query, view, zoom, bookmarks, session };
}
