/** Reads the lines of an editor and a language server. */
import type { Event } from '../../model/event.ts';
import { errorText, hello, idText, listOf, objectOf, objectsOf, partyOf, say, stringOf } from '../common/fields.ts';
import { flagRole, readStray } from '../common/stray.ts';
import type { Json, Line, Reader } from '../dialect.ts';

const LEVELS = ['error', 'warning', 'info', 'log', 'debug'];

export class LspReader implements Reader {
  read(line: Line): Event[] {
    return readStray(line) ?? flagRole([meaning(line)], line);
  }
}

function meaning(line: Line): Event {
  const { envelope, method } = line.message;
  const params = objectOf(line.message.body);
  if (envelope === 'request') return asked(method!, params, line.frame.from);
  return envelope === 'notification' ? told(method!, params) : answered(line);
}

function asked(method: string, params: Json, from: 'client' | 'agent'): Event {
  if (from === 'client') {
    return method === 'initialize' ? introduction(params) : say({ kind: 'control', name: method }, documentOf(params));
  }
  if (method === 'window/showMessageRequest') return question(params);
  return { kind: 'client-call', call: null, request: null, what: method, arguments: params };
}

function introduction({ clientInfo, capabilities, rootUri, rootPath }: Json): Event {
  const cwd = stringOf(rootUri) ?? stringOf(rootPath);
  return hello({ client: partyOf(clientInfo), capabilities, cwd });
}

function question({ message, actions }: Json): Event {
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

function told(method: string, params: Json): Event {
  switch (method) {
    case 'initialized':
      return { kind: 'handshake', about: {} };
    case '$/cancelRequest':
      return { kind: 'cancel', of: idText(params.id), done: false };
    case '$/progress':
      return say({ kind: 'progress', call: null }, progressText(objectOf(params.value)));
    case 'window/logMessage':
    case 'window/showMessage':
      return say({ kind: 'log', name: LEVELS[Number(params.type) - 1] ?? 'log' }, stringOf(params.message));
    case '$/logTrace':
      return say({ kind: 'log', name: 'trace' }, stringOf(params.message));
    case 'telemetry/event':
      return { kind: 'log', name: 'telemetry' };
    case 'textDocument/publishDiagnostics':
      return diagnosed(method, params);
    case 'exit':
      return { kind: 'control', name: method };
    default:
      return say({ kind: 'status', name: method }, documentOf(params));
  }
}

function answered({ message, pairing }: Line): Event {
  const { method, asker } = pairing!.exchange!;
  const ok = message.envelope === 'response';
  const text = ok ? null : (errorText(message.body) ?? '');
  if (asker === 'agent') return clientAnswer(method, message.body, ok, text);
  if (method !== 'initialize') return say({ kind: 'control', name: method }, text);
  const { serverInfo, capabilities } = objectOf(message.body);
  return say(ok ? hello({ agent: partyOf(serverInfo), capabilities }) : hello({}), text);
}

function clientAnswer(method: string, result: unknown, ok: boolean, text: string | null): Event {
  if (method !== 'window/showMessageRequest') {
    return say({ kind: 'client-call-answer', request: null, ok, blocks: [] }, text);
  }
  const choice = ok ? stringOf(objectOf(result).title) : null;
  return say({ kind: 'question-answer', request: null, answers: choice, ok: choice !== null }, text ?? choice);
}

/** The file that a message is about. */
function documentOf({ textDocument, uri, query, command }: Json): string | null {
  return stringOf(objectOf(textDocument).uri) ?? stringOf(uri) ?? stringOf(query) ?? stringOf(command);
}

function progressText({ title, message, percentage, kind }: Json): string | null {
  const parts = [stringOf(title), stringOf(message), typeof percentage === 'number' ? `${percentage}%` : null];
  return parts.filter((part) => part !== null).join(' ') || stringOf(kind);
}

/** A notice if there are diagnostics. */
function diagnosed(name: string, { uri, diagnostics }: Json): Event {
  const found = listOf(diagnostics);
  const messages = found.map((one) => stringOf(objectOf(one).message) ?? '').filter((text) => text !== '');
  const text = [stringOf(uri) ?? '', ...messages].join('\n');
  return { kind: found.length > 0 ? 'notice' : 'status', name, text };
}
