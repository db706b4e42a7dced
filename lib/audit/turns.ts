/** The turns of a session as the audit needs them: which are open, which prompt was answered where (rules T1-T5). */
import type { Event } from '../core/event.ts';
import { Recent } from '../core/timeline/recent.ts';
import type { Place, Turn } from './case.ts';

const REMEMBERED = 10_000;

export class Turns {
  readonly #byPrompt = new Recent<number, Turn>(REMEMBERED);
  readonly #byNumber = new Recent<number, Turn>(REMEMBERED);
  readonly #open: Turn[] = [];
  #count = 0;

  get count(): number {
    return this.#count;
  }

  get isOpen(): boolean {
    return this.#open.length > 0;
  }

  numbered(n: number | null): Turn | null {
    return n === null ? null : (this.#byNumber.get(n) ?? null);
  }

  /** A prompt is taken up; null if it was already. Ends the others, unless the dialect tells them apart. */
  takeUp(prompt: number, { within }: Event): Turn | null {
    if (this.#byPrompt.has(prompt)) return null;
    if (within !== prompt) this.endAll();
    const turn: Turn = { n: ++this.#count, answer: null, over: false, open: new Set() };
    this.#byPrompt.set(prompt, turn);
    this.#byNumber.set(turn.n, turn);
    this.#open.push(turn);
    return turn;
  }

  /** The turn whose prompt this answers first. */
  answered(prompt: number | null, { f, t }: Place): Turn | null {
    const turn = prompt === null ? this.#open.at(-1) : this.#byPrompt.get(prompt);
    if (!turn || turn.answer) return null;
    turn.answer = { f, t };
    this.#end(turn);
    return turn;
  }

  endAll(): void {
    for (const turn of [...this.#open]) this.#end(turn);
  }

  #end(turn: Turn): void {
    turn.over = true;
    const at = this.#open.indexOf(turn);
    if (at >= 0) this.#open.splice(at, 1);
  }
}
