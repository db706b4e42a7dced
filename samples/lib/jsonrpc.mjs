// JSON-RPC as the agent's server reads and writes it: what is refused, what is ignored without a word,
// and the exact error texts. Ids must be strings; a message with any other id is refused with id null.

export const ErrorCode = {
  parse: -32700,
  invalidRequest: -32600,
  unknownMethod: -32601,
  invalidParams: -32602,
  internal: -32603,
  invalidState: -32000,
  llmNotSet: -32001,
  llmNotSupported: -32002,
  provider: -32003,
  authExpired: -32004,
};

const METHODS = new Set(['initialize', 'prompt', 'replay', 'steer', 'set_plan_mode', 'cancel']);

/**
 * @typedef {{kind: 'refused', code: number, message: string}
 *   | {kind: 'ignored'}
 *   | {kind: 'unknown-method', id: string, method: string}
 *   | {kind: 'answer', id: string, result?: unknown, error?: {code: number, message: string}}
 *   | {kind: 'call', id: string, method: string, params: unknown}} Incoming
 */

/**
 * Reads one line from the client.
 * @param {string} line
 * @returns {Incoming}
 */
export function readMessage(line) {
  let message;
  try {
    message = JSON.parse(line.trim());
  } catch {
    return { kind: 'refused', code: ErrorCode.parse, message: 'Invalid JSON format' };
  }
  if (!isEnvelope(message)) return { kind: 'refused', code: ErrorCode.invalidRequest, message: 'Invalid request' };

  const id = message.id ?? null;
  const method = message.method ?? null;
  if (method === null) {
    if (id === null) return { kind: 'ignored' };
    // A response with both members counts as an error; one with neither is dropped.
    if (message.error) return { kind: 'answer', id, error: message.error };
    return 'result' in message ? { kind: 'answer', id, result: message.result } : { kind: 'ignored' };
  }
  if (id === null) return { kind: 'ignored' };
  if (!METHODS.has(method)) return { kind: 'unknown-method', id, method };
  return { kind: 'call', id, method, params: message.params };
}

function isEnvelope(message) {
  if (message === null || typeof message !== 'object' || Array.isArray(message)) return false;
  const { jsonrpc = '2.0', id = null, method = null, error = null } = message;
  if (jsonrpc !== '2.0') return false;
  if (id !== null && typeof id !== 'string') return false;
  if (method !== null && typeof method !== 'string') return false;
  return error === null || (Number.isInteger(error.code) && typeof error.message === 'string');
}

/** The agent's side of the conversation, one method per kind of message. */
export class Wire {
  /** @param {import('./lines.mjs').LineWriter} writer */
  constructor(writer) {
    this.writer = writer;
  }

  event(type, payload) {
    this.#send({ jsonrpc: '2.0', method: 'event', params: { type, payload } });
  }

  request(id, type, payload) {
    this.#send({ jsonrpc: '2.0', method: 'request', id, params: { type, payload } });
  }

  result(id, result) {
    this.#send({ jsonrpc: '2.0', id, result });
  }

  /** @param {string | null} id */
  error(id, code, message) {
    this.#send({ jsonrpc: '2.0', id, error: { code, message, data: null } });
  }

  /** A line as it stands, for noise between the messages. */
  raw(line) {
    this.writer.write(line);
  }

  #send(message) {
    this.writer.write(JSON.stringify(message));
  }
}
