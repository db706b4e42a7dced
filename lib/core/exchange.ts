/**
 * Pairs requests with answers. The key is the asker and the id with its JSON type: both sides number from 0, and `1` is
 * not `"1"`. An answer belongs to the latest unanswered request with that key. If all are answered, it is a duplicate
 * for the latest.
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

/** The role of a frame in an exchange: `asks-again` repeats a request, `duplicate` is a second answer. */
export type Role = 'asks' | 'asks-again' | 'answers' | 'duplicate' | 'orphan';

export interface Pairing {
  role: Role;
  /** Null for an orphan: an answer that matches no request. */
  exchange: Exchange | null;
}

/** An unanswered request, and the previous one with the same id. */
interface Open {
  exchange: Exchange;
  body: unknown;
  before: Open | null;
}

/** How many answered exchanges are kept, to recognise a second answer. */
const REMEMBERED = 10_000;

export class Exchanges {
  readonly #ofClient = new Asker('client');
  readonly #ofAgent = new Asker('agent');

  /** Takes frames in order. Null for a frame that neither asks nor answers. */
  take(frame: Frame, message: Message): Pairing | null {
    const { envelope } = message;
    if (envelope === 'notification' || envelope === 'none') return null;
    if (frame.from !== 'client' && frame.from !== 'agent') return null;
    const isClient = frame.from === 'client';
    // A request with a null id cannot be answered. Errors that answer nothing have a null id too.
    if (envelope !== 'request') return (isClient ? this.#ofAgent : this.#ofClient).answered(frame, message.id);
    return message.id === null ? null : (isClient ? this.#ofClient : this.#ofAgent).asks(frame, message);
  }
}

/** The requests of one side by id. A map keeps `1` and `"1"` apart. */
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
      if (exchange.method === method && isSameJson(open.body, body)) return { role: 'asks-again', exchange };
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

function isSameJson(a: unknown, b: unknown): boolean {
  try {
    return JSON.stringify(a) === JSON.stringify(b);
  } catch {
    // Nested too deep to serialise.
    return false;
  }
}
