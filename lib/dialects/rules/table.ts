/** Tables of shapes for the JSON-RPC dialects: params and results by method, from either side. */
import { isObject } from '../../model/message.ts';
import type { ReadFrame } from '../../model/read-frame.ts';
import type { Expected, Expecting, Shape } from './schema.ts';

/** A method that is in no table is not checked; optional params are checked if they are present. */
export interface MethodShape {
  params?: Shape;
  optional?: true;
  result?: Shape;
}

/** Checks params and results by method. If wanted, a second answer is checked as well. */
export function expectByMethod(table: Readonly<Record<string, MethodShape>>, twice = false): Expecting {
  const judged = twice ? ['answers', 'duplicate'] : ['answers'];
  return ({ value, message, pairing }: ReadFrame): Expected | null => {
    if (!isObject(value)) return null;
    const { envelope } = message;
    if (envelope === 'response' && pairing && judged.includes(pairing.role)) {
      const { method } = pairing.exchange!;
      const shape = of(table, method)?.result;
      return shape === undefined ? null : { name: `answer to ${method}`, value: value.result, shape, at: 'result' };
    }
    if (envelope !== 'request' && envelope !== 'notification') return null;
    const known = of(table, message.method!);
    if (known?.params === undefined || (known.optional && (value.params ?? null) === null)) return null;
    return { name: message.method!, value: value.params, shape: known.params, at: 'params' };
  };
}

function of(table: Readonly<Record<string, MethodShape>>, method: string): MethodShape | undefined {
  return Object.hasOwn(table, method) ? table[method] : undefined;
}
