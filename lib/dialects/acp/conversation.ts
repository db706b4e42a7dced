/**
 * One ACP session within a process: its waiting prompts, its turn, and whether history is being replayed. The agent
 * takes up its oldest prompt with the first thing it says in the session, or with the answer.
 */
import type { Event } from '../../model/event.ts';
import { AcpCalls } from './calls.ts';
import { AcpTally } from './usage.ts';

interface AcpPrompt {
  f: number;
  taken: boolean;
}

export class AcpConversation {
  /** The agent has confirmed that it exists. */
  opened = false;
  mode: string | null = null;
  /** The mode that the client asks for, until that is answered. */
  requestedMode: string | null = null;
  readonly calls = new AcpCalls();
  readonly tally = new AcpTally();
  /** Unanswered prompts, in order. */
  readonly #prompts: AcpPrompt[] = [];
  /** The prompt answered last, if the agent has said nothing in the session since. */
  #answered: number | null = null;
  /** The agents whose next event begins a step (rule S3), by the call that started them. */
  readonly #fresh = new Set<string>();
  /** The agents that have said something in this turn. */
  readonly #known = new Set<string>();
  /** The agents that have reported the tokens of their answer. */
  readonly #reported = new Set<string>();
  /** Pending `session/load` requests, by frame. */
  readonly #loads = new Set<number>();

  get replaying(): boolean {
    return this.#loads.size > 0;
  }

  /** The oldest unanswered prompt. */
  get prompt(): number | undefined {
    return this.#prompts[0]?.f;
  }

  asks(f: number): void {
    this.#prompts.push({ f, taken: false });
  }

  /** The agent speaks. Returns the prompt that this takes up, if any; while a turn is open, others wait. */
  speaks(): number | undefined {
    this.#answered = null;
    const prompt = this.#prompts[0];
    if (!prompt || prompt.taken) return undefined;
    return this.#take(prompt);
  }

  /** For a late event: the prompt that was answered just before, if nothing was sent since. */
  speaksLate(): number | null {
    const answered = this.#answered;
    this.#answered = null;
    return answered;
  }

  /**
   * Marks where steps begin: with the first event of a turn, with the first after a tool result, and with text after a
   * token report. A call after a token report still belongs to the same answer: qwen 0.15 reports tokens before it asks
   * or runs.
   */
  steps(events: Event[]): void {
    if (this.#prompts.length === 0) return;
    for (const event of events) {
      const agent = event.subagent ?? event.parent ?? '';
      const reports = event.kind === 'usage' && event.usage !== null;
      if (event.kind === 'tool-result') this.#fresh.add(agent);
      if (!reports && !isOutput(event)) continue;
      const isNext = event.kind !== 'tool-call' && !reports && this.#reported.has(agent);
      if (this.#fresh.delete(agent) || !this.#known.has(agent) || isNext) {
        events[0]!.step = true;
        this.#reported.delete(agent);
      }
      this.#known.add(agent);
      if (reports) this.#reported.add(agent);
    }
  }

  /** A prompt is answered. That makes it a turn, unless the answer refuses it. */
  answers(f: number, refused: boolean): number | undefined {
    const at = this.#prompts.findIndex((prompt) => prompt.f === f);
    if (at < 0) return undefined;
    const [prompt] = this.#prompts.splice(at, 1);
    this.#answered = f;
    return prompt!.taken || refused ? undefined : this.#take(prompt!);
  }

  /** History follows, unless a turn is open. */
  loads(f: number): void {
    if (this.#prompts.length === 0) this.#loads.add(f);
  }

  loaded(f: number): void {
    this.#loads.delete(f);
  }

  #take(prompt: AcpPrompt): number {
    prompt.taken = true;
    this.calls.turn += 1;
    this.#fresh.clear();
    this.#known.clear();
    this.#reported.clear();
    return prompt.f;
  }
}

function isOutput({ kind, restates }: Event): boolean {
  return !restates && (kind === 'text' || kind === 'thinking' || kind === 'tool-call');
}
