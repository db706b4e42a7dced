/** What an ACP agent asks its client to do with files and terminals. */
import type { Block, Event } from '../../model/event.ts';
import { errorText, objectOf, stringOf, withText } from '../common/fields.ts';
import type { DialectLine, JsonObject } from '../dialect.ts';

export function readClientCall(method: string, params: JsonObject): Event {
  const words = [params.command, ...(Array.isArray(params.args) ? params.args : [])].filter(
    (word) => typeof word === 'string',
  );
  const text = stringOf(params.path) ?? (words.length > 0 ? words.join(' ') : stringOf(params.terminalId));
  return withText({ kind: 'client-call', call: null, request: null, what: method, arguments: params }, text);
}

export function readClientCallAnswer({ message }: DialectLine): Event {
  const kind = 'client-call-answer';
  if (message.envelope === 'error') {
    return { kind, request: null, ok: false, blocks: [], text: errorText(message.body) ?? '' };
  }
  const result = objectOf(message.body);
  const text = stringOf(result.content) ?? stringOf(result.output);
  const blocks: Block[] = text === null ? [] : [{ type: 'text', text }];
  return withText({ kind, request: null, ok: true, blocks }, text);
}
