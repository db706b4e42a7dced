/**
 * Whether a process goes on with a conversation that began before it, where grants may have been given that no frame shows:
 * by its command line, or by a request of the client that the agent took.
 */
import type { Exchange } from '../core/exchange.ts';
import { isObject } from '../core/message.ts';
import { Recent } from '../core/recent.ts';
import { isResumed } from '../dialects/conversation.ts';
import type { Naming } from '../dialects/traits.ts';
import type { ReadFrame } from '../session/read.ts';

const REMEMBERED = 1000;

export class Resumed {
  now: boolean;
  readonly #requests: Naming['requests'];
  /** Conversations that this process had before. */
  readonly #own = new Recent<string, true>(REMEMBERED);
  readonly #asked = new WeakSet<Exchange>();

  constructor(naming: Naming, command: readonly string[]) {
    this.#requests = naming.requests;
    this.now = isResumed(naming, command);
  }

  take({ frame, message, pairing, conversation }: ReadFrame): void {
    if (this.now) return;
    const exchange = pairing?.exchange;
    if (frame.from === 'client' && pairing?.role === 'asks' && this.#isOlder(message.method, message.body))
      this.#asked.add(exchange!);
    if (message.envelope === 'response' && exchange && this.#asked.has(exchange)) this.now = true;
    if (conversation !== null) this.#own.set(conversation, true);
  }

  #isOlder(method: string | null, params: unknown): boolean {
    if (method === null || !Object.hasOwn(this.#requests, method)) return false;
    const id = isObject(params) ? params[this.#requests[method]!] : null;
    return typeof id !== 'string' || !this.#own.has(id);
  }
}
