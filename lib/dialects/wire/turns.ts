/**
 * Which prompt the agent takes up, and when. A prompt is taken up once, and its turn is open until the prompt is
 * answered or the next one is taken up. Prompts are identified by frame.
 */
import { isObject } from '../../model/message.ts';

export class WireTurns {
  /** Neither answered nor taken up, oldest first. */
  readonly #waiting: { f: number; input: unknown }[] = [];
  /** The prompt of the open turn. */
  open: number | null = null;
  #cancelled = false;
  /** The current frame, and whether the client has sent anything so far. */
  #frame = 0;
  #clientSpoke = false;
  /** Sent into the turn and not yet in effect. */
  #steers: unknown[] = [];

  at(f: number, isAgent: boolean): void {
    this.#frame = f;
    if (!isAgent) this.#clientSpoke = true;
  }

  /** The agent's own log has no prompts. A turn that begins there is identified by its own frame. */
  takeUnprompted(): number | null {
    if (this.#clientSpoke || this.open !== null) return null;
    this.open = this.#frame;
    return this.#frame;
  }

  /** Nor does it have answers, so such a turn ends with the agent's own end marker. */
  endUnprompted(): number | null {
    if (this.#clientSpoke) return null;
    const ended = this.open;
    this.open = null;
    return ended;
  }

  sent(f: number, input: unknown): void {
    this.#waiting.push({ f, input });
  }

  /** Takes up the oldest waiting prompt with this input; null if there is none. */
  takeSame(input: unknown): number | null {
    return this.#take(this.#waiting.findIndex((prompt) => isSameInput(prompt.input, input)));
  }

  /** Takes up the oldest waiting prompt unless a turn is open. */
  takeOldest(): number | null {
    return this.open === null ? this.#take(0) : null;
  }

  #take(index: number): number | null {
    const [prompt] = index < 0 ? [] : this.#waiting.splice(index, 1);
    if (!prompt) return null;
    this.open = prompt.f;
    this.#cancelled = false;
    this.#steers = [];
    return prompt.f;
  }

  steered(input: unknown): void {
    this.#steers.push(input);
  }

  /** Whether this is a message that the client sent into the turn, which now takes effect. */
  takeSteer(input: unknown): boolean {
    const index = this.#steers.findIndex((sent) => isSameInput(sent, input));
    if (index >= 0) this.#steers.splice(index, 1);
    return index >= 0;
  }

  answered(f: number): void {
    const index = this.#waiting.findIndex((prompt) => prompt.f === f);
    if (index >= 0) this.#waiting.splice(index, 1);
    if (this.open === f) this.open = null;
  }

  /** The agent has accepted a cancel. Until 1.11 it may never answer the prompt after that. */
  cancelled(): void {
    this.#cancelled = true;
  }

  /** Whether the agent refuses what it does only between turns. */
  get isBusy(): boolean {
    return this.#waiting.length > 0 || (this.open !== null && !this.#cancelled);
  }
}

/** Deeper than any real input. Anything deeper counts as different. */
const MAX_DEPTH = 64;

/** Whether two inputs are the same. A key with a null value counts as absent. */
function isSameInput(a: unknown, b: unknown, depth = 0): boolean {
  if (a === b) return true;
  if (depth > MAX_DEPTH) return false;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => isSameInput(item, b[index], depth + 1));
  if (!isObject(a) || !isObject(b)) return false;
  return (
    Object.keys(b).every((key) => b[key] === null || (Object.hasOwn(a, key) && a[key] !== null)) &&
    Object.keys(a).every((key) => a[key] === null || (Object.hasOwn(b, key) && isSameInput(a[key], b[key], depth + 1)))
  );
}
