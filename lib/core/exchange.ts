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

/** A request without an answer, and the one of the same id before it. */
interface Open {
  exchange: Exchange;
  body: unknown;
  before: Open | null;
}

/** So many answered exchanges are remembered, to know a second answer when it comes. */
const REMEMBERED = 10_000;

export class Exchanges {
  readonly #ofClient = new Asker('client');
  readonly #ofAgent = new Asker('agent');

  /** Takes the frames in order; null for a frame that neither asks nor answers. */
  take(frame: Frame, message: Message): Pairing | null {
    const { envelope } = message;
    if (envelope === 'notification' || envelope === 'none') return null;
    if (frame.from !== 'client' && frame.from !== 'agent') return null;
    const isClient = frame.from === 'client';
    // A null id names nothing: such a request cannot be answered, and errors that answer nothing have it too.
    if (envelope !== 'request') return (isClient ? this.#ofAgent : this.#ofClient).answered(frame, message.id);
    return message.id === null ? null : (isClient ? this.#ofClient : this.#ofAgent).asks(frame, message);
  }
}

/** One side's requests, by their ids: a map keeps `1` and `"1"` apart. */
class Asker {
  readonly #asker: Stream;
  readonly #open = new Map<Message['id'], Open>();
  readonly #answered = new Map<Message['id'], Exchange>();

  constructor(asker: Stream) {
    this.#asker = asker;
  }

  asks({ f, t }: Frame, { id, method: named, type, body }: Message): Pairing {
    const method = named ?? type ?? '';
    const before = this.#open.get(id) ?? null;
    for (let open = before; open; open = open.before) {
      const { exchange } = open;
      if (exchange.method === method && isSame(open.body, body)) return { role: 'asks-again', exchange };
    }
    const exchange: Exchange = { asker: this.#asker, method, askedF: f, askedT: t, answerF: null, answerT: null };
    this.#open.set(id, { exchange, body, before });
    return { role: 'asks', exchange };
  }

  answered({ f, t }: Frame, id: Message['id']): Pairing {
    const open = this.#open.get(id);
    if (!open) {
      const exchange = this.#answered.get(id);
      return exchange ? { role: 'duplicate', exchange } : { role: 'orphan', exchange: null };
    }
    const { exchange, before } = open;
    if (before) this.#open.set(id, before);
    else this.#open.delete(id);
    exchange.answerF = f;
    exchange.answerT = t;
    this.#answered.delete(id);
    this.#answered.set(id, exchange);
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
