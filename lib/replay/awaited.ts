/** What the recorded client sent and the live one has not sent yet, as far as the script is read. */
import type { Message } from '../model/message.ts';
import { type Hear, isEnding, type Say } from './steps.ts';

export class Awaited {
  size = 0;
  /** By key, in the order of the tape. */
  readonly #byKey = new Map<string, Set<Hear>>();
  readonly #answers = new Map<Say, Hear>();
  readonly #all = new Set<Hear>();

  add(hear: Hear): void {
    this.#all.add(hear);
    this.size++;
    if (isEnding(hear.what)) return;
    if (hear.ask) this.#answers.set(hear.ask, hear);
    else {
      const key = keyOf(hear.message, hear.value);
      const others = this.#byKey.get(key) ?? new Set();
      this.#byKey.set(key, others.add(hear));
    }
  }

  remove(hear: Hear): void {
    if (!this.#all.delete(hear)) return;
    this.size--;
    if (isEnding(hear.what)) return;
    if (hear.ask) this.#answers.delete(hear.ask);
    else {
      const key = keyOf(hear.message, hear.value);
      const others = this.#byKey.get(key);
      others?.delete(hear);
      if (others?.size === 0) this.#byKey.delete(key);
    }
  }

  /** The recorded lines that are like this one, in the order of the tape. */
  like(message: Message, value: unknown): Iterable<Hear> {
    return this.#byKey.get(keyOf(message, value)) ?? [];
  }

  answerTo(ask: Say): Hear | null {
    return this.#answers.get(ask) ?? null;
  }

  /** A recorded signal of this name. */
  signal(name: string): Hear | null {
    for (const hear of this.#all) if (hear.what === 'signal' && hear.frame.detail.signal === name) return hear;
    return null;
  }

  /** In the order of the tape. */
  all(): Iterable<Hear> {
    return this.#all;
  }

  /** The first line that the client has to send. */
  get first(): Hear | null {
    for (const hear of this.#all) if (!hear.isOwnAccord && hear.what !== 'answer') return hear;
    return null;
  }
}

/** Lines with the same key may match. */
function keyOf({ envelope, method, type }: Message, value: unknown): string {
  if (value === undefined) return 'text';
  return `${envelope} ${method ?? ''} ${type ?? ''}`;
}
