/**
 * Pairs requests with answers. The key is the asker and the id with its JSON type: both sides number from 0, and `1`
 * is not `"1"`.
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

export class Exchanges {
  readonly #open = new Map<string, Exchange>();

  /** Takes the frames in order; returns the exchange that a frame opens or closes. */
  take(frame: Frame, message: Message): Exchange | null {
    if (frame.from !== 'client' && frame.from !== 'agent') return null;
    if (message.envelope === 'request') {
      const exchange: Exchange = {
        asker: frame.from,
        method: message.method!,
        askedF: frame.f,
        askedT: frame.t,
        answerF: null,
        answerT: null,
      };
      this.#open.set(key(frame.from, message.id), exchange);
      return exchange;
    }
    if (message.envelope !== 'response' && message.envelope !== 'error') return null;
    const asked = key(frame.from === 'client' ? 'agent' : 'client', message.id);
    const exchange = this.#open.get(asked);
    if (!exchange) return null;
    this.#open.delete(asked);
    exchange.answerF = frame.f;
    exchange.answerT = frame.t;
    return exchange;
  }
}

function key(asker: Stream, id: Message['id']): string {
  return `${asker} ${JSON.stringify(id)}`;
}
