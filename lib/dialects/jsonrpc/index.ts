/**
 * Any other JSON-RPC 2.0 protocol by line. Requests and answers are paired, and the few methods that such protocols
 * have in common get their kinds.
 */
import type { Event } from '../../model/event.ts';
import { readJsonRpc } from '../../model/message.ts';
import { errorText, handshakeEvent, idText, objectOf, partyOf } from '../common/fields.ts';
import { flagRole, readStray } from '../common/stray.ts';
import type { Dialect, DialectLine, FirstLines, JsonObject } from '../dialect.ts';
import { jsonrpcTraits } from '../traits.ts';

export const jsonrpc: Dialect = {
  name: 'jsonrpc',
  traits: jsonrpcTraits,
  recognise,
  envelope: readJsonRpc,
  open: () => ({ read }),
};

/** Most lines must be JSON-RPC messages; some programs leave out the version. */
function recognise({ lines }: FirstLines): number {
  let marked = 0;
  let shaped = 0;
  for (const { value } of lines) {
    if (readJsonRpc(value).envelope === 'none') continue;
    shaped += 1;
    if (value.jsonrpc === '2.0') marked += 1;
  }
  if (marked > 0 && marked * 2 >= lines.length) return 0.3;
  return shaped > 0 && shaped * 2 >= lines.length ? 0.2 : 0;
}

function read(line: DialectLine): Event[] {
  return readStray(line) ?? flagRole([readMessage(line)], line);
}

function readMessage({ message, pairing }: DialectLine): Event {
  const { envelope, method } = message;
  const answeredMethod = envelope === 'response' || envelope === 'error' ? pairing!.exchange!.method : null;
  const error = envelope === 'error' ? { text: errorText(message.body) ?? '' } : {};
  if ((answeredMethod ?? method) === 'initialize')
    return { ...readNames(objectOf(message.body), answeredMethod !== null), ...error };
  if (answeredMethod !== null) return { kind: 'other', name: answeredMethod, ...error };
  const params = objectOf(message.body);
  if (method === 'initialized') return { kind: 'handshake', about: {} };
  if (method === '$/cancelRequest' || method === '$/cancel_request') {
    return { kind: 'cancel', of: idText(params.id ?? params.requestId), done: false };
  }
  return { kind: 'other', name: method };
}

/** The names of the two sides, where most protocols put them. */
function readNames(body: JsonObject, answers: boolean): Event {
  if (!answers) return handshakeEvent({ client: partyOf(body.clientInfo) });
  return handshakeEvent({ agent: partyOf(body.serverInfo ?? body.agentInfo) });
}
