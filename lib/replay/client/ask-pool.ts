/**
 * What the recorded agent asked and the live one has not asked yet. A live request gets the answer of the first recorded
 * one that means the same. Another command, file or question is another request.
 */

import { Recent } from '../../model/recent.ts';
import { fingerprint } from '../../model/text/fingerprint.ts';
import { compareLines, type Difference } from '../compare.ts';
import { type IdOptions, Ids } from '../ids.ts';
import { placesOf, type Tree } from '../places.ts';
import type { Meaning } from './meaning.ts';
import type { Ask } from './steps.ts';

export interface Nearest {
  ask: Ask;
  differences: Difference[];
}

const KEEP: IdOptions = { keep: true, random: Math.random };
const ROLE = { from: 'agent', isAnswer: false } as const;
/** The meaning of a request has no ids. */
const NO_PLACES = placesOf({ requestIds: [] });
const OPEN = 100_000;
/** So many recorded requests are compared with a live one. */
const COMPARED = 1000;

export class AskPool {
  /** By what they ask for, in the order of the tape. */
  readonly #open = new Map<string, Set<Ask>>();
  /** The same by every word of it. Where much was never asked, few of those that are left need to be compared. */
  readonly #same = new Map<string, Set<Ask>>();
  readonly #all = new Recent<Ask, true>(OPEN);
  readonly #tree: Tree;
  readonly #cwd: readonly [string, string] | null;

  constructor(tree: Tree, cwd: readonly [recorded: string, live: string] | null) {
    this.#tree = tree;
    this.#cwd = cwd;
  }

  add(ask: Ask): void {
    addTo(this.#open, keyOf(ask.meaning), ask);
    addTo(this.#same, wordsOf(ask.meaning), ask);
    this.#all.set(ask, true);
  }

  /** What was never asked, in the order of the tape. */
  get open(): Iterable<Ask> {
    return this.#all.keys();
  }

  /** The recorded request that a live one matches; it is not offered again. */
  take(meaning: Meaning, value: unknown): Ask | null {
    const asks = this.#open.get(keyOf(meaning));
    const same = this.#same.get(wordsOf(meaning)) ?? [];
    const found = asks && (this.#first(same, value) ?? this.#first(asks, value) ?? this.#alike(asks, meaning));
    if (!found) return null;
    removeFrom(this.#open, keyOf(found.meaning), found);
    removeFrom(this.#same, wordsOf(found.meaning), found);
    this.#all.delete(found);
    return found;
  }

  /** The request that differs least, for people. */
  nearest(meaning: Meaning): Nearest | null {
    let best: Nearest | null = null;
    for (const ask of some(this.#open.get(keyOf(meaning)) ?? [])) {
      const differences = this.#differences(NO_PLACES, ask.meaning.about, meaning.about);
      if (best === null || differences.length < best.differences.length) best = { ask, differences };
    }
    return best;
  }

  #first(asks: Iterable<Ask>, value: unknown): Ask | null {
    for (const ask of some(asks)) if (this.#differences(this.#tree, ask.value, value).length === 0) return ask;
    return null;
  }

  /** Another version of the agent may ask the same in a line of another form. */
  #alike(asks: Iterable<Ask>, { about }: Meaning): Ask | null {
    for (const ask of some(asks)) if (this.#differences(NO_PLACES, ask.meaning.about, about).length === 0) return ask;
    return null;
  }

  /** Ids are ignored: no id is known, so each matches any other. */
  #differences(tree: Tree, recorded: unknown, live: unknown): Difference[] {
    const ids = new Ids(tree, KEEP);
    return compareLines(recorded, live, { tree, ids, role: ROLE, strict: false, cwd: this.#cwd }).differences;
  }
}

function* some(asks: Iterable<Ask>): Generator<Ask> {
  let count = 0;
  for (const ask of asks) {
    if (++count > COMPARED) return;
    yield ask;
  }
}

function addTo(index: Map<string, Set<Ask>>, key: string, ask: Ask): void {
  const known = index.get(key);
  if (known) known.add(ask);
  else index.set(key, new Set([ask]));
}

function removeFrom(index: Map<string, Set<Ask>>, key: string, ask: Ask): void {
  const known = index.get(key);
  known?.delete(ask);
  if (known?.size === 0) index.delete(key);
}

function wordsOf(meaning: Meaning): string {
  return `${keyOf(meaning)} ${fingerprint(meaning.about)}`;
}

function keyOf({ kind, method, tool }: Meaning): string {
  return JSON.stringify([kind, method, tool]);
}
