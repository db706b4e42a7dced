/**
 * The expected shape of each line of a Wire session. A client's answers are not checked here: the rules about approvals,
 * questions, tools and hooks do that.
 */

import type { ReadFrame } from '../../../model/read-frame.ts';
import { objectOf } from '../../common/fields.ts';
import type { Json } from '../../dialect.ts';
import type { Expected, Schemas, Shape, Table } from '../../rules/schema.ts';
import { expectByMethod } from '../../rules/table.ts';
import { ERROR, LEGACY_METHODS, METHODS } from './methods.ts';
import { EVENTS, LEGACY_EVENTS, REQUESTS } from './shapes.ts';

/** Since 0.59 an agent takes a line without the version; before, it is silently ignored. */
const ENVELOPE: Shape = { 'jsonrpc?': "'2.0'" };
const LEGACY_ENVELOPE: Shape = { jsonrpc: "'2.0'" };

export const wireSchemas: Schemas = { source: 'kimi-cli wire-mode.md and wire/types.py', open: () => expect(false) };
export const legacySchemas: Schemas = { source: 'kimi-cli 0.46-0.58 ui/wire/README.md', open: () => expect(true) };

function expect(isLegacy: boolean): (read: ReadFrame) => Expected | null {
  const byMethod = expectByMethod(isLegacy ? LEGACY_METHODS : METHODS, true);
  return (read) => {
    const { frame, message, value } = read;
    if (message.envelope === 'none') return null;
    const { jsonrpc } = objectOf(value);
    const isStrict = isLegacy || frame.from === 'agent';
    if (jsonrpc !== '2.0' && (isStrict || jsonrpc !== undefined))
      return { name: 'message', value, shape: isStrict ? LEGACY_ENVELOPE : ENVELOPE, at: 'line' };
    const isAnswer = message.envelope === 'response' || message.envelope === 'error';
    if (frame.from === 'client') return isAnswer ? null : byMethod(read);
    if (!isAnswer) return told(message.method, objectOf(message.body), isLegacy);
    return message.envelope === 'error' ? refused(read) : byMethod(read);
  };
}

function refused({ message, pairing }: ReadFrame): Expected {
  const name = pairing?.exchange ? `answer to ${pairing.exchange.method}` : 'answer';
  return { name, value: message.body, shape: ERROR, at: 'error' };
}

const ASKED = byType('request', REQUESTS);
const TOLD = byType('event', EVENTS);
const LEGACY_TOLD = byType('event', LEGACY_EVENTS);

function byType(method: string, shapes: Table<Shape>): Map<string, Pick<Expected, 'name' | 'shape'>> {
  return new Map(Object.entries(shapes).map(([type, shape]) => [type, { name: `${method} ${type}`, shape }]));
}

const TYPED: Shape = { type: 'string' };

function told(method: string | null, params: Json, isLegacy: boolean): Expected | null {
  if (method !== 'event' && method !== 'request') return null;
  const { type, payload } = params;
  if (typeof type !== 'string') return { name: method, value: params, shape: TYPED, at: 'params' };
  const known = (method === 'request' ? ASKED : isLegacy ? LEGACY_TOLD : TOLD).get(type);
  return known ? { name: known.name, value: payload, shape: known.shape, at: 'params.payload' } : null;
}
