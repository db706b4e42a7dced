/**
 * The turns of a session. A turn begins when the agent takes up a waiting prompt. It ends with the answer to the prompt, or
 * without one when the next turn begins or the agent is gone (rules T1-T5). Several are open at once only if the dialect
 * says which turn an event belongs to. What comes between a prompt and its turn belongs to the turn (rule T6).
 */
import type { Event } from '../event.ts';
import { LimitedMap } from '../limited-map.ts';
import { Agent } from './agents.ts';
import type { FramePosition, TurnRecord } from './records.ts';
import { WaitingTime } from './waiting-time.ts';

/** A turn, and what is needed while it is open. */
export interface OpenTurn {
  turn: TurnRecord;
  main: Agent;
  waiting: WaitingTime;
}

/** How many frames outside a turn are kept, because they may belong to the next turn. */
const MAX_FRAMES_OUTSIDE_TURNS = 10_000;

export class Turns {
  /** Waiting prompts by frame, and the turns of those that were taken up. */
  readonly #prompts: LimitedMap<number, FramePosition>;
  readonly #turns: LimitedMap<number, OpenTurn>;
  readonly #open: OpenTurn[] = [];
  readonly #limit: number;
  #count = 0;
  /** The agent is in a turn that it began itself. It has no number: turns are the client's (rule T9). */
  isInOwnTurn = false;
  /** Frames outside a turn, and whether each is a prompt. */
  #outside: { f: number; isPrompt: boolean }[] = [];

  constructor(limit: number) {
    this.#limit = limit;
    this.#prompts = new LimitedMap(limit);
    this.#turns = new LimitedMap(limit, ({ turn }) => turn.status === null);
  }

  get count(): number {
    return this.#count;
  }

  /** The turn that began last. */
  get current(): OpenTurn | null {
    const { length } = this.#open;
    return length === 0 ? null : this.#open[length - 1]!;
  }

  get open(): readonly OpenTurn[] {
    return this.#open;
  }

  /** The turn of an event: the current one, unless the event says which. */
  turnOfEvent({ within }: Event): OpenTurn | null {
    return within === undefined ? this.current : (this.#turns.get(within) ?? null);
  }

  addPrompt({ f, t }: FramePosition): void {
    this.#prompts.set(f, { f, t });
  }

  /** The prompts that were not taken up, by their frames. */
  get waitingPrompts(): Iterable<number> {
    return this.#prompts.keys();
  }

  turnOfPrompt(f: number | null): OpenTurn | null {
    return f === null ? this.current : (this.#turns.get(f) ?? null);
  }

  takeUp(f: number, place: FramePosition): OpenTurn {
    const prompt = this.#prompts.get(f);
    const start = prompt ?? place;
    const turn: TurnRecord = {
      n: ++this.#count,
      prompt_f: f,
      is_seen: prompt !== undefined,
      f: start.f,
      t: start.t,
      status: null,
      code: null,
      cancelled_f: null,
      answered: null,
      wait: 0,
    };
    const waiting = new WaitingTime((total) => {
      turn.wait = total;
    }, this.#limit);
    const open: OpenTurn = { turn, main: new Agent(), waiting };
    this.#prompts.delete(f);
    this.#turns.set(f, open);
    this.#open.push(open);
    return open;
  }

  /** This open turn answers the waiting prompt too. False if there is no such turn, or the prompt is not waiting. */
  joinPrompt(f: number, open: OpenTurn | null): boolean {
    if (!open || !this.#prompts.delete(f)) return false;
    this.#turns.set(f, open);
    return true;
  }

  removePrompt(f: number | null): void {
    if (f !== null) this.#prompts.delete(f);
  }

  /** False if it had already ended. */
  end(one: OpenTurn): boolean {
    const at = this.#open.indexOf(one);
    if (at >= 0) this.#open.splice(at, 1);
    return at >= 0;
  }

  /** A frame belongs to no turn so far. */
  addOutsideFrame(f: number, isPrompt: boolean): void {
    if (this.#outside.push({ f, isPrompt }) > MAX_FRAMES_OUTSIDE_TURNS)
      this.#outside.splice(0, MAX_FRAMES_OUTSIDE_TURNS / 2);
  }

  /** The frames of the turn that begins now: its prompt, and everything since except other prompts. */
  takeFramesOfTurn(prompt: number): number[] {
    // A prompt on the command line has no frame: its turn begins with the agent's first frame.
    if (prompt === 0) return [];
    const frames: number[] = [];
    this.#outside = this.#outside.filter(({ f, isPrompt }) => {
      const belongs = f === prompt || (f > prompt && !isPrompt);
      if (belongs) frames.push(f);
      return f > prompt && !belongs;
    });
    return frames;
  }

  get dropped(): number {
    return this.#prompts.forgotten + this.#turns.forgotten;
  }

  get retained(): number {
    return this.#prompts.size + this.#turns.size;
  }
}
