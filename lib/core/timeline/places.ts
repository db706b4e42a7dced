/** Which entry is part of which, so that whatever grows lets everything around it grow; and the session's top. */
import { INSIDE, reach } from './item.ts';
import type { Entry, Item } from './shape.ts';

export class Places {
  readonly #keep: boolean;
  readonly #top: Entry[];

  constructor(top: Entry[], keep: boolean) {
    this.#top = top;
    this.#keep = keep;
  }

  /** `into` null: at the top. */
  put(entry: Entry, into: Entry | null): void {
    entry[INSIDE] = into;
    if (this.#keep) (into?.entries ?? this.#top).push(entry);
    // What goes on in the background goes on beside what it is part of.
    if (into && !isApart(entry)) grow(into, entry.f, entry.t);
  }

  /** Before another, in what that is part of. */
  move(entry: Entry, before: Entry): void {
    const from = entry[INSIDE]?.entries ?? this.#top;
    const at = from.lastIndexOf(entry);
    if (at >= 0) from.splice(at, 1);
    const into = before[INSIDE] ?? null;
    entry[INSIDE] = into;
    const to = into?.entries ?? this.#top;
    if (this.#keep) to.splice(to.lastIndexOf(before), 0, entry);
  }

  around(entry: Entry): Entry | null {
    return entry[INSIDE] ?? null;
  }

  /** A frame is part of it. What a turn that is over holds grows no more by what comes late, but for the item itself. */
  reach(entry: Entry, f: number, t: number): void {
    reach(entry, f, t);
    const around = entry[INSIDE];
    if (around && !isApart(entry)) grow(around, f, t);
  }

  /**
   * Takes from the top what came since a prompt: it belongs to the turn that the prompt has become (rule T6). Other prompts,
   * what agents do in the background, and what was sent again stay where they are.
   */
  takeSince(prompt: Item, into: Entry & { is: 'turn' }): Item[] {
    const at = this.#top.lastIndexOf(prompt);
    const since = at < 0 ? [] : this.#top.splice(at).slice(1);
    const adopted: Item[] = [];
    this.#top.push(into);
    for (const entry of since) {
      if (!belongs(entry)) this.#top.push(entry);
      else {
        this.put(entry, into);
        number(entry, into.n, adopted);
      }
    }
    return adopted;
  }
}

/** It goes on in the background. */
const isApart = (entry: Entry): boolean => entry.is === 'item' && entry.turn === null;

/** It and what is around it, unless the outermost is a turn that is over. */
function grow(entry: Entry, f: number, t: number): void {
  let outer = entry;
  for (let one = entry[INSIDE]; one; one = one[INSIDE]) outer = one;
  if (outer.is === 'turn' && outer.status !== null) return;
  for (let one: Entry | null | undefined = entry; one; one = one[INSIDE]) reach(one, f, t);
}

function belongs(entry: Entry): boolean {
  if (entry.is !== 'item') return entry.is === 'step';
  if (entry.kind === 'prompt') return false;
  return !entry.flags.includes('background') && !entry.flags.includes('replayed');
}

function number(entry: Entry, turn: number, adopted: Item[]): void {
  if (entry.is === 'item') {
    entry.turn = turn;
    adopted.push(entry);
  }
  for (const inner of entry.entries) number(inner, turn, adopted);
}
