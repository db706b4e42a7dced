/**
 * Rules that watch the same things are read by one watcher: it takes each frame once and tells which of them is broken.
 * Each is still a rule of its own, so that any of them can be left out.
 */
import type { ReadFrame } from '../../dialects/read.ts';
import type { Broken, CheckedSession, Rule, RuleReader } from '../rule.ts';

/** What the list tells of a rule, besides its id and its dialects. */
export type Head = Pick<Rule, 'severity' | 'fault' | 'title' | 'ref'>;

export type Told<Id extends string> = Broken & { rule: Id };

export interface Watcher<Id extends string> {
  take(read: ReadFrame): Told<Id>[];
  end?(): Told<Id>[];
}

export function watch<Id extends string>(
  dialects: readonly string[] | null,
  heads: Record<Id, Head>,
  open: (session: CheckedSession) => Watcher<Id>,
): Rule[] {
  const watched = new WeakMap<CheckedSession, Shared<Id>>();
  return (Object.keys(heads) as Id[]).map((id) => ({
    ...{ id, dialects, ...heads[id] },
    open(session) {
      let shared = watched.get(session);
      // The same rule opened once more: somebody reads the session again.
      if (!shared || shared.opened.has(id)) {
        shared = new Shared(open(session));
        watched.set(session, shared);
      }
      shared.opened.add(id);
      return shared.reader(id);
    },
  }));
}

class Shared<Id extends string> {
  readonly opened = new Set<Id>();
  readonly #watcher: Watcher<Id>;
  #latest: ReadFrame | null = null;
  #told: Told<Id>[] = [];
  #last: Told<Id>[] | null = null;

  constructor(watcher: Watcher<Id>) {
    this.#watcher = watcher;
  }

  reader(id: Id): RuleReader {
    return {
      take: (read) => {
        if (read !== this.#latest) {
          this.#latest = read;
          this.#told = this.#watcher.take(read);
        }
        return this.#told.length === 0 ? this.#told : pick(this.#told, id);
      },
      end: () => {
        this.#last ??= this.#watcher.end?.() ?? [];
        return pick(this.#last, id);
      },
    };
  }
}

function pick<Id extends string>(told: Told<Id>[], id: Id): Broken[] {
  return told.filter(({ rule }) => rule === id).map(({ rule: _, ...broken }) => broken);
}
