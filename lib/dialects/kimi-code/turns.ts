/**
 * The main agent's turns. If no turn is open when a prompt is recorded, the prompt is taken up at once; otherwise it
 * waits for the first record of its own turn. Prompts are identified by frame, turns by the journal's ids.
 */
import { idOf } from '../common/fields.ts';

interface JournalTurn {
  id: string | null;
  f: number;
}

export class JournalTurns {
  #open: JournalTurn | null = null;
  #waiting: JournalTurn[] = [];

  /** True if it is taken up at once. A prompt without an id is, because nothing could refer to it later. */
  prompted(turnId: unknown, f: number): boolean {
    const turn = { id: nameOf(turnId), f };
    const isNext = this.#open === null || turn.id === null || this.#open.id === null || this.#open.id === turn.id;
    if (isNext) this.#open = turn;
    else this.#waiting.push(turn);
    return isNext;
  }

  /** A record of a turn: the waiting prompt that it takes up, if any. */
  takeUp(turnId: unknown): number | null {
    if (this.#waiting.length === 0) return null;
    const turn = this.#removeWaiting(nameOf(turnId));
    if (turn) this.#open = turn;
    return turn?.f ?? null;
  }

  /** The prompt whose turn ended, or that will not have one; null if it is unknown. */
  ended(turnId: unknown): number | null {
    const id = nameOf(turnId);
    const open = this.#open;
    if (!open || (id !== null && open.id !== null && open.id !== id)) return this.#removeWaiting(id)?.f ?? null;
    this.#open = null;
    return open.f;
  }

  #removeWaiting(id: string | null): JournalTurn | null {
    const index = this.#waiting.findIndex((turn) => turn.id === id);
    return index < 0 ? null : this.#waiting.splice(index, 1)[0]!;
  }
}

/** Some records have the id as a number, others as a string. */
function nameOf(turnId: unknown): string | null {
  const id = idOf(turnId);
  return id === null ? null : String(id);
}
