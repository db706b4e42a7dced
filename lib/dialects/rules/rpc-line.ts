/** A line of a JSON-RPC dialect as rules want it: what it asks, tells or answers, and what an answer is to. */
import type { Exchange } from '../../model/exchange.ts';
import type { Id } from '../../model/id.ts';
import { isObject } from '../../model/message.ts';
import type { ReadFrame } from '../../model/read-frame.ts';
import { objectOf } from '../common/fields.ts';
import type { Json } from '../dialect.ts';

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
  id: Id;
  /** Of an answer: the frame that asked. */
  askedF: number;
  /** History that is sent again. */
  replayed: boolean;
}

const NOTHING: Json = Object.freeze({});

export const other = (side: Side): Side => (side === 'client' ? 'agent' : 'client');

/** Many rules want to know the same of a frame, and what was asked when it is answered. */
let latest: { read: ReadFrame; line: RpcLine | null } | null = null;
const asked = new WeakMap<Exchange, Json>();

/** Null: no message, an answer to nothing, or a second one. What an answer is to is known if the request was read before. */
export function rpcLine(read: ReadFrame): RpcLine | null {
  if (latest?.read !== read) latest = { read, line: lineOf(read) };
  return latest.line;
}

function lineOf({ frame, value, message, pairing, events }: ReadFrame): RpcLine | null {
  const { f, from } = frame;
  if (frame.form === 'event' || !isObject(value) || (from !== 'client' && from !== 'agent')) return null;
  const { envelope, id } = message;
  const replayed = events.some(({ flags }) => flags?.includes('replayed'));
  if (envelope === 'request' || envelope === 'notification') {
    if (pairing?.role === 'asks-again') return null;
    const params = objectOf(value.params);
    if (pairing) asked.set(pairing.exchange!, params);
    const asks = { method: message.method!, params, ok: true, result: NOTHING, askedF: f };
    return { f, from, is: envelope, ...asks, id, replayed };
  }
  if (pairing?.role !== 'answers') return null;
  const exchange = pairing.exchange!;
  const params = asked.get(exchange) ?? NOTHING;
  const ok = envelope === 'response';
  const result = ok ? objectOf(message.body) : NOTHING;
  return { f, from, is: 'answer', method: exchange.method, params, ok, result, id, askedF: exchange.askedF, replayed };
}
