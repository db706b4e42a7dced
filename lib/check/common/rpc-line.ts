/** A line of a JSON-RPC dialect as rules want it: what it asks, tells or answers, and what an answer is to. */
import { isObject } from '../../core/message.ts';
import type { Json } from '../../dialects/dialect.ts';
import { objectOf } from '../../dialects/fields.ts';
import type { ReadFrame } from '../../dialects/read.ts';

export type Side = 'client' | 'agent';

export interface RpcLine {
  f: number;
  from: Side;
  is: 'request' | 'notification' | 'answer';
  /** Of an answer: what was asked. */
  method: string;
  /** Of an answer: those of the request. */
  params: Json;
  /** Of an answer: no error. */
  ok: boolean;
  result: Json;
  id: string | number | null;
  /** Of an answer: the frame that asked. */
  askedF: number;
  /** History that is sent again. */
  replayed: boolean;
}

export const other = (side: Side): Side => (side === 'client' ? 'agent' : 'client');

/** Fed all frames, in order. Null: no message, an answer to nothing, or a second one. */
export class RpcLines {
  readonly #asked = new Map<number, Json>();

  read({ frame, value, message, pairing, events }: ReadFrame): RpcLine | null {
    const { f, from } = frame;
    if (frame.form === 'event' || !isObject(value) || (from !== 'client' && from !== 'agent')) return null;
    const { envelope, method, id } = message;
    const params = objectOf(value.params);
    const replayed = events.some(({ flags }) => flags?.includes('replayed'));
    const line = { f, from, ok: true, result: {}, id, askedF: f, replayed };
    if (envelope === 'request' || envelope === 'notification') {
      if (pairing?.role === 'asks-again') return null;
      if (pairing) this.#asked.set(f, params);
      return { ...line, is: envelope, method: method!, params };
    }
    if (pairing?.role !== 'answers') return null;
    const { method: asked, askedF } = pairing.exchange!;
    const of = this.#asked.get(askedF) ?? {};
    this.#asked.delete(askedF);
    const ok = envelope === 'response';
    const result = ok ? objectOf(message.body) : {};
    return { ...line, is: 'answer', method: asked, params: of, ok, result, askedF };
  }
}
