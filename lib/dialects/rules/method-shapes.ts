/** Tables of shapes for the JSON-RPC dialects: params and results by method, from either side. */
import { isObject } from '../../model/message.ts';
import type { ReadFrame } from '../../model/read-frame.ts';
import type { ExpectedShape, ExpectShape, JsonShape } from './schema.ts';

/** A method that is in no table is not checked; optional params are checked if they are present. */
export interface MethodShape {
  params?: JsonShape;
  optional?: true;
  result?: JsonShape;
}

/** Checks params and results by method. If wanted, a second answer is checked as well. */
export function expectByMethod(table: Readonly<Record<string, MethodShape>>, checksDuplicates = false): ExpectShape {
  const checkedRoles = checksDuplicates ? ['answers', 'duplicate'] : ['answers'];
  return ({ value, message, pairing }: ReadFrame): ExpectedShape | null => {
    if (!isObject(value)) return null;
    const { envelope } = message;
    if (envelope === 'response' && pairing && checkedRoles.includes(pairing.role)) {
      const { method } = pairing.exchange!;
      const shape = shapesOf(table, method)?.result;
      return shape === undefined ? null : { name: `answer to ${method}`, value: value.result, shape, at: 'result' };
    }
    if (envelope !== 'request' && envelope !== 'notification') return null;
    const known = shapesOf(table, message.method!);
    if (known?.params === undefined || (known.optional && (value.params ?? null) === null)) return null;
    return { name: message.method!, value: value.params, shape: known.params, at: 'params' };
  };
}

function shapesOf(table: Readonly<Record<string, MethodShape>>, method: string): MethodShape | undefined {
  return Object.hasOwn(table, method) ? table[method] : undefined;
}
