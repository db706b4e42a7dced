/**
 * Answers that do not depend on how the index fares. Damage may show anywhere: when a page is read for the first time,
 * or when rows do not come to what they should. Then the index is set aside, that session is asked again, of its tape,
 * and so are all after it; the next reader makes a new index.
 */
import type { Talk } from '../record/catch-up.ts';
import { fileAt, indexPath, replaceDamaged } from '../store/index-file.ts';
import { isDamage, isGone, isOfIndex, unavailable } from '../store/sqlite.ts';
import { loadFor } from './by-tape.ts';
import type { Target } from './targets.ts';

export class Sound {
  readonly #home: string;
  readonly #talk: Talk;
  readonly #file: number;
  #byTape = false;

  /** Before anything is read: what somebody else puts in the index's place is not what we may find damaged. */
  constructor(home: string, talk: Talk) {
    this.#home = home;
    this.#talk = talk;
    this.#file = fileAt(indexPath(home));
  }

  /** Calls `answer` with the session, and once more if it was the index that failed; what it said till then it knows. */
  async ask<T>(target: Target, answer: (target: Target) => T | Promise<T>): Promise<T> {
    if (this.#byTape) return answer(fromTape(target));
    try {
      return await answer(target);
    } catch (error) {
      if (!isOfIndex(error)) throw error;
      this.#abandon(error);
      await loadFor([{ key: null }]);
      return answer(fromTape(target));
    }
  }

  #abandon(error: unknown): void {
    this.#byTape = true;
    // Another was faster.
    if (isGone(error)) return;
    try {
      if (!isDamage(error)) throw error;
      replaceDamaged(this.#home, this.#file, { patienceMs: 1000, notice: this.#talk.notice });
    } catch (further) {
      const { message, hint } = unavailable(further);
      this.#talk.notice(`${message}; the tapes are read instead`, hint);
    }
  }
}

function fromTape({ summary, place, begun }: Target): Target {
  return { summary, place, begun, key: null };
}
