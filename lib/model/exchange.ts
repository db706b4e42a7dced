/**
 * Pairs requests with answers. The key is the asker and the id with its JSON type: both sides number from 0, and `1` is
 * not `"1"`. An answer belongs to the latest unanswered request with that key. If all are answered, it is a duplicate
 * for the latest.
 */

import type { Frame, Stream } from './frame.ts';
import { LimitedMap } from './limited-map.ts';
import type { Message } from './message.ts';
import { fingerprint, isSameJson } from './text/fingerprint.ts';

export interface Exchange {
  asker: Stream;
  method: string;
  askedF: number;
  askedT: number;
  answerF: number | null;
  answerT: number | null;
  /** The request is an answer too, and its frame is paired as that. */
  isAnswer?: true;
}

/**
 * The role of a frame in an exchange: `asks-again` repeats a request, `duplicate` is a second answer, `forgotten` may
 * answer a request that was forgotten because too many were open.
 */
export type ExchangeRole = 'asks' | 'asks-again' | 'answers' | 'duplicate' | 'orphan' | 'forgotten';

export interface Pairing {
  role: ExchangeRole;
  /** Null for an orphan, an answer that matches no request, and for `forgotten`. */
  exchange: Exchange | null;
}

/** An unanswered request, and what is needed to recognise the same one. */
interface OpenRequest {
  exchange: Exchange;
  /** The body, or if `isShort` its fingerprint. */
  body: unknown;
  isShort: boolean;
}

/** How many ids with unanswered requests are kept, and how many requests with one id. */
const MAX_OPEN_IDS = 10_000;
const MAX_REQUESTS_PER_ID = 16;
/** How many answered exchanges are kept, to recognise a second answer. */
const MAX_ANSWERED_EXCHANGES = 1000;
/** The latest requests keep their bodies. Most are answered before a fingerprint is needed, which takes time to make. */
const MAX_WHOLE_BODIES = 16;

export class Exchanges {
  readonly #clientRequests = new SideRequests('client');
  readonly #agentRequests = new SideRequests('agent');

  /** How many requests are kept, answered or not. */
  get retained(): number {
    return this.#clientRequests.retained + this.#agentRequests.retained;
  }

  /** How many were forgotten before they were answered, because too many were open. */
  get forgotten(): number {
    return this.#clientRequests.forgotten + this.#agentRequests.forgotten;
  }

  /** Takes frames in order. Null for a frame that neither asks nor answers. */
  take(frame: Frame, message: Message): Pairing | null {
    const { envelope } = message;
    if (envelope === 'notification' || envelope === 'none') return null;
    if (frame.from !== 'client' && frame.from !== 'agent') return null;
    const isClient = frame.from === 'client';
    const { ownId = null } = message;
    if (ownId !== null) {
      const own = (isClient ? this.#clientRequests : this.#agentRequests).addRequest(frame, { ...message, id: ownId });
      own.exchange!.isAnswer = true;
    }
    // A request with a null id cannot be answered. Errors that answer nothing have a null id too.
    if (envelope !== 'request')
      return (isClient ? this.#agentRequests : this.#clientRequests).addAnswer(frame, message.id);
    return message.id === null
      ? null
      : (isClient ? this.#clientRequests : this.#agentRequests).addRequest(frame, message);
  }
}

/** The requests of one side by id. A map keeps `1` and `"1"` apart. Memory does not grow with the session. */
class SideRequests {
  readonly #asker: Stream;
  /** The requests with an id, latest last. */
  readonly #open = new LimitedMap<Message['id'], OpenRequest[]>(MAX_OPEN_IDS);
  readonly #answered = new LimitedMap<Message['id'], Exchange>(MAX_ANSWERED_EXCHANGES);
  /** The latest requests, answered or not. */
  readonly #latest: OpenRequest[] = [];
  #at = 0;
  /** Requests that were forgotten because their id was used too often. */
  #dropped = 0;

  constructor(asker: Stream) {
    this.#asker = asker;
  }

  addRequest({ f, t }: Frame, { id, method: named, type, body }: Message): Pairing {
    const method = named ?? type ?? '';
    const known = this.#open.get(id);
    const same = known?.findLast((open) => isSame(open, method, body));
    if (same) return { role: 'asks-again', exchange: same.exchange };
    const exchange: Exchange = { asker: this.#asker, method, askedF: f, askedT: t, answerF: null, answerT: null };
    const open: OpenRequest = { exchange, body, isShort: false };
    if (!known) this.#open.set(id, [open]);
    else if (known.push(open) > MAX_REQUESTS_PER_ID && known.shift()) this.#dropped++;
    this.#shortenOldest(open);
    return { role: 'asks', exchange };
  }

  addAnswer({ f, t }: Frame, id: Message['id']): Pairing {
    const known = this.#open.get(id);
    const open = known?.pop();
    if (!open) return this.#pairDuplicate(id);
    if (known!.length === 0) this.#open.delete(id);
    const { exchange } = open;
    open.body = null;
    exchange.answerF = f;
    exchange.answerT = t;
    this.#answered.delete(id);
    this.#answered.set(id, exchange);
    return { role: 'answers', exchange };
  }

  /** Nothing with this id is open. */
  #pairDuplicate(id: Message['id']): Pairing {
    const exchange = this.#answered.get(id);
    if (exchange) return { role: 'duplicate', exchange };
    // It may answer a request that was forgotten.
    return { role: this.forgotten > 0 && id !== null ? 'forgotten' : 'orphan', exchange: null };
  }

  /** Keeps the body of the newest request, and less of the one that is now too old. */
  #shortenOldest(newest: OpenRequest): void {
    const open = this.#latest[this.#at];
    this.#latest[this.#at] = newest;
    this.#at = (this.#at + 1) % MAX_WHOLE_BODIES;
    if (!open || open.exchange.answerF !== null) return;
    open.body = fingerprint(open.body);
    open.isShort = true;
  }

  get forgotten(): number {
    return this.#open.forgotten + this.#dropped;
  }

  get retained(): number {
    let count = this.#answered.size;
    for (const requests of this.#open.values()) count += requests.length;
    return count;
  }
}

function isSame(open: OpenRequest, method: string, body: unknown): boolean {
  if (open.exchange.method !== method) return false;
  return open.isShort ? open.body !== null && open.body === fingerprint(body) : isSameJson(open.body, body);
}
