/** A line of a JSON-RPC dialect as rules need it: a request, a notification, or an answer with its request. */
import type { Exchange } from '../../model/exchange.ts';
import type { Id } from '../../model/id.ts';
import { isObject } from '../../model/message.ts';
import type { ReadFrame } from '../../model/read-frame.ts';
import { objectOf } from '../common/fields.ts';
import type { JsonObject } from '../dialect.ts';

export type RpcSide = 'client' | 'agent';

export interface RpcLine {
  f: number;
  from: RpcSide;
  is: 'request' | 'notification' | 'answer';
  /** Of an answer: the method of the request. */
  method: string;
  /** Of an answer: the params of the request. */
  params: JsonObject;
  /** False for an answer that is an error. */
  ok: boolean;
  result: JsonObject;
  id: Id;
  /** Of an answer: the frame of the request. */
  askedF: number;
  /** History that is sent again. */
  replayed: boolean;
}

const NOTHING: JsonObject = Object.freeze({});

export const otherSide = (side: RpcSide): RpcSide => (side === 'client' ? 'agent' : 'client');

/** Many rules read the same frame, and need the params of a request when it is answered. */
let latest: { read: ReadFrame; line: RpcLine | null } | null = null;
const requestParams = new WeakMap<Exchange, JsonObject>();

/** Null: not a message, an answer without a request, or a second answer. The request must have been read before. */
export function rpcLine(read: ReadFrame): RpcLine | null {
  if (latest?.read !== read) latest = { read, line: readRpcLine(read) };
  return latest.line;
}

function readRpcLine({ frame, value, message, pairing, events }: ReadFrame): RpcLine | null {
  const { f, from } = frame;
  if (frame.form === 'event' || !isObject(value) || (from !== 'client' && from !== 'agent')) return null;
  const { envelope, id } = message;
  const replayed = events.some(({ flags }) => flags?.includes('replayed'));
  if (envelope === 'request' || envelope === 'notification') {
    if (pairing?.role === 'asks-again') return null;
    const params = objectOf(value.params);
    if (pairing) requestParams.set(pairing.exchange!, params);
    const asks = { method: message.method!, params, ok: true, result: NOTHING, askedF: f };
    return { f, from, is: envelope, ...asks, id, replayed };
  }
  if (pairing?.role !== 'answers') return null;
  const exchange = pairing.exchange!;
  const params = requestParams.get(exchange) ?? NOTHING;
  const ok = envelope === 'response';
  const result = ok ? objectOf(message.body) : NOTHING;
  return { f, from, is: 'answer', method: exchange.method, params, ok, result, id, askedF: exchange.askedF, replayed };
}
