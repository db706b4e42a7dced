/**
 * One ACP session within a process: its calls, tokens and mode, its prompts, and whether history is being replayed. What
 * takes up a prompt and ends its turn differs between the versions of the protocol.
 */
import type { Event } from '../../model/event.ts';
import type { JsonObject } from '../dialect.ts';
import { AcpCalls } from './calls.ts';
import { modeOf } from './handshake.ts';
import { AcpTally } from './usage.ts';

/** What the agent answers to a prompt. */
export interface PromptAnswer {
  ok: boolean;
  result: JsonObject;
  code: number | null;
  text: string;
  /** It is an error that refuses the prompt, so it never became a turn. */
  refused: boolean;
}

export abstract class AcpConversation {
  /** The agent has confirmed that it exists. */
  opened = false;
  mode: string | null = null;
  /** The mode that the client asks for, until that is answered. */
  requestedMode: string | null = null;
  readonly calls = new AcpCalls();
  readonly tally = new AcpTally();
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

  /** The prompt that the session works on, or that waits first. */
  abstract get prompt(): number | undefined;
  /** The agent works on something. */
  protected abstract get isBusy(): boolean;

  abstract asks(f: number): void;
  /** The agent sends an update or a request. Returns the prompt that it takes up with this, if any. */
  abstract speaks(): number | undefined;
  /** For a late event: the prompt whose turn ended just before, if nothing was said since. */
  abstract speaksLate(): number | null;
  /** The agent answers a prompt. `refused`: it never became a turn. */
  abstract answers(f: number, answer: PromptAnswer): Event;

  /**
   * Marks where steps begin: with the first event of a turn, with the first after a tool result, and with text after a
   * token report. A call after a token report still belongs to the same answer: qwen 0.15 reports tokens before it asks
   * or runs.
   */
  steps(events: Event[]): void {
    if (!this.isBusy) return;
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

  /** The agent confirms that it exists. */
  opensWith(result: JsonObject): void {
    this.opened = true;
    this.mode = modeOf(result) ?? this.mode;
  }

  /** History follows, unless a turn is open. */
  loads(f: number): void {
    if (!this.isBusy) this.#loads.add(f);
  }

  loaded(f: number): void {
    this.#loads.delete(f);
  }

  /** A turn begins. */
  protected beginTurn(): void {
    this.#fresh.clear();
    this.#known.clear();
    this.#reported.clear();
  }
}

function isOutput({ kind, restates }: Event): boolean {
  return !restates && (kind === 'text' || kind === 'thinking' || kind === 'tool-call');
}
