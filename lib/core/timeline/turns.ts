/**
 * The turns of a session: a prompt waits until the agent takes it up, is a turn from then on, and ends with its answer, or
 * without one when the next is taken up or the agent is gone (rules T1-T5). Several are open at once only where the dialect
 * says to which of them things belong.
 */
import type { Event } from '../event.ts';
import { Agent } from './agents.ts';
import { INSIDE, type Place } from './item.ts';
import { Recent } from './recent.ts';
import { type Item, noUsage, type Turn } from './shape.ts';
import { Waiting } from './waiting.ts';

/** A turn, and what must be known while it is open. */
export interface Live {
  turn: Turn;
  main: Agent;
  waiting: Waiting;
}

export class Turns {
  /** Prompts that nobody has taken up yet, and the turns of those that somebody has, by the prompt's frame. */
  readonly #prompts: Recent<number, Item>;
  readonly #turns: Recent<number, Live>;
  readonly #open: Live[] = [];
  readonly #limit: number;
  #count = 0;

  constructor(limit: number) {
    this.#limit = limit;
    this.#prompts = new Recent(limit);
    this.#turns = new Recent(limit);
  }

  /** The one taken up last. */
  get current(): Live | null {
    return this.#open.at(-1) ?? null;
  }

  get open(): readonly Live[] {
    return this.#open;
  }

  /** To which turn something belongs: the one that is open when it comes, unless it says which. */
  of({ within }: Event): Live | null {
    return within === undefined ? this.current : (this.#turns.get(within) ?? null);
  }

  waits(prompt: Item): void {
    this.#prompts.set(prompt.f, prompt);
  }

  prompt(f: number | null): Item | null {
    return f === null ? null : (this.#prompts.get(f) ?? null);
  }

  taken(f: number | null): Live | null {
    return f === null ? this.current : (this.#turns.get(f) ?? null);
  }

  takeUp(f: number, { f: at, t }: Place): Live {
    const prompt = this.#prompts.get(f) ?? null;
    const turn: Turn = {
      is: 'turn',
      n: ++this.#count,
      prompt,
      status: null,
      code: null,
      cancelled_f: null,
      f: prompt?.f ?? at,
      f_end: at,
      t: prompt?.t ?? t,
      t_end: t,
      entries: [],
      usage: noUsage(),
      hidden: null,
      wait: 0,
      [INSIDE]: null,
    };
    if (prompt) prompt.turn = turn.n;
    const waiting = new Waiting((total) => {
      turn.wait = total;
    }, this.#limit);
    const live: Live = { turn, main: new Agent(), waiting };
    this.#prompts.delete(f);
    this.#turns.set(f, live);
    this.#open.push(live);
    return live;
  }

  refused(f: number | null): void {
    if (f !== null) this.#prompts.delete(f);
  }

  /** False if it was over already. */
  end(live: Live): boolean {
    const at = this.#open.indexOf(live);
    if (at >= 0) this.#open.splice(at, 1);
    return at >= 0;
  }

  get retained(): number {
    return this.#prompts.size + this.#turns.size;
  }
}
