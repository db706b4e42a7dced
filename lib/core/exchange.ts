/**
 * Pairs requests with answers. The key is the asker and the id with its JSON type: both sides number from 0, and `1`
 * is not `"1"`. An answer goes to the latest request of that key that has none yet; if all have one, to the latest, as a
 * duplicate.
 */
import type { Frame, Stream } from './frame.ts';
import type { Message } from './message.ts';

export interface Exchange {
  asker: Stream;
  method: string;
  askedF: number;
  askedT: number;
  answerF: number | null;
  answerT: number | null;
}

/** How a frame stands to others: `asks-again` is the same request sent once more, `duplicate` a second answer. */
export type Role = 'asks' | 'asks-again' | 'answers' | 'duplicate' | 'orphan';

export interface Pairing {
  role: Role;
  /** Null for an orphan: an answer to what nobody asked. */
  exchange: Exchange | null;
}

interface Open {
  exchange: Exchange;
  body: unknown;
}

/** So many answered exchanges are remembered, to know a second answer when it comes. */
const REMEMBERED = 10_000;

export class Exchanges {
  readonly #open = new Map<string, Open[]>();
  readonly #answered = new Map<string, Exchange>();

  /** Takes the frames in order; null for a frame that neither asks nor answers. */
  take(frame: Frame, message: Message): Pairing | null {
    if (frame.from !== 'client' && frame.from !== 'agent') return null;
    // A null id names nothing: such a request cannot be answered, and errors that answer nothing have it too.
    if (message.envelope === 'request') return message.id === null ? null : this.#asks(frame, frame.from, message);
    if (message.envelope !== 'response' && message.envelope !== 'error') return null;
    return this.#answers(frame, key(frame.from === 'client' ? 'agent' : 'client', message.id));
  }

  #asks(frame: Frame, asker: Stream, message: Message): Pairing {
    const method = message.method ?? message.type ?? '';
    const exchange: Exchange = { asker, method, askedF: frame.f, askedT: frame.t, answerF: null, answerT: null };
    const asked = key(asker, message.id);
    const open = this.#open.get(asked);
    if (!open) this.#open.set(asked, [{ exchange, body: message.body }]);
    else {
      const same = open.find(({ exchange, body }) => exchange.method === method && isSame(body, message.body));
      if (same) return { role: 'asks-again', exchange: same.exchange };
      open.push({ exchange, body: message.body });
    }
    return { role: 'asks', exchange };
  }

  #answers(frame: Frame, asked: string): Pairing {
    const open = this.#open.get(asked);
    const exchange = open?.pop()?.exchange;
    if (!exchange) {
      const before = this.#answered.get(asked);
      return before ? { role: 'duplicate', exchange: before } : { role: 'orphan', exchange: null };
    }
    if (open!.length === 0) this.#open.delete(asked);
    exchange.answerF = frame.f;
    exchange.answerT = frame.t;
    this.#answered.delete(asked);
    this.#answered.set(asked, exchange);
    if (this.#answered.size > REMEMBERED) this.#answered.delete(this.#answered.keys().next().value!);
    return { role: 'answers', exchange };
  }
}

function isSame(a: unknown, b: unknown): boolean {
  try {
    return JSON.stringify(a) === JSON.stringify(b);
  } catch {
    // Nested deeper than can be written.
    return false;
  }
}

/** No number begins with a quote. */
function key(asker: Stream, id: Message['id']): string {
  return typeof id === 'string' ? `${asker} "${id}` : `${asker} ${id}`;
}
