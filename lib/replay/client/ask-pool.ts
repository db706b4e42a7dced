/**
 * What the recorded agent asked and the live one has not asked yet. A live request gets the answer of the first recorded
 * one that means the same. Another command, file or question is another request.
 */

import { LimitedMap } from '../../model/limited-map.ts';
import { fingerprint } from '../../model/text/fingerprint.ts';
import { compareLines, type Difference } from '../compare-lines.ts';
import { type IdTree, idTreeOf } from '../id-tree.ts';
import { type IdOptions, Ids } from '../ids.ts';
import type { RecordedAsk } from './drive-step.ts';
import type { RequestMeaning } from './request-meaning.ts';

export interface NearestAsk {
  ask: RecordedAsk;
  differences: Difference[];
}

const KEEP_IDS: IdOptions = { keep: true, random: Math.random };
const AGENT_REQUEST = { from: 'agent', isAnswer: false } as const;
/** The meaning of a request has no ids. */
const NO_IDS = idTreeOf({ requestIds: [] });
const MAX_OPEN_ASKS = 100_000;
/** So many recorded requests are compared with a live one. */
const MAX_COMPARED_ASKS = 1000;

export class AskPool {
  /** By what they ask for, in the order of the tape. */
  readonly #byKind = new Map<string, Set<RecordedAsk>>();
  /** The same by every word of it. Where much was never asked, few of those that are left need to be compared. */
  readonly #byContent = new Map<string, Set<RecordedAsk>>();
  readonly #all = new LimitedMap<RecordedAsk, true>(MAX_OPEN_ASKS);
  readonly #tree: IdTree;
  readonly #cwd: readonly [string, string] | null;

  constructor(tree: IdTree, cwd: readonly [recorded: string, live: string] | null) {
    this.#tree = tree;
    this.#cwd = cwd;
  }

  add(ask: RecordedAsk): void {
    addTo(this.#byKind, kindKeyOf(ask.meaning), ask);
    addTo(this.#byContent, exactKeyOf(ask.meaning), ask);
    this.#all.set(ask, true);
  }

  /** What was never asked, in the order of the tape. */
  get open(): Iterable<RecordedAsk> {
    return this.#all.keys();
  }

  /** The recorded request that a live one matches; it is not offered again. */
  take(meaning: RequestMeaning, value: unknown): RecordedAsk | null {
    const asks = this.#byKind.get(kindKeyOf(meaning));
    const same = this.#byContent.get(exactKeyOf(meaning)) ?? [];
    const found =
      asks &&
      (this.#firstEqual(same, value) ?? this.#firstEqual(asks, value) ?? this.#firstWithSameMeaning(asks, meaning));
    if (!found) return null;
    removeFrom(this.#byKind, kindKeyOf(found.meaning), found);
    removeFrom(this.#byContent, exactKeyOf(found.meaning), found);
    this.#all.delete(found);
    return found;
  }

  /** The request that differs least, for people. */
  nearest(meaning: RequestMeaning): NearestAsk | null {
    let best: NearestAsk | null = null;
    for (const ask of firstFew(this.#byKind.get(kindKeyOf(meaning)) ?? [])) {
      const differences = this.#differences(NO_IDS, ask.meaning.about, meaning.about);
      if (best === null || differences.length < best.differences.length) best = { ask, differences };
    }
    return best;
  }

  #firstEqual(asks: Iterable<RecordedAsk>, value: unknown): RecordedAsk | null {
    for (const ask of firstFew(asks)) if (this.#differences(this.#tree, ask.value, value).length === 0) return ask;
    return null;
  }

  /** Another version of the agent may ask the same in a line of another form. */
  #firstWithSameMeaning(asks: Iterable<RecordedAsk>, { about }: RequestMeaning): RecordedAsk | null {
    for (const ask of firstFew(asks)) if (this.#differences(NO_IDS, ask.meaning.about, about).length === 0) return ask;
    return null;
  }

  /** Ids are ignored: no id is known, so each matches any other. */
  #differences(tree: IdTree, recorded: unknown, live: unknown): Difference[] {
    const ids = new Ids(tree, KEEP_IDS);
    return compareLines(recorded, live, { tree, ids, role: AGENT_REQUEST, strict: false, cwd: this.#cwd }).differences;
  }
}

function* firstFew(asks: Iterable<RecordedAsk>): Generator<RecordedAsk> {
  let count = 0;
  for (const ask of asks) {
    if (++count > MAX_COMPARED_ASKS) return;
    yield ask;
  }
}

function addTo(index: Map<string, Set<RecordedAsk>>, key: string, ask: RecordedAsk): void {
  const known = index.get(key);
  if (known) known.add(ask);
  else index.set(key, new Set([ask]));
}

function removeFrom(index: Map<string, Set<RecordedAsk>>, key: string, ask: RecordedAsk): void {
  const known = index.get(key);
  known?.delete(ask);
  if (known?.size === 0) index.delete(key);
}

function exactKeyOf(meaning: RequestMeaning): string {
  return `${kindKeyOf(meaning)} ${fingerprint(meaning.about)}`;
}

function kindKeyOf({ kind, method, tool }: RequestMeaning): string {
  return JSON.stringify([kind, method, tool]);
}
