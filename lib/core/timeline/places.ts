/** Which entry is part of which, so that whatever grows lets everything around it grow; and the session's top. */
import { type Place, reach } from './item.ts';
import type { Entry, Item } from './shape.ts';

export class Places {
  readonly #keep: boolean;
  readonly #top: Entry[];
  readonly #inside = new WeakMap<Entry, Entry>();

  constructor(top: Entry[], keep: boolean) {
    this.#top = top;
    this.#keep = keep;
  }

  /** `into` null: at the top. */
  put(entry: Entry, into: Entry | null): void {
    if (into) this.#inside.set(entry, into);
    if (this.#keep) (into?.entries ?? this.#top).push(entry);
    if (into) this.reach(into, entry);
  }

  around(entry: Entry): Entry | null {
    return this.#inside.get(entry) ?? null;
  }

  /** A frame is part of it. A turn that is over grows no more, whatever comes late. */
  reach(entry: Entry, place: Place): void {
    for (let one: Entry | undefined = entry; one; one = this.#inside.get(one)) {
      if (one.is === 'turn' && one.status !== null) return;
      reach(one, place);
    }
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
