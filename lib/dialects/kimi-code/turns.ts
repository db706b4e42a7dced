/**
 * The main agent's turns. A journal has a record when a prompt comes; if no turn is open, that is when it is taken up, and
 * else it waits until something is said of its own turn. Prompts are named by their frames, turns by the journal's ids.
 */
import { idOf } from '../fields.ts';

interface Turn {
  id: string | null;
  f: number;
}

export class Turns {
  #open: Turn | null = null;
  #waiting: Turn[] = [];

  /** True if it is taken up at once. Without an id there is nothing by which it could be known later. */
  prompted(turnId: unknown, f: number): boolean {
    const turn = { id: nameOf(turnId), f };
    const isNext = this.#open === null || turn.id === null || this.#open.id === null || this.#open.id === turn.id;
    if (isNext) this.#open = turn;
    else this.#waiting.push(turn);
    return isNext;
  }

  /** Something is said of a turn: the prompt that is taken up with it, if it has waited. */
  spoken(turnId: unknown): number | null {
    if (this.#waiting.length === 0) return null;
    const turn = this.#leave(nameOf(turnId));
    if (turn) this.#open = turn;
    return turn?.f ?? null;
  }

  /** The prompt whose turn is over, or that will have none; null if there is no such turn. */
  ended(turnId: unknown): number | null {
    const id = nameOf(turnId);
    const open = this.#open;
    if (!open || (id !== null && open.id !== null && open.id !== id)) return this.#leave(id)?.f ?? null;
    this.#open = null;
    return open.f;
  }

  #leave(id: string | null): Turn | null {
    const index = this.#waiting.findIndex((turn) => turn.id === id);
    return index < 0 ? null : this.#waiting.splice(index, 1)[0]!;
  }
}

/** A number in some records, the same as text in others. */
function nameOf(turnId: unknown): string | null {
  const id = idOf(turnId);
  return id === null ? null : String(id);
}
