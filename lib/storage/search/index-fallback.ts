/**
 * Falls back to the tapes if the index fails. Damage may show at any time: when a page is first read, or when the number
 * of rows is wrong. Then the index is set aside, and this session and all later ones are read from their tapes. The next
 * reader builds a new index.
 */
import type { IndexMessages } from '../index/catch-up.ts';
import { indexPath, inodeAt, replaceDamaged } from '../index/file.ts';
import { isDamage, isIndexError, isRowsGone, unavailable } from '../index/sqlite.ts';
import { loadTapeReadersFor } from './tape-readers.ts';
import type { Target } from './targets.ts';

export class IndexFallback {
  readonly #home: string;
  readonly #messages: IndexMessages;
  readonly #inode: number;
  #readsTapes = false;

  /** Call this before reading: only the file that is the index now may be set aside. */
  constructor(home: string, talk: IndexMessages) {
    this.#home = home;
    this.#messages = talk;
    this.#inode = inodeAt(indexPath(home));
  }

  /** Calls `query` with the session, and again without the index if that failed. Quick if the answer is no promise. */
  run<T>(target: Target, query: (target: Target) => T | Promise<T>): T | Promise<T> {
    if (this.#readsTapes) return query(fromTape(target));
    try {
      const result = query(target);
      return result instanceof Promise ? result.catch((error) => this.#runOnTape(error, target, query)) : result;
    } catch (error) {
      return this.#runOnTape(error, target, query);
    }
  }

  async #runOnTape<T>(error: unknown, target: Target, query: (target: Target) => T | Promise<T>): Promise<T> {
    if (!isIndexError(error)) throw error;
    this.#abandonIndex(error);
    await loadTapeReadersFor([{ key: null }]);
    return query(fromTape(target));
  }

  #abandonIndex(error: unknown): void {
    this.#readsTapes = true;
    // Another process has replaced it.
    if (isRowsGone(error)) return;
    try {
      if (!isDamage(error)) throw error;
      replaceDamaged(this.#home, this.#inode, { patienceMs: 1000, notice: this.#messages.notice });
    } catch (further) {
      const { message, hint } = unavailable(further);
      this.#messages.notice(`${message}; reading the tapes instead`, hint);
    }
  }
}

function fromTape({ summary, place, begun }: Target): Target {
  return { summary, place, begun, key: null };
}
