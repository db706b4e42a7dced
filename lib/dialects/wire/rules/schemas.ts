/**
 * The expected shape of each line of a Wire session. A client's answers are not checked here: the rules about approvals,
 * questions, tools and hooks do that.
 */

import type { ReadFrame } from '../../../model/read-frame.ts';
import { objectOf } from '../../common/fields.ts';
import type { JsonObject } from '../../dialect.ts';
import { expectByMethod } from '../../rules/method-shapes.ts';
import type { ExpectedShape, JsonShape, MessageSchemas, ShapeTable } from '../../rules/schema.ts';
import { ERROR, LEGACY_METHODS, METHODS } from './methods.ts';
import { EVENTS, LEGACY_EVENTS, REQUESTS } from './shapes.ts';

/** Since 0.59 an agent takes a line without the version; before, it is silently ignored. */
const ENVELOPE: JsonShape = { 'jsonrpc?': "'2.0'" };
const LEGACY_ENVELOPE: JsonShape = { jsonrpc: "'2.0'" };

export const wireSchemas: MessageSchemas = {
  source: 'kimi-cli wire-mode.md and wire/types.py',
  open: () => openExpectations(false),
};
export const legacySchemas: MessageSchemas = {
  source: 'kimi-cli 0.46-0.58 ui/wire/README.md',
  open: () => openExpectations(true),
};

function openExpectations(isLegacy: boolean): (read: ReadFrame) => ExpectedShape | null {
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
    if (!isAnswer) return expectMessage(message.method, objectOf(message.body), isLegacy);
    return message.envelope === 'error' ? expectError(read) : byMethod(read);
  };
}

function expectError({ message, pairing }: ReadFrame): ExpectedShape {
  const name = pairing?.exchange ? `answer to ${pairing.exchange.method}` : 'answer';
  return { name, value: message.body, shape: ERROR, at: 'error' };
}

const REQUEST_SHAPES = byType('request', REQUESTS);
const EVENT_SHAPES = byType('event', EVENTS);
const LEGACY_EVENT_SHAPES = byType('event', LEGACY_EVENTS);

function byType(method: string, shapes: ShapeTable<JsonShape>): Map<string, Pick<ExpectedShape, 'name' | 'shape'>> {
  return new Map(Object.entries(shapes).map(([type, shape]) => [type, { name: `${method} ${type}`, shape }]));
}

const TYPED: JsonShape = { type: 'string' };

function expectMessage(method: string | null, params: JsonObject, isLegacy: boolean): ExpectedShape | null {
  if (method !== 'event' && method !== 'request') return null;
  const { type, payload } = params;
  if (typeof type !== 'string') return { name: method, value: params, shape: TYPED, at: 'params' };
  const known = (method === 'request' ? REQUEST_SHAPES : isLegacy ? LEGACY_EVENT_SHAPES : EVENT_SHAPES).get(type);
  return known ? { name: known.name, value: payload, shape: known.shape, at: 'params.payload' } : null;
}
