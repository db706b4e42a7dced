/**
 * One ACP session within a process: which of its prompts wait, which is a turn, what is being replayed. The agent takes
 * up its oldest prompt with the first thing it says in the session, or with the answer.
 */
import type { Event } from '../../core/event.ts';
import { Calls } from './calls.ts';

interface Prompt {
  f: number;
  taken: boolean;
}

export class Conversation {
  /** The agent said that it exists. */
  opened = false;
  mode: string | null = null;
  readonly calls = new Calls();
  /** Not answered yet, in order. */
  readonly #prompts: Prompt[] = [];
  /** The prompt answered last, if nothing was said in the session since. */
  #answered: number | null = null;
  /** The agents that will begin a step with what they say next (rule S3), by the call that started them. */
  readonly #fresh = new Set<string>();
  /** Those that have said something in this turn. */
  readonly #known = new Set<string>();
  /** Those that have told the tokens of their answer. */
  readonly #told = new Set<string>();
  /** Windows of `session/load`, by the frame that opened them. */
  readonly #loads = new Set<number>();

  get replaying(): boolean {
    return this.#loads.size > 0;
  }

  /** The prompt of its turn, if one is open. */
  get prompt(): number | undefined {
    return this.#prompts[0]?.f;
  }

  asks(f: number): void {
    this.#prompts.push({ f, taken: false });
  }

  /** The agent speaks: the prompt that this takes up, if any. While a turn is open, others wait. */
  speaks(): number | undefined {
    this.#answered = null;
    const prompt = this.#prompts[0];
    if (!prompt || prompt.taken) return undefined;
    return this.#take(prompt);
  }

  /** What comes late: the turn that was answered just before, if this is the first thing said since. */
  speaksLate(): number | null {
    const answered = this.#answered;
    this.#answered = null;
    return answered;
  }

  /**
   * Marks where steps begin: with what comes first in a turn and after a tool's result, and with words after tokens were
   * told. A call after them is one of the answer that they close: qwen 0.15 tells tokens before it asks or runs.
   */
  steps(events: Event[]): void {
    if (this.#prompts.length === 0) return;
    for (const event of events) {
      const agent = event.parent ?? '';
      const tells = event.kind === 'usage' && event.usage !== null;
      if (event.kind === 'tool-result') this.#fresh.add(agent);
      if (!tells && !isSaid(event)) continue;
      const isNext = event.kind !== 'tool-call' && !tells && this.#told.has(agent);
      if (this.#fresh.delete(agent) || !this.#known.has(agent) || isNext) {
        events[0]!.step = true;
        this.#told.delete(agent);
      }
      this.#known.add(agent);
      if (tells) this.#told.add(agent);
    }
  }

  /** A prompt is answered: it is a turn by that, unless the answer is one that refuses it. */
  answers(f: number, refused: boolean): number | undefined {
    const at = this.#prompts.findIndex((prompt) => prompt.f === f);
    if (at < 0) return undefined;
    const [prompt] = this.#prompts.splice(at, 1);
    this.#answered = f;
    return prompt!.taken || refused ? undefined : this.#take(prompt!);
  }

  /** History will be sent again, unless a turn is open: then it is not history. */
  loads(f: number): void {
    if (this.#prompts.length === 0) this.#loads.add(f);
  }

  loaded(f: number): void {
    this.#loads.delete(f);
  }

  #take(prompt: Prompt): number {
    prompt.taken = true;
    this.calls.turn += 1;
    this.#fresh.clear();
    this.#known.clear();
    this.#told.clear();
    return prompt.f;
  }
}

function isSaid({ kind, restates }: Event): boolean {
  return !restates && (kind === 'text' || kind === 'thinking' || kind === 'tool-call');
}
