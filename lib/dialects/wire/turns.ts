/**
 * Which prompt the agent takes up, and when: a prompt is taken up once, and a turn is open until its prompt is answered or
 * the next one is taken up. Frames are named by their number.
 */
import { isObject } from '../../core/message.ts';

export class Turns {
  /** Sent, and neither answered nor taken up: the oldest first. */
  readonly #waiting: { f: number; input: unknown }[] = [];
  #open: number | null = null;
  #cancelled = false;
  /** The frame in hand, and whether the client has said anything by then. */
  #frame = 0;
  #clientHeard = false;
  /** Sent into the turn, and not yet in effect. */
  #steers: unknown[] = [];

  at(f: number, isAgent: boolean): void {
    this.#frame = f;
    if (!isAgent) this.#clientHeard = true;
  }

  /** In a log of the agent's own there are no prompts: a turn that begins there is one all the same, named by itself. */
  takeUnheard(): number | null {
    if (this.#clientHeard || this.#open !== null) return null;
    this.#open = this.#frame;
    return this.#frame;
  }

  /** Nor are there answers: such a turn ends with the agent's own bracket. */
  endUnheard(): number | null {
    if (this.#clientHeard) return null;
    const ended = this.#open;
    this.#open = null;
    return ended;
  }

  sent(f: number, input: unknown): void {
    this.#waiting.push({ f, input });
  }

  /** Takes up the oldest waiting prompt of this input; null if there is none. */
  takeSame(input: unknown): number | null {
    return this.#take(this.#waiting.findIndex((prompt) => isSame(prompt.input, input)));
  }

  /** Takes up the oldest waiting prompt unless a turn is open. */
  takeOldest(): number | null {
    return this.#open === null ? this.#take(0) : null;
  }

  #take(index: number): number | null {
    const [prompt] = index < 0 ? [] : this.#waiting.splice(index, 1);
    if (!prompt) return null;
    this.#open = prompt.f;
    this.#cancelled = false;
    this.#steers = [];
    return prompt.f;
  }

  steered(input: unknown): void {
    this.#steers.push(input);
  }

  /** Whether the client has sent this into the turn, and it comes into effect now. */
  takeSteer(input: unknown): boolean {
    const index = this.#steers.findIndex((sent) => isSame(sent, input));
    if (index >= 0) this.#steers.splice(index, 1);
    return index >= 0;
  }

  answered(f: number): void {
    const index = this.#waiting.findIndex((prompt) => prompt.f === f);
    if (index >= 0) this.#waiting.splice(index, 1);
    if (this.#open === f) this.#open = null;
  }

  /** The agent has agreed to cancel. Until 1.11 it may never answer the prompt then. */
  cancelled(): void {
    this.#cancelled = true;
  }

  /** The prompt of the turn that is open, by its frame. */
  get open(): number | null {
    return this.#open;
  }

  /** Whether the agent will refuse what it does only between turns. */
  get isBusy(): boolean {
    return this.#waiting.length > 0 || (this.#open !== null && !this.#cancelled);
  }
}

/** Deeper than any real input; whatever is deeper is not the same. */
const DEEPEST = 64;

/** Whether two inputs say the same: a key that is null is one that is absent. */
function isSame(a: unknown, b: unknown, depth = 0): boolean {
  if (a === b) return true;
  if (depth > DEEPEST) return false;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => isSame(item, b[index], depth + 1));
  if (!isObject(a) || !isObject(b)) return false;
  return (
    Object.keys(b).every((key) => b[key] === null || (Object.hasOwn(a, key) && a[key] !== null)) &&
    Object.keys(a).every((key) => a[key] === null || (Object.hasOwn(b, key) && isSame(a[key], b[key], depth + 1)))
  );
}
