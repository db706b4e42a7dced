/** What the recorded client sent and the live one has not sent yet, as far as the script is read. */
import type { Message } from '../model/message.ts';
import { type AgentStep, type ClientStep, isEnding } from './script-step.ts';

export class AwaitedSteps {
  size = 0;
  /** By key, in the order of the tape. */
  readonly #byKey = new Map<string, Set<ClientStep>>();
  readonly #answers = new Map<AgentStep, ClientStep>();
  readonly #all = new Set<ClientStep>();

  add(clientStep: ClientStep): void {
    this.#all.add(clientStep);
    this.size++;
    if (isEnding(clientStep.what)) return;
    if (clientStep.ask) this.#answers.set(clientStep.ask, clientStep);
    else {
      const key = keyOf(clientStep.message, clientStep.value);
      const others = this.#byKey.get(key) ?? new Set();
      this.#byKey.set(key, others.add(clientStep));
    }
  }

  remove(clientStep: ClientStep): void {
    if (!this.#all.delete(clientStep)) return;
    this.size--;
    if (isEnding(clientStep.what)) return;
    if (clientStep.ask) this.#answers.delete(clientStep.ask);
    else {
      const key = keyOf(clientStep.message, clientStep.value);
      const others = this.#byKey.get(key);
      others?.delete(clientStep);
      if (others?.size === 0) this.#byKey.delete(key);
    }
  }

  /** The recorded lines that are like this one, in the order of the tape. */
  candidatesFor(message: Message, value: unknown): Iterable<ClientStep> {
    return this.#byKey.get(keyOf(message, value)) ?? [];
  }

  answerTo(ask: AgentStep): ClientStep | null {
    return this.#answers.get(ask) ?? null;
  }

  /** A recorded signal of this name. */
  signal(name: string): ClientStep | null {
    for (const clientStep of this.#all)
      if (clientStep.what === 'signal' && clientStep.frame.detail.signal === name) return clientStep;
    return null;
  }

  /** In the order of the tape. */
  all(): Iterable<ClientStep> {
    return this.#all;
  }

  /** The first line that the client has to send. */
  get first(): ClientStep | null {
    for (const clientStep of this.#all) if (!clientStep.isOwnAccord && clientStep.what !== 'answer') return clientStep;
    return null;
  }
}

/** Lines with the same key may match. */
function keyOf({ envelope, method, type }: Message, value: unknown): string {
  if (value === undefined) return 'text';
  return `${envelope} ${method ?? ''} ${type ?? ''}`;
}
