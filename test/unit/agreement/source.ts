/** One part of the program that looks on while a session is read, and can say at the end what it makes of it. */

import type { ReadFrame } from '../../../lib/model/read-frame.ts';
import type { Timeline } from '../../../lib/model/timeline/entries.ts';
import type { Book } from './book.ts';

export interface AboutSession {
  command: readonly string[];
  dialect: string;
  source: string;
}

export interface Witness {
  take(read: ReadFrame): void;
  /** `timeline`: the tree, for those that count in it. */
  end(timeline: Timeline): Book[];
}

/** What an agent asks its client. */
export const ASKING: ReadonlySet<string> = new Set(['approval', 'question', 'client-call', 'hook']);

/** To which item a frame that announces one call belongs: its arguments may have come before it. */
export class Announced {
  readonly #items = new Map<number, number>();

  take({ frame, events, where }: ReadFrame): void {
    const calls = events.filter(({ kind, restates }) => kind === 'tool-call' && !restates);
    if (calls.length === 1 && calls[0] === events[0] && where.item !== null) this.#items.set(frame.f, where.item);
  }

  item(f: number): number {
    return this.#items.get(f) ?? f;
  }
}
