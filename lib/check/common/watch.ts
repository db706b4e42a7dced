/**
 * Rules that look at the same things are read by one reader: it takes each frame once and tells which of them is broken.
 * Each is still a rule of its own, so that any of them can be left out.
 */
import type { Ledger } from '../../core/ledger/ledger.ts';
import type { ReadFrame } from '../../session/read.ts';
import type { Broken, Head, Rule, SessionToCheck, Watcher } from '../rule.ts';

export type Told<Id extends string> = Broken & { rule: Id };

export interface GroupReader<Id extends string> {
  take(read: ReadFrame): Told<Id>[];
  end?(ledger: Ledger): Told<Id>[];
}

export function watch<Id extends string>(
  dialects: readonly string[] | null,
  heads: Readonly<Record<Id, Head>>,
  open: (session: SessionToCheck) => GroupReader<Id>,
): Rule[] {
  class Group implements Watcher {
    readonly #reader: GroupReader<Id>;
    told: Told<Id>[] = [];
    #last: Told<Id>[] | null = null;

    constructor(session: SessionToCheck) {
      this.#reader = open(session);
    }

    take(read: ReadFrame): void {
      this.told = this.#reader.take(read);
    }

    last(ledger: Ledger): Told<Id>[] {
      this.#last ??= this.#reader.end?.(ledger) ?? [];
      return this.#last;
    }
  }
  return (Object.keys(heads) as Id[]).map((id) => ({
    ...{ id, dialects, ...heads[id] },
    open(session) {
      const group = session.share(Group);
      return { take: () => pick(group.told, id), end: (ledger) => pick(group.last(ledger), id) };
    },
  }));
}

const NONE: Broken[] = [];

function pick<Id extends string>(told: Told<Id>[], id: Id): Broken[] {
  if (told.length === 0) return NONE;
  return told.filter(({ rule }) => rule === id).map(({ rule: _, ...broken }) => broken);
}
