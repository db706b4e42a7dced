/**
 * A session of ACP 1. The agent takes up its oldest prompt with the first thing it says in the session, or with the answer,
 * which ends the turn.
 */
import type { Event } from '../../model/event.ts';
import { stringOf } from '../common/fields.ts';
import { AcpConversation, type PromptAnswer } from './conversation.ts';

interface AcpPrompt {
  f: number;
  taken: boolean;
}

export class AcpConversationV1 extends AcpConversation {
  /** Unanswered prompts, in order. */
  readonly #prompts: AcpPrompt[] = [];
  /** The prompt answered last, if the agent has said nothing in the session since. */
  #answered: number | null = null;

  get prompt(): number | undefined {
    return this.#prompts[0]?.f;
  }

  protected get isBusy(): boolean {
    return this.#prompts.length > 0;
  }

  asks(f: number): void {
    this.#prompts.push({ f, taken: false });
  }

  /** While a turn is open, other prompts wait. */
  speaks(): number | undefined {
    this.#answered = null;
    const prompt = this.#prompts[0];
    if (!prompt || prompt.taken) return undefined;
    return this.#take(prompt);
  }

  speaksLate(): number | null {
    const answered = this.#answered;
    this.#answered = null;
    return answered;
  }

  answers(f: number, { ok, result, code, text, refused }: PromptAnswer): Event {
    const answer: Event = ok
      ? { kind: 'prompt-answer', prompt: f, status: stringOf(result.stopReason) ?? '', code }
      : { kind: 'prompt-answer', prompt: f, status: 'error', code, text };
    const takes = this.#end(f, refused);
    return takes === undefined ? answer : { ...answer, takes };
  }

  /** That makes it a turn, unless the answer refuses it. */
  #end(f: number, refused: boolean): number | undefined {
    const at = this.#prompts.findIndex((prompt) => prompt.f === f);
    if (at < 0) return undefined;
    const [prompt] = this.#prompts.splice(at, 1);
    this.#answered = f;
    return prompt!.taken || refused ? undefined : this.#take(prompt!);
  }

  #take(prompt: AcpPrompt): number {
    prompt.taken = true;
    // The same id in a later turn is another call.
    this.calls.turn += 1;
    this.beginTurn();
    return prompt.f;
  }
}
