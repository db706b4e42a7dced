/** JSON-RPC 2.0 itself: what every message of it looks like. */
import { isObject } from '../../model/message.ts';
import type { ReadFrame } from '../../model/read-frame.ts';
import type { JsonObject } from '../dialect.ts';
import type { Traits } from '../traits.ts';
import { pairingRules } from './pairing.ts';
import {
  type CheckedSession,
  defineRules,
  error,
  quoted,
  type RuleHit,
  textOrJson,
  type Violation,
  warning,
  withBatchParts,
} from './rule.ts';

/** Wire, which is JSON-RPC too, has its own rules for the same things. */
const usesJsonRpc = ({ jsonRpc }: Traits): boolean => jsonRpc !== null;

const SPEC = 'JSON-RPC 2.0';

const RULES = {
  'rpc-version': error.unknown(
    'every message says "jsonrpc": "2.0" (reported once per side)',
    `${SPEC} section 4, "jsonrpc"`,
  ),
  'rpc-id': error.unknown(
    'an id is a string or a whole number',
    `${SPEC} section 4, "id"; MCP, Overview, Requests; python-sdk#192, ACP#138`,
  ),
  'rpc-both': error.unknown('an answer has a result or an error, not both', `${SPEC} section 5`),
  'rpc-neither': error.unknown(
    'a message is a request, a notification, a result or an error',
    `${SPEC} sections 4 and 5`,
  ),
  'rpc-error-object': error.unknown(
    'an error has a code, which is a whole number, and a message',
    `${SPEC} section 5.1`,
  ),
  'rpc-params': error.unknown('params are an object or an array', `${SPEC} section 4.2`),
  'rpc-unread': warning.unknown(
    'each side can read what the other sends (no error with the id null)',
    `${SPEC} section 5, id null`,
  ),
};

type RpcRule = keyof typeof RULES;

class EnvelopeRules {
  readonly #jsonRpc: NonNullable<Traits['jsonRpc']>;
  /** The sides whose missing version was reported. */
  readonly #reportedSides = new Set<string>();

  constructor({ traits }: CheckedSession) {
    this.#jsonRpc = traits.jsonRpc!;
  }

