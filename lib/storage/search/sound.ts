/**
 * Falls back to the tapes if the index fails. Damage may show at any time: when a page is first read, or when the number
 * of rows is wrong. Then the index is set aside, and this session and all later ones are read from their tapes. The next
 * reader builds a new index.
 */
import type { Talk } from '../index/catch-up.ts';
import { fileAt, indexPath, replaceDamaged } from '../index/file.ts';
import { isDamage, isGone, isOfIndex, unavailable } from '../index/sqlite.ts';
import { loadFor } from './by-tape.ts';
import type { Target } from './targets.ts';

export class Sound {
  readonly #home: string;
  readonly #talk: Talk;
  readonly #file: number;
  #byTape = false;

  /** Call this before reading: only the file that is the index now may be set aside. */
  constructor(home: string, talk: Talk) {
    this.#home = home;
    this.#talk = talk;
    this.#file = fileAt(indexPath(home));
  }

  /** Calls `answer` with the session, and again without the index if that failed. Quick if the answer is no promise. */
  ask<T>(target: Target, answer: (target: Target) => T | Promise<T>): T | Promise<T> {
    if (this.#byTape) return answer(fromTape(target));
    try {
      const answered = answer(target);
      return answered instanceof Promise ? answered.catch((error) => this.#askTape(error, target, answer)) : answered;
    } catch (error) {
      return this.#askTape(error, target, answer);
    }
  }

  async #askTape<T>(error: unknown, target: Target, answer: (target: Target) => T | Promise<T>): Promise<T> {
    if (!isOfIndex(error)) throw error;
    this.#abandon(error);
    await loadFor([{ key: null }]);
    return answer(fromTape(target));
  }

  #abandon(error: unknown): void {
    this.#byTape = true;
    // Another process has replaced it.
    if (isGone(error)) return;
    try {
      if (!isDamage(error)) throw error;
      replaceDamaged(this.#home, this.#file, { patienceMs: 1000, notice: this.#talk.notice });
    } catch (further) {
      const { message, hint } = unavailable(further);
      this.#talk.notice(`${message}; reading the tapes instead`, hint);
    }
  }
}

function fromTape({ summary, place, begun }: Target): Target {
  return { summary, place, begun, key: null };
}
