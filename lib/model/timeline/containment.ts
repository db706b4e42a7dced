/** Which entry is inside which, so that an entry that grows extends everything around it. */

import type { Entry, Item } from './entries.ts';
import { CONTAINER, extendSpan } from './item.ts';

export class Containment {
  readonly #keep: boolean;
  readonly #top: Entry[];

  constructor(top: Entry[], keep: boolean) {
    this.#top = top;
    this.#keep = keep;
  }

  /** `into` null: at the top level. */
  put(entry: Entry, into: Entry | null): void {
    entry[CONTAINER] = into;
    if (this.#keep) (into?.entries ?? this.#top).push(entry);
    // Background work does not extend the entry that contains it.
    if (into && !isInBackground(entry)) extendAll(into, entry.f, entry.t);
  }

  /** Moves an entry to the position before another. */
  move(entry: Entry, before: Entry): void {
    const from = entry[CONTAINER]?.entries ?? this.#top;
    const at = from.lastIndexOf(entry);
    if (at >= 0) from.splice(at, 1);
    const into = before[CONTAINER] ?? null;
    entry[CONTAINER] = into;
    const to = into?.entries ?? this.#top;
    if (this.#keep) to.splice(to.lastIndexOf(before), 0, entry);
  }

  moveInto(entry: Entry, into: Entry): void {
    const from = entry[CONTAINER]?.entries ?? this.#top;
    const at = from.lastIndexOf(entry);
    if (at >= 0) from.splice(at, 1);
    this.put(entry, into);
  }

  containerOf(entry: Entry): Entry | null {
    return entry[CONTAINER] ?? null;
  }

  /** Adds a frame to an entry. In a turn that has ended, a late frame extends only the item itself. */
  reach(entry: Entry, f: number, t: number): void {
    extendSpan(entry, f, t);
    const container = entry[CONTAINER];
    if (container && !isInBackground(entry)) extendAll(container, f, t);
  }

  /** Moves entries since a prompt from the top level into its turn, if their frames belong to it. */
  takeSince(prompt: Item, into: Entry & { is: 'turn' }, frames: ReadonlySet<number>): void {
    const at = this.#top.lastIndexOf(prompt);
    const since = at < 0 ? [] : this.#top.splice(at).slice(1);
    this.#top.push(into);
    for (const entry of since) {
      if (!frames.has(entry.f)) this.#top.push(entry);
      else {
        this.put(entry, into);
        setTurn(entry, into.n);
      }
    }
  }
}

/** It runs in the background. */
const isInBackground = (entry: Entry): boolean => entry.is === 'item' && entry.turn === null;

/** Extends an entry and everything around it, unless the outermost is a turn that has ended. */
function extendAll(entry: Entry, f: number, t: number): void {
  let outer = entry;
  for (let one = entry[CONTAINER]; one; one = one[CONTAINER]) outer = one;
  if (outer.is === 'turn' && outer.status !== null) return;
  for (let one: Entry | null | undefined = entry; one; one = one[CONTAINER]) extendSpan(one, f, t);
}

function setTurn(entry: Entry, turn: number): void {
  if (entry.is === 'item') entry.turn = turn;
  for (const inner of entry.entries) setTurn(inner, turn);
}