  take({ frame: { f, from, form }, value, message }: ReadFrame): RuleHit<RpcRule>[] {
    if (Array.isArray(value) && (from === 'client' || from === 'agent')) return findNonMessages(f, from, value);
    if (form === 'event' || !isObject(value) || (from !== 'client' && from !== 'agent')) return [];
    const found = [
      ...this.#checkVersion(value, from),
      ...checkId(value, this.#jsonRpc.forbidsNullIds),
      ...checkMembers(value),
    ];
    const hits: RuleHit<RpcRule>[] = found.map((one) => ({ f, fault: from, ...one }));
    if (message.envelope === 'error' && message.id === null && 'id' in value) {
      const other = from === 'client' ? 'agent' : 'client';
      const text = `the ${from} could not read a line: ${message.code ?? 'no code'} ${errorText(value.error)}`;
      hits.push({ rule: 'rpc-unread', f, fault: other, message: text });
    }
    return hits;
  }

  #checkVersion({ jsonrpc }: JsonObject, from: string): EnvelopeHit[] {
    const { saysVersion, versionMayBeMissing } = this.#jsonRpc;
    if (jsonrpc === '2.0' || !saysVersion || this.#reportedSides.has(from)) return [];
    this.#reportedSides.add(from);
    const message = `"jsonrpc" is ${jsonrpc === undefined ? 'missing' : quoted(jsonrpc)}`;
    const severity = versionMayBeMissing && jsonrpc === undefined ? 'info' : 'error';
    return [{ rule: 'rpc-version', message, severity }];
  }
}

/** The parts of a batch that are not messages; an array without any message is not a batch. */
function findNonMessages(f: number, fault: 'client' | 'agent', batch: unknown[]): RuleHit<RpcRule>[] {
  const at = batch.some(isObject) ? batch.findIndex((one) => !isObject(one)) : -1;
  if (at < 0) return [];
  const message = `part ${at + 1} of the batch is not a message: ${quoted(batch[at])}`;
  return [{ rule: 'rpc-neither', f, fault, message }];
}

type EnvelopeHit = { rule: RpcRule } & Pick<Violation, 'message' | 'severity'>;

function checkId(value: JsonObject, forbidsNullIds: boolean): EnvelopeHit[] {
  const isWhole = Number.isInteger(value.id) || typeof value.id === 'bigint';
  if (!('id' in value) || typeof value.id === 'string' || isWhole) return [];
  const asks = typeof value.method === 'string';
  if (value.id === null) {
    if (!asks) return [];
    const message = `${value.method} has the id null: its answer would look like the error for an unreadable line`;
    return [{ rule: 'rpc-id', message, severity: forbidsNullIds ? 'error' : 'warning' }];
  }
  // An answer has to repeat the id of its request, even a fractional number.
  if (!asks && typeof value.id === 'number') return [];
  const message = `the id is ${quoted(value.id)}, not a string or a whole number`;
  return [{ rule: 'rpc-id', message, severity: typeof value.id === 'number' ? 'warning' : 'error' }];
}

function checkMembers(value: JsonObject): EnvelopeHit[] {
  const { method, params, result, error } = value;
  const hits: EnvelopeHit[] = [];
  const has = (name: string) => Object.hasOwn(value, name);
  if (has('result') && has('error')) {
    // A null beside the other is a habit from JSON-RPC 1.0 that readers accept.
    const harmless = (error ?? null) === null || (result ?? null) === null;
    hits.push({
      rule: 'rpc-both',
      message: 'both result and error are present',
      severity: harmless ? 'info' : 'error',
    });
  } else if (typeof method !== 'string' && (!has('id') || !(has('result') || has('error')))) {
    const keys = Object.keys(value).slice(0, 5).join(', ');
    hits.push({
      rule: 'rpc-neither',
      message: `not a request, a notification or an answer (its keys: ${textOrJson(keys) || 'none'})`,
    });
  }
  if (has('error') && error !== null && !isError(error)) {
    hits.push({
      rule: 'rpc-error-object',
      message: `the error is ${quoted(error)}, not an object with a code and a message`,
    });
  }
  if (typeof method === 'string' && has('params') && params !== null && typeof params !== 'object') {
    hits.push({
      rule: 'rpc-params',
      message: `the params of ${textOrJson(method)} are ${quoted(params)}, not an object or an array`,
    });
  }
  return hits;
}

function isError(error: unknown): boolean {
  return isObject(error) && Number.isInteger(error.code) && typeof error.message === 'string';
}

function errorText(error: unknown): string {
  return isObject(error) && typeof error.message === 'string' ? textOrJson(error.message) : quoted(error);
}

/** In the Copilot SDK, the request of an event that says how it ended, whoever answered. */
function requestSettledBy(event: unknown): unknown {
  const { type, data } = isObject(event) ? event : {};
  const isOver = typeof type === 'string' && type.endsWith('.completed');
  return isOver && isObject(data) ? (data.requestId ?? undefined) : undefined;
}

export const RPC_RULES = withBatchParts([
  ...pairingRules({
    prefix: 'rpc',
    dialects: usesJsonRpc,
    // MCP from 2026-07-28 on.
    lasting: ['subscriptions/listen'],
    source: `${SPEC} sections 4 and 5`,
    withdraws({ method, params }) {
      if (!isObject(params)) return undefined;
      if (method === 'serverRequest/resolved') return params.requestId;
      if (method === 'notifications/cancelled' || method === '$/cancel_request') return params.requestId;
      if (method === 'session.event') return requestSettledBy(params.event);
      return method === '$/cancelRequest' ? params.id : undefined;
    },
  }),
  ...defineRules(usesJsonRpc, RULES, (session) => new EnvelopeRules(session)),
]);
