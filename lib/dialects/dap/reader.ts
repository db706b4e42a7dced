/** Reads the lines of a debugger and its adapter. */
import type { Event } from '../../model/event.ts';
import { handshakeEvent, idText, numberOf, objectOf, stringOf, withText } from '../common/fields.ts';
import { flagRole, readStray } from '../common/stray.ts';
import type { DialectLine, DialectReader, JsonObject } from '../dialect.ts';

export class DapReader implements DialectReader {
  read(line: DialectLine): Event[] {
    return readStray(line) ?? flagRole([readMessage(line)], line);
  }
}

function readMessage(line: DialectLine): Event {
  const { frame, message, value, pairing } = line;
  const { envelope, method } = message;
  if (envelope === 'notification') return readNotification(method!, objectOf(message.body));
  if (envelope === 'request') return readRequest(method!, objectOf(message.body), frame.from);
  const { method: command, asker } = pairing!.exchange!;
  const text = envelope === 'error' ? dapError(value) : null;
  if (asker === 'agent') {
    return withText({ kind: 'client-call-answer', request: null, ok: envelope === 'response', blocks: [] }, text);
  }
  if (command === 'initialize') return withText(handshakeEvent({ capabilities: message.body ?? {} }), text);
  if (command === 'cancel') return withText({ kind: 'cancel', of: null, done: envelope === 'response' }, text);
  return withText({ kind: 'control', name: command }, text ?? resultText(objectOf(message.body)));
}

function readRequest(command: string, args: JsonObject, from: 'client' | 'agent'): Event {
  // The adapter asks for a terminal, or for another session.
  if (from === 'agent') return { kind: 'client-call', call: null, request: null, what: command, arguments: args };
  if (command === 'initialize') {
    const name = stringOf(args.clientName) ?? stringOf(args.clientID);
    return handshakeEvent({ client: name === null ? null : { name, version: null } });
  }
  if (command === 'cancel') return { kind: 'cancel', of: idText(args.requestId), done: false };
  return withText({ kind: 'control', name: command }, stringOf(args.expression));
}

function readNotification(event: string, body: JsonObject): Event {
  if (event === 'output')
    return withText({ kind: 'log', name: stringOf(body.category) ?? 'console' }, outputText(body));
  // The adapter is ready for breakpoints.
  if (event === 'initialized') return { kind: 'handshake', about: {} };
  if (event.startsWith('progress')) {
    return withText({ kind: 'progress', call: null }, stringOf(body.message) ?? stringOf(body.title));
  }
  return withText({ kind: NOTED.has(event) ? 'notice' : 'status', name: event }, statusText(body));
}

/** Events that a person wants to know about. */
const NOTED = new Set(['stopped', 'exited', 'terminated']);

function outputText({ output }: JsonObject): string | null {
  return stringOf(output)?.replace(/\n$/, '') ?? null;
}

/** Why something stopped, or with what it ended. */
function statusText({ reason, description, exitCode }: JsonObject): string | null {
  const code = numberOf(exitCode);
  return stringOf(description) ?? stringOf(reason) ?? (code === null ? null : String(code));
}

/** The value of an expression. */
function resultText({ result }: JsonObject): string | null {
  return stringOf(result);
}

/** The error as a sentence with its variables filled in, or else a short word. */
export function dapError({ message, body }: JsonObject): string {
  const { format, variables } = objectOf(objectOf(body).error);
  const values = objectOf(variables);
  const sentence = stringOf(format)?.replace(/\{(\w+)\}/g, (whole, name) => stringOf(values[name]) ?? whole);
  return sentence ?? stringOf(message) ?? '';
}
