/** Reads the lines of an editor and a language server. */
import type { Event } from '../../model/event.ts';
import {
  errorText,
  handshakeEvent,
  idText,
  listOf,
  objectOf,
  objectsOf,
  partyOf,
  stringOf,
  withText,
} from '../common/fields.ts';
import { flagRole, readStray } from '../common/stray.ts';
import type { DialectLine, DialectReader, JsonObject } from '../dialect.ts';

const LEVELS = ['error', 'warning', 'info', 'log', 'debug'];

export class LspReader implements DialectReader {
  read(line: DialectLine): Event[] {
    return readStray(line) ?? flagRole([readMessage(line)], line);
  }
}

function readMessage(line: DialectLine): Event {
  const { envelope, method } = line.message;
  const params = objectOf(line.message.body);
  if (envelope === 'request') return readRequest(method!, params, line.frame.from);
  return envelope === 'notification' ? readNotification(method!, params) : readAnswer(line);
}

function readRequest(method: string, params: JsonObject, from: 'client' | 'agent'): Event {
  if (from === 'client') {
    return method === 'initialize'
      ? readIntroduction(params)
      : withText({ kind: 'control', name: method }, documentOf(params));
  }
  if (method === 'window/showMessageRequest') return readQuestion(params);
  return { kind: 'client-call', call: null, request: null, what: method, arguments: params };
}

function readIntroduction({ clientInfo, capabilities, rootUri, rootPath }: JsonObject): Event {
  const cwd = stringOf(rootUri) ?? stringOf(rootPath);
  return handshakeEvent({ client: partyOf(clientInfo), capabilities, cwd });
}

function readQuestion({ message, actions }: JsonObject): Event {
  const text = stringOf(message) ?? '';
  const options = objectsOf(actions).map(({ title }) => ({ label: stringOf(title) ?? '', description: null }));
  return {
    kind: 'question',
    call: null,
    request: null,
    questions: [{ id: null, text, options, multiple: false }],
    text,
  };
}

function readNotification(method: string, params: JsonObject): Event {
  switch (method) {
    case 'initialized':
      return { kind: 'handshake', about: {} };
    case '$/cancelRequest':
      return { kind: 'cancel', of: idText(params.id), done: false };
    case '$/progress':
      return withText({ kind: 'progress', call: null }, progressText(objectOf(params.value)));
    case 'window/logMessage':
    case 'window/showMessage':
      return withText({ kind: 'log', name: LEVELS[Number(params.type) - 1] ?? 'log' }, stringOf(params.message));
    case '$/logTrace':
      return withText({ kind: 'log', name: 'trace' }, stringOf(params.message));
    case 'telemetry/event':
      return { kind: 'log', name: 'telemetry' };
    case 'textDocument/publishDiagnostics':
      return readDiagnostics(method, params);
    case 'exit':
      return { kind: 'control', name: method };
    default:
      return withText({ kind: 'status', name: method }, documentOf(params));
  }
}

function readAnswer({ message, pairing }: DialectLine): Event {
  const { method, asker } = pairing!.exchange!;
  const ok = message.envelope === 'response';
  const text = ok ? null : (errorText(message.body) ?? '');
  if (asker === 'agent') return readClientAnswer(method, message.body, ok, text);
  if (method !== 'initialize') return withText({ kind: 'control', name: method }, text);
  const { serverInfo, capabilities } = objectOf(message.body);
  return withText(ok ? handshakeEvent({ agent: partyOf(serverInfo), capabilities }) : handshakeEvent({}), text);
}

function readClientAnswer(method: string, result: unknown, ok: boolean, text: string | null): Event {
  if (method !== 'window/showMessageRequest') {
    return withText({ kind: 'client-call-answer', request: null, ok, blocks: [] }, text);
  }
  const choice = ok ? stringOf(objectOf(result).title) : null;
  return withText({ kind: 'question-answer', request: null, answers: choice, ok: choice !== null }, text ?? choice);
}

/** The file that a message is about. */
function documentOf({ textDocument, uri, query, command }: JsonObject): string | null {
  return stringOf(objectOf(textDocument).uri) ?? stringOf(uri) ?? stringOf(query) ?? stringOf(command);
}

function progressText({ title, message, percentage, kind }: JsonObject): string | null {
  const parts = [stringOf(title), stringOf(message), typeof percentage === 'number' ? `${percentage}%` : null];
  return parts.filter((part) => part !== null).join(' ') || stringOf(kind);
}

/** A notice if there are diagnostics. */
function readDiagnostics(name: string, { uri, diagnostics }: JsonObject): Event {
  const found = listOf(diagnostics);
  const messages = found.map((one) => stringOf(objectOf(one).message) ?? '').filter((text) => text !== '');
  const text = [stringOf(uri) ?? '', ...messages].join('\n');
  return { kind: found.length > 0 ? 'notice' : 'status', name, text };
}
